import torch
import torch.nn.functional as F


def highway(x: "n d", wt: "d d", bt: "d", wh: "d d", bh: "d"):
    t = torch.sigmoid(F.linear(x, wt, bt))
    h = F.relu(F.linear(x, wh, bh))
    return t * h + (1 - t) * x
