# chainrule derive docs/examples/logistic_regression.py --wrt w --order 2
import numpy as np


def logistic_regression(w: Float[Array, "d"], X: Float[Array, "n d"],
                        y: Float[Array, "n"]):
    margin = y * (X @ w)
    return np.sum(np.log(1 + np.exp(-margin)))
