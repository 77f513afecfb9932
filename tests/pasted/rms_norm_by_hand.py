import torch


def rms_norm(x: "n d", g: "d", eps: float = 1e-6):
    norm = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return norm * g
