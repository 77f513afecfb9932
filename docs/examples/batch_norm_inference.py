# chainrule derive docs/examples/batch_norm_inference.py --wrt x
import torch


def batch_norm_inference(x: Float[Tensor, "batch d"], mu: Float[Tensor, "d"],
                         var: Float[Tensor, "d"], gamma: Float[Tensor, "d"],
                         beta: Float[Tensor, "d"]):
    scale = gamma / torch.sqrt(var + 1e-5)
    return (x - mu) * scale + beta
