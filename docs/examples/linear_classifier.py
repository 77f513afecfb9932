# chainrule derive docs/examples/linear_classifier.py --wrt W --assume "y one-hot"
import torch
import torch.nn.functional as F


def linear_classifier(W: Float[Tensor, "d classes"],
                      x: Float[Tensor, "batch d"],
                      y: Float[Tensor, "batch classes"]):
    logits = x @ W
    return -torch.sum(y * F.log_softmax(logits, dim=-1))
