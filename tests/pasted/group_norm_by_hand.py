import torch


def group_norm(x: "n 6", w: "6", b: "6", groups: int = 2, eps: float = 1e-5):
    n, c = x.shape
    y = x.reshape(n, groups, c // groups)
    mean = y.mean(-1, keepdim=True)
    var = ((y - mean) ** 2).mean(-1, keepdim=True)
    y = (y - mean) / (var + eps).sqrt()
    return y.reshape(n, c) * w + b
