import torch
import torch.nn.functional as F


def spectral_norm(W: "m n", u: "m", steps: int = 2):
    for _ in range(steps):
        v = F.normalize(W.T @ u, dim=0)
        u = F.normalize(W @ v, dim=0)
    return u @ W @ v
