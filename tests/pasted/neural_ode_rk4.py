import torch


def f(y, w):
    return torch.tanh(w @ y)


def rk4_step(y: "n", w: "n n", h=0.1):
    k1 = f(y, w)
    k2 = f(y + h / 2 * k1, w)
    k3 = f(y + h / 2 * k2, w)
    k4 = f(y + h * k3, w)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
