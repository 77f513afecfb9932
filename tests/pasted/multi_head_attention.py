import math

import torch
import torch.nn.functional as F


def multi_head_attention(x: "2 3 4", wq: "4 4", wk: "4 4", wv: "4 4", wo: "4 4", n_heads: int = 2):
    batch, seq, width = x.shape
    head = width // n_heads

    q = F.linear(x, wq).view(batch, seq, n_heads, head).transpose(1, 2)
    k = F.linear(x, wk).view(batch, seq, n_heads, head).transpose(1, 2)
    v = F.linear(x, wv).view(batch, seq, n_heads, head).transpose(1, 2)

    scores = q @ k.transpose(-2, -1) / math.sqrt(head)
    weights = F.softmax(scores, dim=-1)
    mixed = weights @ v
    mixed = mixed.transpose(1, 2).contiguous().view(batch, seq, width)
    return F.linear(mixed, wo)
