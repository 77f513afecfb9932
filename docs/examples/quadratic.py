# chainrule derive docs/examples/quadratic.py --wrt x
def quadratic(x: Float[Tensor, "n"], A: Float[Tensor, "n n"]):
    return x @ A @ x
