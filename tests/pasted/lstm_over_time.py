import torch
import torch.nn.functional as F


def lstm(x: "3 n d", h: "n k", c: "n k", w: "4*k d", u: "4*k k", b: "4*k"):
    outputs = []
    for x_t in x:
        gates = x_t @ w.t() + h @ u.t() + b
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs, dim=0), (h, c)
