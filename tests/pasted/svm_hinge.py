import numpy as np


def svm_loss(w: "d c", x: "n d", y: "n", reg=0.1):
    n = x.shape[0]
    scores = x @ w
    correct = scores[np.arange(n), y]
    margins = np.maximum(0, scores - correct[:, np.newaxis] + 1)
    return (np.sum(margins) - n) / n + reg * np.sum(w * w)
