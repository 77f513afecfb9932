# chainrule derive docs/examples/pre_norm.py --wrt x
import torch.nn.functional as F


def pre_norm(x: Float[Tensor, "batch d"], w1: Float[Tensor, "d d_ff"],
             w2: Float[Tensor, "d_ff d"]):
    n = F.layer_norm(x, x.shape[-1:])
    branch = F.relu(n @ w1) @ w2
    return x + branch
