# chainrule derive docs/examples/least_squares_matrix.py --wrt W --order 2
import numpy as np


def least_squares_matrix(W: Float[Array, "d k"], X: Float[Array, "n d"],
                         Y: Float[Array, "n k"]):
    R = X @ W - Y
    return 0.5 * np.sum(R ** 2)
