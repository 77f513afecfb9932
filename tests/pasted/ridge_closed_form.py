import numpy as np


def ridge_fit(x: "n d", y: "n", lam=0.1):
    gram = x.T @ x + lam * np.eye(x.shape[1])
    return np.linalg.solve(gram, x.T @ y)
