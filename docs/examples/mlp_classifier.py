# chainrule derive docs/examples/mlp_classifier.py --wrt all
import torch
import torch.nn.functional as F


def mlp_classifier(x: Float[Tensor, "batch d_in"],
                   w1: Float[Tensor, "d_in d_hidden"],
                   b1: Float[Tensor, "d_hidden"],
                   w2: Float[Tensor, "d_hidden classes"],
                   b2: Float[Tensor, "classes"],
                   y: Float[Tensor, "batch classes"]):
    h = F.relu(x @ w1 + b1)
    logits = h @ w2 + b2
    return -torch.mean(torch.sum(y * F.log_softmax(logits, dim=-1), dim=-1))
