"""The charts and formulas of dropout: a row under eight masks, the sums of a thousand, attention weights with holes."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui.charts import Mark, Panel, Series, lines, links, matrices
from ui.charts.links import Link
from ui.words import agree, bare, noise, number, terms, tex, told


def eight(x, trace: Any, names: list[str], chosen: int, cell: int) -> go.Figure:
    """The row, which a hand may change, then under each mask, beside the sums, whose colours follow in few steps."""
    rows = ["all", *(f"mask {i}" for i in range(1, len(trace.out) + 1))]
    holes = [[False] * len(x), *~trace.keep]
    sums = [[total] for total in (trace.before[0], *trace.after)]
    limit = next(limit for limit in (20, 100, 500, 2000) if abs(np.sum(x)) <= limit)
    look: dict[str, Any] = {"limit": 4, "digits": 2, "masked": holes, "gone": "0", "mark": (chosen, cell)}
    held: dict[str, Any] = {"name": "masks", "held": "row", "own": (0, 1)}
    panels = [
        Panel([x, *trace.out], "One row under eight masks", rows, names, **look, **held),
        Panel(sums, "Sum", rows, ["Σ"], limit=limit, digits=2, mark=(chosen, 0), name="sums"),
    ]
    way = (Link("masks", "", (("masks", "0", "c"),)), Link("sums", "sum", (("masks", "r", "*"),)))
    return matrices(panels, per_row=2, cell=26, links=way)


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
        return f"All {len(many.sums):,} sums are the same: one spike, beyond the top of the chart."
    low, high = many.band
    return (
        "The ±2σ band is wider than the axis. " if low < bins.centres[0] or high > bins.centres[-1] else ""
    ) + "Sums beyond either end of the axis are counted in the bin at that end; a peak above 300 leaves the chart."


def expected(many: Any, factor: float, p: float, x) -> list[str]:
    """What the sum is on average and how far it scatters, as formulas; `factor` is the scale s of what is kept."""
    squares, kept = sum(value * value for value in x), f"(1 - {tex(p)})"
    return [
        rf"\mathbb{{E}}\,\Sigma = s\,(1 - p) \sum_i a_i = {tex(factor)} \cdot {kept} \cdot {tex(sum(x))} "
        rf"= {bare(many.expectation)}",
        rf"\sigma = s\,\sqrt{{p\,(1 - p) \textstyle\sum_i a_i^2}} = {tex(factor)} \cdot \sqrt{{{tex(p)} \cdot {kept} "
        rf"\cdot {tex(squares)}}} = {bare(many.deviation)}",
    ]


def masked_sum(kept, scale: float, total: float) -> str:
    r"""The sum of what one mask keeps, as a formula.

    >>> masked_sum([], 0.0, 0.0)
    '\\Sigma = 0.000 \\cdot (0) = 0.000'
    """
    return rf"\Sigma = {bare(scale)} \cdot ({terms([tex(value) for value in kept]) or 0}) = {bare(total)}"


def one(cell: int, value: float, kept: bool, scale: float, out: float) -> str:
    r"""One activation under a mask, as a formula: its value, 1 or 0 for kept or dropped, the factor.

    >>> one(3, 2.0, False, 1.5, 0.0)
    'y_{3} = 2.000 \\cdot 0 \\cdot 1.500 = 0.000'
    """
    return rf"y_{{{cell}}} = {tex(value)} \cdot {int(kept)} \cdot {tex(scale)} = {bare(out)}"


def evaluated(many: Any, total: float, p: float, scaled: bool, x) -> list[str]:
    """What evaluation gives beside what training expects: the same only where the factor makes up for the dropped."""
    size = sum(map(abs, x))
    sums = f"Evaluation drops nothing and sums to **{noise(total, size)}**"
    if p == 0 or (scaled and p < 1):
        return [f"{sums}, as training expects."]
    if held(many, total) and size:
        return [
            f"{sums}, as training expects, but only because the activations cancel: each one of them is expected at "
            f"{1 - p:.3g} of its size."
        ]
    return [
        f"{sums}; training expects {noise(many.expectation, size)}, so the next layer meets another scale than it "
        "learnt with."
    ] * bool(size)


def what_p_means(p: float, factor: float) -> tuple[str, str, str]:
    """A row of conventions: whose p is the share dropped and whose the share kept, with the factor of each."""
    inverse = f"1 / (1 − p) = {number(factor)}" if p < 1 else "1 / (1 − p) has no value, all is zero"
    return (
        f"What p = {p:g} is here",
        f"the share dropped, as in PyTorch and Keras: {inverse}",
        f"Srivastava et al. 2014 and TensorFlow 1: p is the share kept, {1 - p:.3g}, and the same factor is 1 / p",
    )


def rows(dropped: Any, training: bool, p: float) -> str:
    """What dropout does to rows of attention weights that sum to 1."""
    now = told(after=dropped.after, above=(dropped.out.round(9) > 1).sum())
    if not training or p == 0:
        return f"{'At p = 0' if training else 'In evaluation'} nothing is dropped: the rows sum to {now.after}."
    above = f", and {now.above} of 9 weights {agree(now.above, 'is', 'are')} above 1" if now.above else ""
    return f"Dropped weights are not handed to the others: after dropout the rows sum to {now.after}{above}."


def attention(weights, dropped: Any) -> go.Figure:
    """Attention weights with the sum of each row, before and after dropout."""
    look: dict[str, Any] = {
        "rows": ["q0", "q1", "q2"],
        "columns": ["k0", "k1", "k2", "sum"],
        "kind": "probability",
        "margins": (0, 1),
    }
    before, after = (
        [[*row, total] for row, total in zip(rows, totals, strict=True)]
        for rows, totals in ((weights, dropped.before), (dropped.out, dropped.after))
    )
    holes = [[*row, False] for row in ~dropped.keep]
    panels = [
        Panel(before, "Attention weights", axes=("query", "key"), name="weights", **look),
        Panel(after, "After dropout", masked=holes, gone="0", axes=("query", "key"), name="dropped", **look),
    ]
    return matrices(panels, per_row=2, cell=30, links=[links.copied("dropped", "weights")])
