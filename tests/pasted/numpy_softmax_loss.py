import numpy as np


def softmax_loss(scores: "n c", y: "n"):
    shifted = scores - np.max(scores, axis=1, keepdims=True)
    exp = np.exp(shifted)
    probs = exp / np.sum(exp, axis=1, keepdims=True)
    n = scores.shape[0]
    return -np.log(probs[np.arange(n), y]).sum() / n
