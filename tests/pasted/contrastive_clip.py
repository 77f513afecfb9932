import torch
import torch.nn.functional as F


def clip_loss(images: "n d", texts: "n d", log_scale: ""):
    images = F.normalize(images, dim=-1)
    texts = F.normalize(texts, dim=-1)
    logits = torch.exp(log_scale) * images @ texts.t()
    labels = torch.arange(images.shape[0])
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2
