# chainrule derive docs/examples/attention.py --wrt q
import math
import torch


def attention(q: Float[Tensor, "n d_k"], k: Float[Tensor, "m d_k"],
              v: Float[Tensor, "m d_v"]):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    p = torch.softmax(scores, dim=-1)
    return p @ v
