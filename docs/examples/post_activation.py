# chainrule derive docs/examples/post_activation.py --wrt x
import torch.nn.functional as F


def post_activation(x: Float[Tensor, "d"], w: Float[Tensor, "d d"],
                    b: Float[Tensor, "d"]):
    s = x + x @ w + b
    return F.relu(s)
