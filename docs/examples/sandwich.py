# chainrule derive docs/examples/sandwich.py --wrt X
def sandwich(X: Float[Tensor, "m n"], A: Float[Tensor, "k m"],
             B: Float[Tensor, "n p"]):
    return A @ X @ B
