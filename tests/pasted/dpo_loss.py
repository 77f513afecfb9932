import torch.nn.functional as F


def dpo_loss(pi_w: "n", pi_l: "n", ref_w: "n", ref_l: "n", beta=0.1):
    logits = (pi_w - pi_l) - (ref_w - ref_l)
    return -F.logsigmoid(beta * logits).mean()
