import torch
import torch.nn.functional as F


def dqn_loss(s: "n d", s2: "n d", a: "n", r: "n", done: "n", w: "d k", w_target: "d k", gamma=0.99):
    q = (s @ w).gather(1, a[:, None]).squeeze(1)
    with torch.no_grad():
        best = (s2 @ w_target).max(dim=1).values
        target = r + gamma * (1 - done) * best
    return F.smooth_l1_loss(q, target)
