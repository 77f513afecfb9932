# chainrule derive docs/examples/softmax.py --wrt z
import torch


def softmax(z: Float[Tensor, "classes"]):
    e = torch.exp(z)
    return e / e.sum()
