import torch
import torch.nn.functional as F


def nt_xent(a: "n d", b: "n d", temperature=0.5):
    n = a.shape[0]
    z = F.normalize(torch.cat([a, b], dim=0), dim=1)
    sim = z @ z.T / temperature
    sim = sim.masked_fill(torch.eye(2 * n) == 1, -1e9)
    positives = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, positives)
