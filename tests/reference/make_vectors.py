"""Frozen similarities of PyTorch.

To run: pip install torch==2.13.0, then python tests/reference/make_vectors.py.
"""

import torch
from store import store
from torch.nn import functional

torch.manual_seed(0)
rows = torch.randn(7, 4, dtype=torch.float64) * 3
rows[3] = 0
store(
    "vectors",
    {
        "torch": torch.__version__,
        "rows": rows,
        "dot": rows @ rows.T,
        "cosine": functional.cosine_similarity(rows[:, None], rows[None], dim=-1),
        "norm": torch.linalg.vector_norm(rows, dim=-1),
        "without_mean": rows - rows.mean(0),
    },
)
