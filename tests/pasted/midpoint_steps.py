import torch
import torch.nn.functional as F


def odeint(y: "d", w1: "d h", w2: "h d", dt: float, n_steps: int = 3):
    def f(y):
        return torch.tanh(y @ w1) @ w2

    for _ in range(n_steps):
        k1 = f(y)
        k2 = f(y + dt / 2 * k1)
        y = y + dt * k2
    return y
