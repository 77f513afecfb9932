import torch
import torch.nn.functional as F


def vq(x: "n d", q: "n d", beta=0.25):
    commit = F.mse_loss(x, q.detach())
    codebook = F.mse_loss(q, x.detach())
    straight = x + (q - x).detach()
    return codebook + beta * commit + torch.tanh(straight).sum()
