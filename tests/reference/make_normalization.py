"""Frozen normalisation values of PyTorch, Keras on top of it, and Gemma's norm in transformers.

To run: pip install torch==2.13.0 transformers==5.24.0 keras, then python tests/reference/make_normalization.py.
"""

import os

os.environ["KERAS_BACKEND"] = "torch"

import keras
import torch
from store import store
from torch.nn import functional
from transformers.models.gemma.modeling_gemma import GemmaRMSNorm

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
    case["rms_norm_own_eps"] = functional.rms_norm(x, (d,), gamma)
    gemma = GemmaRMSNorm(d, eps=eps).double()
    with torch.no_grad():
        gemma.weight.copy_(gamma)
    case["gemma"] = gemma(x)  # its inside is float32
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
batch, layer = torch.tensor([[1.0], [2.0], [3.0], [4.0]]), keras.layers.BatchNormalization()
for _ in range(2):
    layer(batch, training=True)
remembered = {"momentum": layer.momentum, "eps": layer.epsilon, "batches": 2}
remembered |= {"mean": float(layer.moving_mean.numpy()[0]), "variance": float(layer.moving_variance.numpy()[0])}
store(
    "normalization",
    {"torch": torch.__version__, "keras_version": keras.__version__, "keras": remembered, "cases": cases},
)
