# chainrule derive docs/examples/plain_stack.py --wrt x
import torch


def plain_stack(x: Float[Tensor, "d"], w: Float[Tensor, "N d d"]):
    for k in range(N):
        x = torch.tanh(x @ w[k])
    return x
