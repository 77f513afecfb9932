# chainrule derive docs/examples/causal_attention.py --wrt q
import math
import torch


def causal_attention(q: Float[Tensor, "n d_k"], k: Float[Tensor, "n d_k"],
                     v: Float[Tensor, "n d_v"]):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    mask = torch.tril(torch.ones(q.shape[0], q.shape[0]))
    scores = scores.masked_fill(mask == 0, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
