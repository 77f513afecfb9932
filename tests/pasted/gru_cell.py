import torch


def gru_cell(x: "n d", h: "n m", w_ih: "3*m d", w_hh: "3*m m"):
    x_r, x_z, x_n = (x @ w_ih.T).chunk(3, -1)
    h_r, h_z, h_n = (h @ w_hh.T).chunk(3, -1)
    r = torch.sigmoid(x_r + h_r)
    z = torch.sigmoid(x_z + h_z)
    n = torch.tanh(x_n + r * h_n)
    return (1 - z) * n + z * h
