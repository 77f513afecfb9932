# chainrule derive docs/examples/rnn_weight.py --wrt w
import torch


def rnn_weight(w: Float[Tensor, "d d"], h: Float[Tensor, "d"],
               x: Float[Tensor, "T d_in"], u: Float[Tensor, "d_in d"]):
    for t in range(T):
        h = torch.tanh(h @ w + x[t] @ u)
    return h
