import torch
import torch.nn.functional as F


def gat_layer(h: "n d", adj: "n n", W: "d k", a_src: "k", a_dst: "k"):
    z = h @ W
    e = F.leaky_relu((z @ a_src).unsqueeze(1) + (z @ a_dst).unsqueeze(0), negative_slope=0.2)
    e = e.masked_fill(adj == 0, -1e9)
    alpha = torch.softmax(e, dim=1)
    return F.elu(alpha @ z)
