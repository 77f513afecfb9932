import torch
import torch.nn.functional as F


def adam(w: "d", X: "n d", y: "n", lr=0.1, b1=0.9, b2=0.999, eps=1e-3):
    m, v = torch.zeros_like(w), torch.zeros_like(w)
    for t in range(1, 4):
        g = X.T @ (X @ w - y)
        m = b1 * m + (1 - b1) * g
        v = b2 * v + (1 - b2) * g ** 2
        m_hat = m / (1 - b1 ** t)
        v_hat = v / (1 - b2 ** t)
        w = w - lr * m_hat / (v_hat.sqrt() + eps)
    return w
