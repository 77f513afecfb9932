import torch.nn.functional as F


def lm_loss(logits: "2 3 4", targets: "2 3"):
    B, T, V = logits.shape
    return F.cross_entropy(logits.view(B * T, V), targets.view(-1))
