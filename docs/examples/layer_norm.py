# chainrule derive docs/examples/layer_norm.py --wrt x
import torch


def layer_norm(x: Float[Tensor, "d"], gamma: Float[Tensor, "d"],
               beta: Float[Tensor, "d"], eps: Float[Tensor, ""]):
    centred = x - x.mean()
    sigma = torch.sqrt((centred ** 2).mean() + eps)
    x_hat = centred / sigma
    return gamma * x_hat + beta
