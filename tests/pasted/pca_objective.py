import numpy as np


def explained_variance(u: "d", x: "n d"):
    centred = x - x.mean(axis=0)
    cov = centred.T @ centred / x.shape[0]
    return (u @ cov @ u) / (u @ u)
