import torch
import torch.nn.functional as F


def hinge_rank(img: "n d", txt: "n d", margin=0.2):
    scores = img @ txt.T
    diag = scores.diag().view(-1, 1)
    cost_txt = (margin + scores - diag.expand_as(scores)).clamp(min=0)
    cost_img = (margin + scores - diag.t().expand_as(scores)).clamp(min=0)
    same = torch.eye(scores.size(0)) > 0.5
    return cost_txt.masked_fill(same, 0).sum() + cost_img.masked_fill(same, 0).sum()
