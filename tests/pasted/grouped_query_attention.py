import math

import torch
import torch.nn.functional as F


def grouped_query_attention(q: "1 4 3 2", k: "1 2 3 2", v: "1 2 3 2"):
    groups = q.shape[1] // k.shape[1]
    k = k.repeat_interleave(groups, dim=1)
    v = v.repeat_interleave(groups, dim=1)
    scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.shape[-1])
    return torch.einsum("bhij,bhjd->bhid", F.softmax(scores, dim=-1), v)
