import torch


def huber(prediction: "n", target: "n", delta=0.5):
    error = prediction - target
    small = torch.abs(error) <= delta
    quadratic = 0.5 * error ** 2
    linear = delta * (torch.abs(error) - 0.5 * delta)
    return torch.where(small, quadratic, linear).mean()
