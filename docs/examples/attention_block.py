# chainrule derive docs/examples/attention_block.py --wrt all
import math
import torch


def attention_block(x: Float[Tensor, "n d"], w_q: Float[Tensor, "d d_k"],
                    w_k: Float[Tensor, "d d_k"], w_v: Float[Tensor, "d d"]):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    p = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
    return x + p @ v
