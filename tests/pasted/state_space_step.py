import jax.numpy as jnp


def ssm_step(h: "n", x: "d", a: "n", b: "n d", c: "p n", dt: ""):
    decay = jnp.exp(-dt * jnp.exp(a))
    h = decay * h + dt * (b @ x)
    return c @ h
