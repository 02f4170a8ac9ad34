"""The pictures of one attention: from Q, K and V to a mix, from score to weight, the entropy of each row."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui import charts
from ui.charts import Panel, Series, links

TOKENS, DIMS = ["The", "cat", "sat", "on", "the", "mat"], ["d0", "d1", "d2", "d3"]
Q = [[0.4, 0.1, -0.3, 0.2], [1.2, -0.5, 0.3, 0.6], [0.2, 1.9, -0.4, 1.1],
     [-0.6, 0.3, 1.4, 0.2], [0.5, -0.2, -0.1, 0.3], [0.9, 0.7, 1.8, -0.8]]  # fmt: skip
K = [[0.3, -0.2, 0.1, 0.4], [0.6, 2.0, 0.5, 0.9], [-0.7, 0.4, 1.1, 0.3],
     [0.2, -0.9, 1.5, -0.6], [0.4, -0.1, 0.2, 0.3], [1.1, 0.6, 0.4, -1.0]]  # fmt: skip
V = [[0.1, 0.0, -0.2, 0.3], [1.0, 0.2, 0.0, -0.5], [0.0, 1.0, 0.4, 0.1],
     [-0.3, 0.1, 1.0, 0.2], [0.2, -0.1, -0.1, 0.4], [0.6, -0.4, 0.3, 1.0]]  # fmt: skip
AXES = ("query", "key")
WAY = (
    links.product("scores", "Q", "K", turned=True),
    links.divided("scaled", "scores", 2),
    links.copied("masked", "scaled"),
    links.softmax("weights", "masked"),
)
WAY_UNSCALED = (WAY[0], links.copied("scaled", "scores"), *WAY[2:])


def four(trace: Any, mask: np.ndarray, tokens: list[str], query: int, key: int, scaling: bool) -> go.Figure:
    """Scores, scaled, masked, weights; the cell that is worked out has an outline."""
    names: dict[str, Any] = {"rows": tokens, "columns": tokens, "mark": (query, key), "axes": AXES}
    panels = [
        Panel(trace.scores, "Scores Q·Kᵀ", limit=4, name="scores", **names),
        Panel(trace.scaled, "Scaled ÷ √d_k" if scaling else "Not scaled", limit=4, name="scaled", **names),
        Panel(trace.masked, "Masked", limit=4, masked=~mask, name="masked", **names),
        Panel(trace.weights, "Weights: softmax of each row", kind="probability", name="weights", **names),
    ]
    return charts.matrices(panels, per_row=2, cell=26, links=WAY if scaling else WAY_UNSCALED)


def mix(trace: Any, parts: tuple, shares: np.ndarray, tokens: list[str], query: int, key: int) -> go.Figure:
    """Q, K and V, the `parts`; below them the weights, those of a query times the value rows, and their sum."""
    q, k, v = parts
    dims, row = [f"d{i}" for i in range(v.shape[1])], [tokens[query]]
    from_tokens: dict[str, Any] = {"rows": tokens, "columns": dims}
    seen: dict[str, Any] = {"kind": "probability", "mark": (query, key), "axes": AXES}
    panels = [
        Panel(q, "Queries Q", limit=2, colour="query", mark=(query, None), name="Q", held="q", **from_tokens),
        Panel(k, "Keys K", limit=2, colour="key", mark=(key, None), name="K", held="k", **from_tokens),
        Panel(v, "Values V", limit=1.5, colour="value", mark=(key, None), name="V", held="v", **from_tokens),
        Panel(trace.weights, "Weights", tokens, tokens, name="weights", **seen),
        Panel(shares, f"Weights of “{tokens[query]}” × V", limit=1.5, mark=(key, None), name="shares", **from_tokens),
        Panel(trace.out[[query]], "Their sum: the output", row, dims, limit=1.5, colour="today", name="out"),
    ]
    way = (
        links.Link("shares", "times", (("weights", str(query), "r"), ("V", "r", "c"))),
        links.Link("out", "sum", (("shares", "*", "c"),)),
    )
    return charts.matrices(panels, per_row=3, cell=24, links=way)


def picks_of_mix() -> dict[str, Callable[[dict], int | None]]:
    """What a click on it chooses: the query in Q and the weights, the key everywhere else."""
    return {
        "query": lambda at: at["row"] if at["panel"] in (0, 3) else None,
        "key": lambda at: at["column"] if at["panel"] == 3 else at["row"] if at["panel"] in (1, 2, 4) else None,
    }


def entropies(entropy: np.ndarray, most: np.ndarray, tokens: list[str]) -> go.Figure:
    """The entropy of every row beside the most it could have."""
    both = [Series("log n, the most there can be", most, "ghost"), Series("entropy of the row", entropy, "query")]
    return charts.bars(tokens, both, title="Entropy of each row, nats", y_range=(0, 2.1), height=240)
