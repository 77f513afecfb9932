import torch


def rotate_half(x):
    half = x.shape[-1] // 2
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat((-x2, x1), dim=-1)


def apply_rope(x: "3 4", base=10000.0):
    seq, dim = x.shape
    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2) / dim))
    angles = torch.arange(seq)[:, None] * inv_freq[None, :]
    angles = torch.cat([angles, angles], dim=-1)
    return x * torch.cos(angles) + rotate_half(x) * torch.sin(angles)
