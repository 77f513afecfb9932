import torch
import torch.nn.functional as F


def mlp(x: "n d", w0: "d h", w1: "h h", w2: "h k", b0: "h", b1: "h", b2: "k"):
    weights, biases = [w0, w1, w2], [b0, b1, b2]
    for i, (w, b) in enumerate(zip(weights, biases)):
        x = x @ w + b
        if i < len(weights) - 1:
            x = F.relu(x)
    return x
