# chainrule derive docs/examples/attention_values.py --wrt v
import math
import torch


def attention_values(v: Float[Tensor, "m d_v"], q: Float[Tensor, "n d_k"],
                     k: Float[Tensor, "m d_k"]):
    p = torch.softmax(q @ k.T / math.sqrt(q.shape[-1]), dim=-1)
    return p @ v
