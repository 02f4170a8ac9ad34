"""Frozen networks and gradients of PyTorch: pip install torch==2.13.0, then python tests/reference/make_mlp.py."""

from functools import partial

import torch
from store import store
from torch.nn.functional import cross_entropy, gelu, relu, silu

ACTIVATIONS = {
    "relu": relu,
    "gelu": gelu,
    "gelu_tanh": partial(gelu, approximate="tanh"),
    "silu": silu,
    "tanh": torch.tanh,
    "identity": lambda z: z,
}
torch.manual_seed(0)
cases = []
for activation, sizes in [*((name, [3, 4, 4, 3]) for name in ACTIVATIONS), ("tanh", [2, 3]), ("relu", [5, 7, 2])]:
    layers = [
        (torch.randn(m, n, dtype=torch.float64).requires_grad_(), torch.randn(n, dtype=torch.float64).requires_grad_())
        for m, n in zip(sizes[:-1], sizes[1:], strict=True)
    ]
    x, targets = torch.randn(4, sizes[0], dtype=torch.float64), torch.randint(0, sizes[-1], (4,))
    a, hidden, fed = x, [], []
    for W, b in layers[:-1]:
        hidden.append(a @ W + b)
        a = ACTIVATIONS[activation](hidden[-1])
        fed.append(a)
    logits = a @ layers[-1][0] + layers[-1][1]
    loss = cross_entropy(logits, targets)
    parameters = [part for layer in layers for part in layer]
    grads = torch.autograd.grad(loss, [*parameters, *hidden, *fed, logits])
    p, h = len(parameters), len(hidden)
    cases.append(
        {
            "activation": activation,
            "layers": [[W.detach(), b.detach()] for W, b in layers],
            "x": x,
            "targets": targets,
            "logits": logits.detach(),
            "loss": loss.item(),
            "grads": [[grads[i], grads[i + 1]] for i in range(0, p, 2)],
            "d_pre_activations": grads[p : p + h],
            "d_activations": grads[p + h : p + 2 * h],
            "d_logits": grads[-1],
        }
    )
store("mlp", {"torch": torch.__version__, "cases": cases})
