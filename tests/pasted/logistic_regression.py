import numpy as np


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def log_loss(w: "d", b: "", x: "n d", y: "n"):
    p = sigmoid(np.dot(x, w) + b)
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
