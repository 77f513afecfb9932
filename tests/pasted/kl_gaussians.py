import numpy as np


def kl_gaussians(m0: "d", s0: "d d", m1: "d", s1: "d d"):
    d = m0.shape[0]
    inv = np.linalg.inv(s1)
    diff = m1 - m0
    quad = diff @ inv @ diff
    return 0.5 * (np.trace(inv @ s0) + quad - d + np.log(np.linalg.det(s1)) - np.log(np.linalg.det(s0)))
