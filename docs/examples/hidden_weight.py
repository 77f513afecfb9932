# chainrule derive docs/examples/hidden_weight.py --wrt w1
import torch


def hidden_weight(w1: Float[Tensor, "d_in d_hidden"],
                  x: Float[Tensor, "batch d_in"],
                  b1: Float[Tensor, "d_hidden"]):
    z = x @ w1 + b1
    return torch.sigmoid(z)
