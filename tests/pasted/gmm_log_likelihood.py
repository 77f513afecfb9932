import math

import torch


def log_likelihood(x: "n d", logits: "k", mu: "k d", log_sigma: "k"):
    d = x.shape[-1]
    diff = x.unsqueeze(1) - mu.unsqueeze(0)
    z2 = (diff / torch.exp(log_sigma)[None, :, None]).pow(2).sum(-1)
    log_prob = -0.5 * z2 - d * log_sigma - 0.5 * d * math.log(2 * math.pi)
    log_mix = torch.log_softmax(logits, dim=0)
    return torch.logsumexp(log_mix + log_prob, dim=1).sum()
