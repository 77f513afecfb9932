import torch
import torch.nn.functional as F


def sublayer(x, w1, w2):
    return torch.relu(x @ w1) @ w2


def block(x: "n d", w1: "d h", w2: "h d"):
    return F.layer_norm(x + sublayer(x, w1, w2), (x.size(-1),))
