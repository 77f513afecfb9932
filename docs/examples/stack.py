# chainrule derive docs/examples/stack.py --wrt x --expand
import torch.nn.functional as F


def stack(x: Float[Tensor, "batch d"], w1: Float[Tensor, "N d ff"], b1: Float[Tensor, "N ff"],
          w2: Float[Tensor, "N ff d"], b2: Float[Tensor, "N d"]):
    for k in range(N):
        h = F.relu(x @ w1[k] + b1[k])
        x = x + h @ w2[k] + b2[k]
    return x
