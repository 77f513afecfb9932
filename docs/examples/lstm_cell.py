# chainrule derive docs/examples/lstm_cell.py --wrt c --of c_next
import torch


def lstm_cell(c: Float[Tensor, "d"], h: Float[Tensor, "d"],
              x: Float[Tensor, "d_in"],
              w_f: Float[Tensor, "d_in d"], u_f: Float[Tensor, "d d"],
              w_i: Float[Tensor, "d_in d"], u_i: Float[Tensor, "d d"],
              w_g: Float[Tensor, "d_in d"], u_g: Float[Tensor, "d d"],
              w_o: Float[Tensor, "d_in d"], u_o: Float[Tensor, "d d"]):
    f = torch.sigmoid(x @ w_f + h @ u_f)
    i = torch.sigmoid(x @ w_i + h @ u_i)
    g = torch.tanh(x @ w_g + h @ u_g)
    o = torch.sigmoid(x @ w_o + h @ u_o)
    c_next = f * c + i * g
    h_next = o * torch.tanh(c_next)
    return h_next
