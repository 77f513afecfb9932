# chainrule derive docs/examples/rnn.py --wrt h
import torch


def rnn(h: Float[Tensor, "d"], x: Float[Tensor, "T d_in"],
        w: Float[Tensor, "d d"], u: Float[Tensor, "d_in d"]):
    for t in range(T):
        h = torch.tanh(h @ w + x[t] @ u)
    return h
