"""Frozen distributions of Hugging Face's logits warpers.

pip install torch==2.13.0 transformers==5.24.0, then cd tests/reference && python make_sampling.py.
"""

import torch
import transformers
from store import store
from transformers import (
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

WARPERS = {
    "temperature": TemperatureLogitsWarper,
    "top_k": TopKLogitsWarper,
    "top_p": TopPLogitsWarper,
    "min_p": MinPLogitsWarper,
}
ORDERS = [list(WARPERS), ["top_k", "top_p", "min_p", "temperature"], ["min_p", "temperature", "top_p", "top_k"]]
SETTINGS = [
    {"temperature": 0.7},
    {"top_k": 4},
    {"top_k": 50},
    {"top_p": 0.9},
    {"top_p": 0.05},
    {"min_p": 0.1},
    {"temperature": 2.0, "top_k": 6, "top_p": 0.8},
    {"temperature": 0.5, "top_k": 8, "top_p": 0.95, "min_p": 0.02},
]

torch.manual_seed(0)
cases = []
for settings in SETTINGS:
    for order in ORDERS:
        logits = torch.randn(12, dtype=torch.float64) * 2
        scores = logits[None]
        for name in order:
            if name in settings:
                scores = WARPERS[name](settings[name])(None, scores)
        cases.append({"logits": logits, "order": order, "settings": settings, "out": torch.softmax(scores[0], -1)})
tied = TopKLogitsWarper(3)(None, torch.tensor([[1.0, 2.0, 2.0, 2.0, 3.0]]))[0]
ties = torch.tensor([[2.0, 2.0, 1.5, 1.0, 1.0, 1.0, 1.0, 0.5, 0.0, 0.0, -1.0, -1.0]], dtype=torch.float64)
edges = [{"p": p, "kept": TopPLogitsWarper(p)(None, ties)[0].isfinite()} for p in (0.1, 0.3, 0.6, 0.7, 0.97)]
penalty = RepetitionPenaltyLogitsProcessor(1.2)
penalised = [torch.softmax(penalty(torch.tensor([[at]]), ties.clone())[0], -1) for at in (0, 10)]
store(
    "sampling",
    {
        "transformers": transformers.__version__,
        "cases": cases,
        "tied_kept": tied.isfinite(),
        "top_p_ties": {"logits": ties[0], "edges": edges},
        "penalised": penalised,
    },
)
