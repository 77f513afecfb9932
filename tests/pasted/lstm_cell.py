import torch


def lstm_cell(x: "n d", h: "n 2", c: "n 2", w_ih: "8 d", w_hh: "8 2", b: "8"):
    gates = x @ w_ih.t() + h @ w_hh.t() + b
    i, f, g, o = gates.chunk(4, dim=1)
    i, f, o = torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o)
    c_next = f * c + i * torch.tanh(g)
    h_next = o * torch.tanh(c_next)
    return h_next, c_next
