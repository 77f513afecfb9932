# chainrule derive docs/examples/ridge.py --wrt w
import numpy as np


def ridge(w: Float[Array, "d"], X: Float[Array, "n d"], y: Float[Array, "n"],
          lam: Float[Array, ""]):
    r = X @ w - y
    return np.sum(r ** 2) + lam * np.sum(w ** 2)
