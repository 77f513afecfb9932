# chainrule derive docs/examples/lstm.py --wrt U
import torch


def lstm(x: Float[Tensor, "T m"], h: Float[Tensor, "d"], c: Float[Tensor, "d"],
         W: Float[Tensor, "d m"], U: Float[Tensor, "d d"],
         Wf: Float[Tensor, "d m"], Uf: Float[Tensor, "d d"]):
    for t in range(T):
        f = torch.sigmoid(Wf @ x[t] + Uf @ h)
        c = f * c + torch.tanh(W @ x[t] + U @ h)
        h = torch.tanh(c)
    return h
