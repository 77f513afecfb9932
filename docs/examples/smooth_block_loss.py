# chainrule derive docs/examples/smooth_block_loss.py --wrt x --order 2
import torch


def smooth_block_loss(x: Float[Tensor, "d"], w: Float[Tensor, "d d"],
                      y: Float[Tensor, "d"]):
    error = x + torch.tanh(x @ w) - y
    return 0.5 * torch.sum(error ** 2)
