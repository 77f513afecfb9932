import torch.nn.functional as F


def loss(a: "k d", p: "k d", n: "k d"):
    return F.triplet_margin_loss(a, p, n, margin=0.5)
