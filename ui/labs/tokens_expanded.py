"""The charts and sentences of a feed-forward layer: its matrices, the curve it fits, and what its activation bought."""

from typing import Any

import plotly.graph_objects as go

from ui.charts import Mark, Panel, Series, lines, matrices
from ui.words import told


def layers(x, trace: Any, activation: str, rows: list[str], columns: list[str], at: tuple[int, int]) -> go.Figure:
    """The tokens, widened, activated and narrowed back; `at` is the token and the hidden unit to follow."""
    d_ff = trace.hidden.shape[1]
    units, narrow = [f"h{i}" for i in range(d_ff)], {"digits": 2, "width": max(4, d_ff // 4), "mark": (at[0], None)}
    panels = [
        Panel(x, "X", rows, columns, limit=2, **narrow),
        Panel(trace.hidden, "Hidden, before", rows, units, limit=2, mark=at),
        Panel(trace.out, "Out", rows, columns, limit=2, **narrow),
        Panel(trace.activated, f"Hidden, after {activation}", rows, units, limit=2, mark=at),
    ]
    return matrices(panels, per_row=2, cell=34)


def collapsed(two: Any, activation: str, rows: list[str], columns: list[str]) -> go.Figure:
    """The one layer that two would be without an activation, beside the two as they are."""
    panels = [
        Panel(two.W, "W = W₁·W₂", columns, columns, digits=2, colour="weight"),
        Panel(two.one_layer, "One layer, X·W + b", rows, columns, limit=2, digits=2),
        Panel(two.two_layers, f"Two layers, {activation}", rows, columns, limit=2, digits=2),
        Panel(two.differences, "Difference", rows, columns, limit=2, digits=2),
    ]
    return matrices(panels, per_row=4, cell=32)


def bought(difference: float, activation: str, silent: float) -> str:
    """What the activation changes; `silent` is the share of the hidden units that say nothing.

    >>> bought(0.5, "relu", 0.25).rpartition(": ")[2]
    'that is what the activation buys.'
    """
    if difference < 1e-9:
        why = "as good as nothing."
    elif silent == 1:
        why = "every unit is silent, and only b₂ = 0 comes out."
    else:
        why = "that is what the activation buys."
    return (
        f"Without an activation the two matrices are one, W₁·W₂. With {activation} the two layers differ from that one "
        f"layer by at most **{told(by=difference).by}**: {why}"
    )


def fitted(points: Any, fit: Any, curve: str, d_ff: int) -> go.Figure:
    """A curve and the best that d_ff hidden units can do."""
    series = [Series(curve, points.y, "ghost"), Series(f"fit with {d_ff} units", fit.out, "query")]
    axes = {"x_title": "x", "x_range": (-1.05, 1.05), "y_range": (-2.1, 2.1)}
    return lines(points.x, series, title="The best fit", height=300, **axes)


def errors(expansions: list[int], rmse: list[float], expansion: int) -> go.Figure:
    """The error of the best fit against the expansion, today's marked."""
    now = rmse[expansions.index(expansion)]
    return lines(
        expansions,
        [Series("error", rmse, "query")],
        mode="lines+markers",
        title="Error of the best fit",
        height=344,
        x_title="expansion",
        x_range=(0.7, 9.2),
        x_ticks={e: f"×{e}" for e in expansions},
        y_range=(0, 0.9),
        marks=[Mark(expansion, now, f"{told(error=now).error}")],
    )
