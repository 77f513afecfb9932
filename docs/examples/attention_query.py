# chainrule derive docs/examples/attention_query.py --wrt q
import math
import torch


def attention_query(q: Float[Tensor, "d_k"], K: Float[Tensor, "m d_k"],
                    V: Float[Tensor, "m d_v"]):
    p = torch.softmax(K @ q / math.sqrt(q.shape[-1]), dim=-1)
    return p @ V
