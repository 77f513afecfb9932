import torch


def ppo_loss(logp: "n", old: "n", adv: "n", clip=0.2):
    ratio = (logp - old).exp()
    clipped = torch.clamp(ratio, 1 - clip, 1 + clip) * adv
    return -torch.min(ratio * adv, clipped).mean()
