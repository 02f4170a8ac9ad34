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
edges = []
for logits in ([0.0] * 4, [1.0, 1.0, 0.0, 0.0, 1.0], [2.0, 1.0, 0.0], [0.0, 3.0, 3.0, 3.0]):
    for p in (0.1, 0.4, 0.6, 0.9):
        kept = TopPLogitsWarper(p)(None, torch.tensor([logits], dtype=torch.float64))[0].isfinite()
        edges.append({"logits": logits, "p": p, "kept": kept})
said, penalty = torch.tensor([[2.0, 2.0, 1.5, 0.0, -1.0]], dtype=torch.float64), RepetitionPenaltyLogitsProcessor(1.2)
penalised = [torch.softmax(penalty(torch.tensor([[at]]), said.clone())[0], -1) for at in range(5)]
frozen = {"transformers": transformers.__version__, "cases": cases, "tied_kept": tied.isfinite(), "tied_at_p": edges}
store("sampling", frozen | {"penalised": {"logits": said[0], "out": penalised}})
