import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def neg_sampling_loss(centre: "d", outside: "d", negatives: "k d"):
    loss = -np.log(sigmoid(np.dot(outside, centre)))
    loss -= np.sum(np.log(sigmoid(-np.dot(negatives, centre))))
    return loss
