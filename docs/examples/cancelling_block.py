# chainrule derive docs/examples/cancelling_block.py --wrt x
import torch.nn.functional as F


def cancelling_block(x: Float[Tensor, "d"]):
    branch = F.relu(-x) - F.relu(x)
    return x + branch
