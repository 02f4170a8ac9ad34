"""The charts and formulas of dropout: a row under eight masks, the sums of a thousand, attention weights with holes."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui.charts import Mark, Panel, Series, lines, matrices
from ui.words import bare, terms, tex, told


def eight(x, trace: Any, names: list[str], chosen: int, *, typed) -> go.Figure:
    """The row, then under each mask, beside the sums, whose colours follow the row as `typed`: a nudge leaves them."""
    rows = ["all", *(f"mask {i}" for i in range(1, len(trace.out) + 1))]
    holes = [[False] * len(x), *~trace.keep]
    sums = [[total] for total in (trace.before[0], *trace.after)]
    limit = 2 * max(abs(np.sum(typed)), 1.0)
    look = {"limit": 4, "digits": 2, "masked": holes, "gone": "0", "mark": (chosen, None)}
    panels = [
        Panel([x, *trace.out], "One row under eight masks", rows, names, **look),
        Panel(sums, "Sum", rows, ["Σ"], limit=limit, digits=2, mark=(chosen, 0)),
    ]
    return matrices(panels, per_row=2, cell=26)


def sums(bins: Any, many: Any, evaluated: float) -> go.Figure:
    """How often which sum came out, what is expected with its band, and the evaluated sum where it lies elsewhere."""
    low, high = many.band
    marks = [
        Mark(many.expectation, None, "expected"),
        Mark(low, None, "−2σ", "soft_ink"),
        Mark(high, None, "+2σ", "soft_ink"),
    ]
    if not held(many, evaluated):
        marks.append(Mark(evaluated, None, "in evaluation", "ink"))
    return lines(
        bins.centres,
        [Series("masks", bins.counts, "query")],
        title=f"The sums of {len(many.sums):,} training masks",
        x_title="sum of the row under one mask",
        y_title="masks",
        x_range=(bins.centres[0], bins.centres[-1]),
        y_range=(0, 300),
        marks=marks,
        height=250,
    )


def held(many: Any, evaluated: float) -> bool:
    """Whether training expects the sum that evaluation gives."""
    return bool(abs(many.expectation - evaluated) < 1e-9)


def beyond(bins: Any, many: Any) -> str:
    """What of the sums the chart cannot show."""
    if many.deviation == 0:
        same = f"{told(mean=many.mean).mean}"
        return f"All {len(many.sums):,} sums are the same, {same}: one spike, beyond the top of the chart."
    low, high = many.band
    return (
        "The ±2σ band is wider than the axis. " if low < bins.centres[0] or high > bins.centres[-1] else ""
    ) + "Sums beyond either end of the axis are counted in the bin at that end; a peak above 300 leaves the chart."


def expected(many: Any, factor: float) -> str:
    """What the sum is on average and how far it scatters, as a formula; `factor` is the scale s of what is kept."""
    return (
        rf"\mathbb{{E}}\,\Sigma = s\,(1 - p) \sum_i a_i = {bare(many.expectation)}, \qquad "
        rf"\sigma = s\,\sqrt{{p\,(1 - p) \textstyle\sum_i a_i^2}} = {bare(many.deviation)}, \qquad s = {bare(factor)}"
    )


def masked_sum(kept, scale: float, total: float) -> str:
    r"""The sum of what one mask keeps, as a formula.

    >>> masked_sum([], 0.0, 0.0)
    '\\Sigma = 0.000 \\cdot (0) = 0.000'
    """
    return rf"\Sigma = {bare(scale)} \cdot ({terms([tex(value) for value in kept]) or 0}) = {bare(total)}"


def attention(weights, dropped: Any) -> go.Figure:
    """Attention weights with the sum of each row, before and after dropout."""
    look = {"rows": ["q0", "q1", "q2"], "columns": ["k0", "k1", "k2", "sum"], "kind": "probability", "margins": (0, 1)}
    before, after = (
        [[*row, total] for row, total in zip(rows, totals, strict=True)]
        for rows, totals in ((weights, dropped.before), (dropped.out, dropped.after))
    )
    holes = [[*row, False] for row in ~dropped.keep]
    panels = [
        Panel(before, "Attention weights", **look),
        Panel(after, "After dropout", masked=holes, gone="0", **look),
    ]
    return matrices(panels, per_row=2, cell=30)
