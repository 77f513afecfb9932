# chainrule derive docs/examples/diagonal_state_space.py --wrt a
def diagonal_state_space(a: Float[Array, "n"], s: Float[Array, "n"],
                         b: Float[Array, "n"], u: Float[Array, "T"]):
    for t in range(T):
        s = a * s + b * u[t]
    return s
