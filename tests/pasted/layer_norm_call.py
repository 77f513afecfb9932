import torch.nn.functional as F


def normed(x: "n d", gamma: "d", beta: "d"):
    return F.layer_norm(x, (x.shape[-1],), gamma, beta)
