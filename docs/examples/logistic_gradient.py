# chainrule derive docs/examples/logistic_gradient.py --wrt w
import jax


def logistic_gradient(w: Float[Array, "d"], X: Float[Array, "n d"],
                      y: Float[Array, "n"]):
    margin = y * (X @ w)
    return X.T @ (y * (jax.nn.sigmoid(margin) - 1))
