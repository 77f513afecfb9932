import torch
import torch.nn.functional as F


def gru(x: "3 n d", h: "n k", w_ih: "3*k d", w_hh: "3*k k", b_ih: "3*k", b_hh: "3*k"):
    for t in range(x.shape[0]):
        i_r, i_z, i_n = F.linear(x[t], w_ih, b_ih).chunk(3, dim=1)
        h_r, h_z, h_n = F.linear(h, w_hh, b_hh).chunk(3, dim=1)
        r = torch.sigmoid(i_r + h_r)
        z = torch.sigmoid(i_z + h_z)
        n = torch.tanh(i_n + r * h_n)
        h = (1 - z) * n + z * h
    return h
