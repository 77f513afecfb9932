# chainrule derive docs/examples/quadratic_hessian.py --wrt x --order 2
def quadratic_hessian(x: Float[Array, "n"], A: Float[Array, "n n"],
                      b: Float[Array, "n"]):
    return 0.5 * (x @ A @ x) - b @ x
