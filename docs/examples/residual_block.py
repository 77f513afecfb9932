def residual_block(x: Float[Tensor, "batch d_model"],
                   w1: Float[Tensor, "d_model d_ff"], b1: Float[Tensor, "d_ff"],
                   w2: Float[Tensor, "d_ff d_model"], b2: Float[Tensor, "d_model"]):
    h = F.relu(x @ w1 + b1)
    branch = h @ w2 + b2
    return x + branch
