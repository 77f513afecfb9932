# chainrule derive docs/examples/deep_plain.py --wrt x
import torch.nn.functional as F


def deep_plain(x: Float[Tensor, "d"], w1: Float[Tensor, "N d ff"],
               w2: Float[Tensor, "N ff d"]):
    for k in range(N):
        x = F.relu(x @ w1[k]) @ w2[k]
    return x
