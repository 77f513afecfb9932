import numpy as np


def batchnorm_forward(x: "n d", gamma: "d", beta: "d", eps=1e-5):
    mu = np.mean(x, axis=0)
    xmu = x - mu
    var = np.mean(xmu ** 2, axis=0)
    std = np.sqrt(var + eps)
    xhat = xmu / std
    out = gamma * xhat + beta
    return out
