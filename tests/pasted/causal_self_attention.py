import math

import torch
import torch.nn.functional as F


def causal_self_attention(x: "2 3 4", wq: "4 4", wk: "4 4", wv: "4 4", wo: "4 4", n_head=2):
    B, T, C = x.size()
    q = F.linear(x, wq).view(B, T, n_head, C // n_head).transpose(1, 2)  # (B, nh, T, hs)
    k = F.linear(x, wk).view(B, T, n_head, C // n_head).transpose(1, 2)
    v = F.linear(x, wv).view(B, T, n_head, C // n_head).transpose(1, 2)

    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    mask = torch.tril(torch.ones(T, T)).view(1, 1, T, T)
    att = att.masked_fill(mask[:, :, :T, :T] == 0, float('-inf'))
    att = F.softmax(att, dim=-1)
    y = att @ v
    y = y.transpose(1, 2).contiguous().view(B, T, C)
    return F.linear(y, wo)
