# chainrule derive docs/examples/mse.py --wrt W
import torch


def mse(W: Float[Tensor, "d_in d_out"], X: Float[Tensor, "batch d_in"],
        Y: Float[Tensor, "batch d_out"]):
    error = X @ W - Y
    return torch.mean(error ** 2)
