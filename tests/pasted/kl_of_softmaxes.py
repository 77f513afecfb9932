import torch.nn.functional as F


def distillation(student: "n c", teacher: "n c", T=2.0):
    log_p = F.log_softmax(student / T, dim=-1)
    q = F.softmax(teacher / T, dim=-1)
    return F.kl_div(log_p, q, reduction='batchmean') * T ** 2
