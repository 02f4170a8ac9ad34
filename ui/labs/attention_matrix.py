"""The pictures of one attention: four matrices from score to weight, the mix of the values, the entropy of each row."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui import charts
from ui.charts import Panel, Series

AXES = ("query", "key")


def four(trace: Any, mask: np.ndarray, tokens: list[str], query: int, key: int, scaling: bool) -> go.Figure:
    """Scores, scaled, masked, weights; the cell that is worked out has an outline."""
    names: dict[str, Any] = {"rows": tokens, "columns": tokens, "mark": (query, key), "axes": AXES}
    panels = [
        Panel(trace.scores, "Scores Q·Kᵀ", limit=4, **names),
        Panel(trace.scaled, "Scaled ÷ √d_k" if scaling else "Not scaled", limit=4, **names),
        Panel(trace.masked, "Masked", limit=4, masked=~mask, **names),
        Panel(trace.weights, "Weights: softmax of each row", kind="probability", **names),
    ]
    return charts.matrices(panels, per_row=2, cell=26)


def mix(trace: Any, values: np.ndarray, shares: np.ndarray, tokens: list[str], query: int, key: int) -> go.Figure:
    """The weights of a query, the value rows, their products, and the output that these add up to."""
    dims, row, mark = [f"d{i}" for i in range(values.shape[1])], [tokens[query]], (key, None)
    weights = trace.weights[query][:, None]
    panels = [
        Panel(weights, "Weights", tokens, row, kind="probability", mark=mark),
        Panel(values, "Values V", tokens, dims, limit=1.5, colour="value", mark=mark),
        Panel(shares, "Weight × value", tokens, dims, limit=1.5, mark=mark),
        Panel(trace.out[[query]], "Their sum: the output", row, dims, limit=1.5, colour="today"),
    ]
    return charts.matrices(panels, per_row=4, cell=26)


def entropies(entropy: np.ndarray, most: np.ndarray, tokens: list[str]) -> go.Figure:
    """The entropy of every row beside the most it could have."""
    both = [Series("log n, the most there can be", most, "ghost"), Series("entropy of the row", entropy, "query")]
    return charts.bars(tokens, both, title="Entropy of each row, nats", y_range=(0, 2.1), height=240)
