import torch


def adam_step(p: "n", g: "n", m: "n", v: "n", lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8, t=3):
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g ** 2
    m_hat = m / (1 - beta1 ** t)
    v_hat = v / (1 - beta2 ** t)
    p_new = p - lr * m_hat / (torch.sqrt(v_hat) + eps)
    return p_new, m, v
