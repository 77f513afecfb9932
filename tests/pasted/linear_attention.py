import torch
import torch.nn.functional as F


def phi(x):
    return F.elu(x) + 1


def linear_attention(q: "t d", k: "t d", v: "t e"):
    q, k = phi(q), phi(k)
    weights = torch.tril(q @ k.transpose(0, 1))
    normaliser = (q * torch.cumsum(k, dim=0)).sum(-1, keepdim=True)
    return weights @ v / normaliser
