import torch
import torch.nn.functional as F


def classifier_loss(x: "n d", w: "classes d", b: "classes", y: "n"):
    logits = F.linear(x, w, b)
    return F.cross_entropy(logits, y)
