# chainrule derive docs/examples/mlp.py --wrt x
import torch


def mlp(x: Float[Tensor, "batch d_in"], w1: Float[Tensor, "d_in d_hidden"],
        w2: Float[Tensor, "d_hidden d_out"]):
    h = torch.tanh(x @ w1)
    return h @ w2
