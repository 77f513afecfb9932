import torch
import torch.nn.functional as F


def block(x: "n d", w: "d k", gamma: "k", beta: "k"):
    h = F.batch_norm(x @ w, None, None, gamma, beta, training=True)
    return F.relu(h)
