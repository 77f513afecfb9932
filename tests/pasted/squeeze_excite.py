import torch
import torch.nn.functional as F


def squeeze_excite(x: "b c h w", w1: "r c", w2: "c r"):
    b, c, _, _ = x.shape
    s = x.mean(dim=(2, 3))
    s = F.relu(F.linear(s, w1))
    s = torch.sigmoid(F.linear(s, w2)).view(b, c, 1, 1)
    return x * s
