import math

import torch.nn.functional as F


def attend(q: "b n d", k: "b m d", v: "b m e"):
    scores = q @ k.transpose(1, 2) / math.sqrt(q.size(-1))
    p_attn = F.softmax(scores, dim=-1)
    return p_attn @ v
