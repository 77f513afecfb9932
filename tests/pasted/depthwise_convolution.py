import torch
import torch.nn.functional as F


def depthwise_conv1d(x: "b c t", w: "c 3"):
    out = x[:, :, :-2] * w[:, 0][None, :, None]
    for k in range(1, 3):
        end = x.shape[-1] - 2 + k
        out = out + x[:, :, k:end] * w[:, k][None, :, None]
    return out
