import torch
import torch.nn.functional as F


def focal_loss(logits: "n c", y: "n", alpha=0.25, gamma=2):
    ce = F.cross_entropy(logits, y, reduction='none')
    pt = torch.exp(-ce)
    return (alpha * (1 - pt) ** gamma * ce).mean()
