"""Frozen normalisation values of PyTorch.

To run: pip install torch==2.13.0, then python tests/reference/make_normalization.py.
"""

import torch
from store import store
from torch.nn import functional

torch.manual_seed(0)
cases = []
for n, d, eps, scale in [
    (4, 8, 1e-5, 1.0),
    (3, 1, 1e-5, 1.0),
    (2, 5, 0.5, 100.0),
    (5, 3, 1e-12, 1e-3),
    (1, 6, 1e-5, 1.0),
]:
    x = (torch.randn(n, d, dtype=torch.float64) * scale + 1).requires_grad_()
    gamma = torch.randn(d, dtype=torch.float64, requires_grad=True)
    beta = torch.randn(d, dtype=torch.float64, requires_grad=True)
    d_out = torch.randn(n, d, dtype=torch.float64)
    out = functional.layer_norm(x, (d,), gamma, beta, eps)
    grads = torch.autograd.grad(out, (x, gamma, beta), d_out)
    case = {"x": x, "gamma": gamma, "beta": beta, "eps": eps, "d_out": d_out, "layer_norm": out, "grads": grads}
    case["rms_norm"] = functional.rms_norm(x, (d,), gamma, eps)
    if n > 1:
        batch = torch.nn.BatchNorm1d(d, eps=eps, dtype=torch.float64)
        with torch.no_grad():
            batch.weight.copy_(gamma)
            batch.bias.copy_(beta)
        case["batch_norm"] = batch(x)
        batch(x * 2)
        case["running_mean"], case["running_var"] = batch.running_mean, batch.running_var
        case["inference"] = batch.eval()(x)
    cases.append({k: [g.tolist() for g in v] if isinstance(v, tuple) else v for k, v in case.items()})
store("normalization", {"torch": torch.__version__, "cases": cases})
