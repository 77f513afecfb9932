import torch


def rotary(x: "t 2*h", theta: "t h"):
    even, odd = x[:, 0::2], x[:, 1::2]
    cos, sin = theta.cos(), theta.sin()
    rotated = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return rotated.flatten(-2)
