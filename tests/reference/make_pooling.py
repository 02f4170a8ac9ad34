"""Frozen pooled vectors of PyTorch, by the formulas of sentence-transformers' Pooling module.

To run: pip install torch==2.13.0, then python tests/reference/make_pooling.py.
"""

import torch
from store import store

torch.manual_seed(0)
cases = []
for mask in ([True] * 6 + [False] * 2, [False] * 3 + [True] * 5, [False, True, False, True, True, False, False, True]):
    hidden, keep = torch.randn(8, 4, dtype=torch.float64) - 1, torch.tensor(mask)[:, None]
    pooled = {
        "cls": hidden[mask.index(True)],
        "mean": (hidden * keep).sum(0) / keep.sum(),
        "max": hidden.masked_fill(~keep, -torch.inf).amax(0),
        "last": hidden[len(mask) - 1 - keep[:, 0].int().flip(0).argmax()],
    }
    cases.append({"hidden": hidden, "mask": mask, "pooled": pooled})
store("pooling", {"torch": torch.__version__, "cases": cases})
