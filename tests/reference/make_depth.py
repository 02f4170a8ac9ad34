"""Frozen gradients of PyTorch's autograd: pip install torch==2.13.0, then python tests/reference/make_depth.py."""

import torch
from store import store

torch.manual_seed(0)
DEPTH, BATCH, WIDTH = 5, 3, 4
x = torch.randn(BATCH, WIDTH, dtype=torch.float64)
weights = torch.randn(DEPTH, WIDTH, WIDTH, dtype=torch.float64) / 2
d_top = torch.randn(BATCH, WIDTH, dtype=torch.float64)
ACTIVATIONS = {
    "tanh": torch.tanh,
    "relu": torch.relu,
    "gelu": torch.nn.functional.gelu,
    "identity": lambda hidden: hidden,
}


def norm(rows):
    return torch.nn.functional.layer_norm(rows, (WIDTH,))


LAYERS = {
    "plain": lambda rows, f: f(rows),
    "residual": lambda rows, f: rows + f(rows),
    "pre_norm": lambda rows, f: rows + f(norm(rows)),
    "post_norm": lambda rows, f: norm(rows + f(rows)),
}

cases = []
for arrangement, layer in LAYERS.items():
    for activation, act in ACTIVATIONS.items():
        rows = [x.clone().requires_grad_()]
        for W in weights:
            rows.append(layer(rows[-1], lambda entry, W=W, act=act: act(entry @ W)))
        grads = torch.autograd.grad(rows[-1], rows, d_top)
        cases.append(
            {
                "arrangement": arrangement,
                "activation": activation,
                "activation_norms": [float(row.detach().norm()) for row in rows],
                "gradient_norms": [float(grad.norm() / d_top.norm()) for grad in grads],
            }
        )
store("depth", {"torch": torch.__version__, "x": x, "weights": weights, "d_top": d_top, "cases": cases})
