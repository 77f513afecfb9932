# chainrule derive docs/examples/state_space_input.py --wrt B
def state_space_input(B: Float[Array, "n m"], s: Float[Array, "n"],
                      A: Float[Array, "n n"], u: Float[Array, "T m"]):
    for t in range(T):
        s = A @ s + B @ u[t]
    return s
