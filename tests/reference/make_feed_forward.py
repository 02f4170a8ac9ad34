"""Frozen feed-forward values of PyTorch.

To run: pip install torch==2.13.0, then python tests/reference/make_feed_forward.py.
"""

import torch
from store import store
from torch.nn import functional

FUNCTIONS = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "silu": functional.silu,
    "tanh": torch.tanh,
    "identity": lambda x: x * 1,
}
torch.manual_seed(0)
far = torch.tensor([-1e3, -40, -30, -20, 20, 40, 1e3], dtype=torch.float64)
x = torch.cat([far, torch.linspace(-8, 8, 65, dtype=torch.float64), torch.randn(40, dtype=torch.float64)])
x.requires_grad_()
activations = {
    name: {"values": function(x), "derivatives": torch.autograd.grad(function(x).sum(), x)[0]}
    for name, function in FUNCTIONS.items()
}
rows = torch.randn(4, 4, dtype=torch.float64)
first, second = torch.nn.Linear(4, 16, dtype=torch.float64), torch.nn.Linear(16, 3, dtype=torch.float64)
gate, up, down = (torch.randn(m, n, dtype=torch.float64) for m, n in ((4, 6), (4, 6), (6, 4)))
gated = {name: (function(rows @ gate) * (rows @ up)) @ down for name, function in FUNCTIONS.items()}
store(
    "feed_forward",
    {
        "torch": torch.__version__,
        "x": x,
        "activations": activations,
        "gated": {"x": rows, "W_gate": gate, "W_up": up, "W_down": down, "out": gated},
        "layers": [rows, first.weight.T, first.bias, second.weight.T, second.bias],
        "out": {name: second(function(first(rows))) for name, function in FUNCTIONS.items()},
    },
)
