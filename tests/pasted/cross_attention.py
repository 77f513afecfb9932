import math

import torch
import torch.nn.functional as F


def cross_attention(x: "b t d", ctx: "b s e", wq: "d d", wk: "e d", wv: "e d", wo: "d d", mask=None):
    q, k, v = x @ wq, ctx @ wk, ctx @ wv
    scores = torch.einsum("btd,bsd->bts", q, k) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask[:, None, :] == 0, -1e9)
    return (scores.softmax(dim=-1) @ v) @ wo
