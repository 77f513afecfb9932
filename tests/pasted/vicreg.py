import torch
import torch.nn.functional as F


def vicreg(x: "n d", y: "n d"):
    repr_loss = F.mse_loss(x, y)
    x = x - x.mean(dim=0)
    std_x = torch.sqrt(x.var(dim=0) + 0.0001)
    std_loss = torch.mean(F.relu(1 - std_x)) / 2
    cov_x = (x.T @ x) / (x.shape[0] - 1)
    off_diagonal = cov_x.pow(2).sum() - torch.diagonal(cov_x).pow(2).sum()
    return 25 * repr_loss + 25 * std_loss + off_diagonal / x.shape[1]
