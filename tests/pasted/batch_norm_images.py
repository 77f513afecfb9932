import torch
import torch.nn.functional as F


def normed(x: "n c h w", mean: "c", var: "c", gamma: "c", beta: "c"):
    return F.batch_norm(x, mean, var, weight=gamma, bias=beta, training=False, eps=1e-3)
