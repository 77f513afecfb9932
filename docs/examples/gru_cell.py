# chainrule derive docs/examples/gru_cell.py --wrt h
import torch


def gru_cell(h: Float[Tensor, "d"], x: Float[Tensor, "d_in"],
             w_z: Float[Tensor, "d_in d"], u_z: Float[Tensor, "d d"],
             w_r: Float[Tensor, "d_in d"], u_r: Float[Tensor, "d d"],
             w_c: Float[Tensor, "d_in d"], u_c: Float[Tensor, "d d"]):
    z = torch.sigmoid(x @ w_z + h @ u_z)
    r = torch.sigmoid(x @ w_r + h @ u_r)
    c = torch.tanh(x @ w_c + (r * h) @ u_c)
    return (1 - z) * h + z * c
