# chainrule derive docs/examples/attention_keys.py --wrt k
import math
import torch


def attention_keys(k: Float[Tensor, "m d_k"], q: Float[Tensor, "n d_k"],
                   v: Float[Tensor, "m d_v"]):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    p = torch.softmax(scores, dim=-1)
    return p @ v
