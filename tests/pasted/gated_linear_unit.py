import torch
import torch.nn.functional as F


def glu_block(x: "n d", w: "2*k d", b: "2*k"):
    return F.glu(F.linear(x, w, b), dim=-1)
