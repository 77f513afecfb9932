import torch.nn.functional as F


def attend(q: "b t d", k: "b t d", v: "b t d"):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)
