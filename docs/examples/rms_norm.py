# chainrule derive docs/examples/rms_norm.py --wrt x
import torch


def rms_norm(x: Float[Tensor, "d"], gamma: Float[Tensor, "d"],
             eps: Float[Tensor, ""]):
    rms = torch.sqrt((x ** 2).mean() + eps)
    return gamma * x / rms
