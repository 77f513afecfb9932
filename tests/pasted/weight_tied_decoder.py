import torch
import torch.nn.functional as F


def tied_loss(tokens: "t", emb: "vocab d", w: "d d", targets: "t"):
    x = F.embedding(tokens, emb)
    h = torch.tanh(F.linear(x, w))
    logits = F.linear(h, emb)
    return F.cross_entropy(logits, targets)
