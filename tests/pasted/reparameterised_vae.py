import torch
import torch.nn.functional as F


def elbo(x: "n d", mu: "n z", logvar: "n z", noise: "n z", w: "d z"):
    std = torch.exp(0.5 * logvar)
    z = mu + noise * std
    recon = F.linear(z, w)
    kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(dim=1)
    return F.mse_loss(recon, x) + kl.mean()
