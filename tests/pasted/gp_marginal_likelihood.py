import torch
import math


def log_marginal(x: "n", y: "n", log_l: "", log_s: ""):
    n = x.shape[0]
    sq = (x[:, None] - x[None, :]) ** 2
    K = torch.exp(-0.5 * sq / torch.exp(2 * log_l)) + torch.exp(2 * log_s) * torch.eye(n)
    alpha = torch.linalg.solve(K, y)
    return -0.5 * y @ alpha - 0.5 * torch.logdet(K) - 0.5 * n * math.log(2 * math.pi)
