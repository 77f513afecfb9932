# chainrule derive docs/examples/projection_skip.py --wrt x
import torch.nn.functional as F


def projection_skip(x: Float[Tensor, "d_in"],
                    w_skip: Float[Tensor, "d_in d_out"],
                    w: Float[Tensor, "d_in d_out"]):
    branch = F.relu(x @ w)
    return x @ w_skip + branch
