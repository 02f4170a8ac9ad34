"""Frozen paths of torch.optim: pip install torch==2.13.0, then python tests/reference/make_optimizers.py."""

import torch
from store import store

SURFACES = {
    "rosenbrock": (lambda x, y: (1 - x) ** 2 + 100 * (y - x**2) ** 2, [-1.2, 1.0], 5e-4),
    "saddle": (lambda x, y: x**2 / 2 - y**2 / 2 + y**4 / 4, [-1.75, 0.01], 0.1),
}
OPTIMIZERS = [  # (name here, settings here, PyTorch's class, PyTorch's settings)
    ("sgd", {"weight_decay": 0.1}, torch.optim.SGD, {"weight_decay": 0.1}),
    ("sgd", {}, torch.optim.SGD, {}),
    ("momentum", {}, torch.optim.SGD, {"momentum": 0.9}),
    ("momentum", {"beta": 0.8, "dampening": 0.3}, torch.optim.SGD, {"momentum": 0.8, "dampening": 0.3}),
    ("nesterov", {}, torch.optim.SGD, {"momentum": 0.9, "nesterov": True}),
    ("momentum", {"weight_decay": 0.1}, torch.optim.SGD, {"momentum": 0.9, "weight_decay": 0.1}),
    ("nesterov", {"weight_decay": 0.1}, torch.optim.SGD, {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    ("rmsprop", {}, torch.optim.RMSprop, {}),
    ("rmsprop", {"weight_decay": 0.1, "eps": 0.01}, torch.optim.RMSprop, {"weight_decay": 0.1, "eps": 0.01}),
    ("adam", {}, torch.optim.Adam, {}),
    ("adam", {"weight_decay": 0.1}, torch.optim.Adam, {"weight_decay": 0.1}),
    ("adamw", {"weight_decay": 0.1}, torch.optim.AdamW, {"weight_decay": 0.1}),
]

cases = []
for surface, (height, start, lr) in SURFACES.items():
    for name, here, kind, there in OPTIMIZERS:
        point = torch.tensor(start, dtype=torch.float64, requires_grad=True)
        optimizer = kind([point], lr=lr, **there)
        points = [start]
        for _ in range(60):
            optimizer.zero_grad()
            height(*point).backward()
            optimizer.step()
            points.append(point.detach().tolist())
        cases.append({"surface": surface, "optimizer": name, "settings": {"lr": lr, **here}, "points": points})
store("optimizers", {"torch": torch.__version__, "cases": cases})
