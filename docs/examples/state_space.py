# chainrule derive docs/examples/state_space.py --wrt s
def state_space(s: Float[Array, "n"], A: Float[Array, "n n"],
                B: Float[Array, "n m"], u: Float[Array, "T m"]):
    for t in range(T):
        s = A @ s + B @ u[t]
    return s
