import torch


def triplet_loss(anchor: "n d", positive: "n d", negative: "n d", margin=1.0):
    d_pos = (anchor - positive).pow(2).sum(1)
    d_neg = (anchor - negative).pow(2).sum(1)
    return torch.clamp(d_pos - d_neg + margin, min=0.0).mean()
