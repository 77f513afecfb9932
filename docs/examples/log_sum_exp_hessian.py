# chainrule derive docs/examples/log_sum_exp_hessian.py --wrt z --order 2
import numpy as np


def log_sum_exp_hessian(z: Float[Array, "classes"]):
    return np.log(np.sum(np.exp(z)))
