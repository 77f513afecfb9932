# chainrule derive docs/examples/euler.py --wrt x
def euler(x: Float[Tensor, "d"], A: Float[Tensor, "d d"],
          h: Float[Tensor, "N"]):
    for k in range(N):
        x = x + h[k] * (A @ x)
    return x
