# chainrule derive docs/examples/gated_branch.py --wrt all --set a=0
import torch.nn.functional as F


def gated_branch(x: Float[Tensor, "d"], a: Float[Tensor, ""],
                 w1: Float[Tensor, "d ff"], w2: Float[Tensor, "ff d"]):
    return x + a * (F.relu(x @ w1) @ w2)
