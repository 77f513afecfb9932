# chainrule derive docs/examples/two_blocks.py --wrt x --expand
import torch.nn.functional as F


def block(x: Float[Tensor, "batch d"], w: Float[Tensor, "d d"], b: Float[Tensor, "d"]):
    return x + F.relu(x @ w + b)


def two_blocks(x: Float[Tensor, "batch d"], w0: Float[Tensor, "d d"], b0: Float[Tensor, "d"],
               w1: Float[Tensor, "d d"], b1: Float[Tensor, "d"]):
    x1 = block(x, w0, b0)
    x2 = block(x1, w1, b1)
    return x2
