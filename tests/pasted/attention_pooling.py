import torch
import torch.nn.functional as F


def attention_pool(h: "b t d", w: "a d", v: "a"):
    scores = torch.tanh(F.linear(h, w)) @ v
    alpha = F.softmax(scores, dim=1)
    return torch.sum(alpha.unsqueeze(-1) * h, dim=1)
