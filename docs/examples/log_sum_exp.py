# chainrule derive docs/examples/log_sum_exp.py --wrt z
import numpy as np


def log_sum_exp(z: Float[Array, "classes"]):
    return np.log(np.sum(np.exp(z)))
