import math

import torch
import torch.nn.functional as F


def fused(x: "t 4", w: "12 4"):
    q, k, v = F.linear(x, w).chunk(3, dim=-1)
    att = F.softmax(q @ k.T / math.sqrt(q.shape[-1]), dim=-1)
    return att @ v
