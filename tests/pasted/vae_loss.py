import torch
import torch.nn.functional as F


def vae_loss(x: "n d", recon: "n d", mu: "n z", logvar: "n z"):
    bce = F.binary_cross_entropy(torch.sigmoid(recon), x, reduction='sum')
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld
