import numpy as np


def ridge_objective(w: "d", x: "n d", y: "n", lam=0.1):
    n = len(y)
    residual = x.dot(w) - y
    return np.sum(residual ** 2) / (2 * n) + 0.5 * lam * np.linalg.norm(w) ** 2
