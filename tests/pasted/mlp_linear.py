import torch
import torch.nn.functional as F


def mlp(x: "batch d", w1: "hidden d", b1: "hidden", w2: "out hidden", b2: "out"):
    # weights as nn.Linear keeps them: (out_features, in_features)
    hidden = F.relu(F.linear(x, w1, b1))
    return F.linear(hidden, w2, b2)
