# chainrule derive docs/examples/momentum.py --wrt w


def momentum(w: Float[Tensor, "d"], m: Float[Tensor, "d"], A: Float[Tensor, "d d"],
             b: Float[Tensor, "N d"], lr: float, beta: float):
    for k in range(N):
        m = beta * m + A @ w - b[k]
        w = w - lr * m
    return w
