"""One row on its way through layer norm: as points on a line for every stage, and written out for one feature."""

import math
from typing import Any

import plotly.graph_objects as go

from ui.charts import Handle, Panel, matrices, strips
from ui.charts.hands import Of
from ui.charts.links import Link
from ui.words import bare, noise, terms, tex, told

STAGES = ["x", "x − μ", "÷ √(σ² + ε)", "· γ + β"]


def reach(x, gamma, beta) -> int:
    """How far the axis goes to each side, in few steps: a point that is dragged to its end leaves it as it is.

    >>> import numpy as np
    >>> [reach(np.array([x, -1.0]), np.array([1.0]), np.array([0.5])) for x in (4.0, 14.0, 14.5)]
    [14, 14, 28]
    """
    most = max(abs(x).max(), 2.3 * abs(gamma).max() + abs(beta).max())
    return next(end for end in (14, 28, 60, 160, 400) if most <= end + 1e-6)


def points_of(x) -> list[Handle]:
    """The points of the row on the first line, each to be moved along it; the one that moves is followed."""
    to: Of = lambda at: round(at["x"], 1)
    followed = lambda i: lambda at: i
    return [Handle({("row", 0, i): to, "feature": followed(i)}, float(v), 0.0, only="x") for i, v in enumerate(x)]


def in_numbers(stages: list, slopes, columns: list[str], held: str, chosen: tuple[int, int]) -> go.Figure:
    """Every stage in numbers, the first of them `held`, and how output i answers to each x; chosen = (i, input)."""
    i, j = chosen
    names, answer = ["x", "x − μ", "x̂", "y"], f"How y{i} answers to each x: ∂y{i} / ∂x"
    look: dict[str, Any] = {"limit": 6, "mark": (None, i), "name": "stages", "held": held, "own": (0, 1)}
    panels = [
        Panel(stages, "Every stage in numbers", names, columns, **look),
        Panel([slopes], answer, [f"∂y{i}"], columns, colour="gradient", mark=(0, j), name="slopes"),
    ]
    way = (
        Link("stages", "", (("stages", "r-1", "*"),)),
        Link("slopes", "", (("stages", "2", str(i)), ("stages", "2", "c"))),
    )
    return matrices(panels, per_row=2, cell=26, links=way)


def lines(stages: list, moments: Any, *, columns: list[str], chosen: int, limit: float) -> go.Figure:
    """The stages under one another, each with its mean and variance; `moments` has those of every row."""
    means, variances = moments.row_mean[:, 0], moments.row_variance[:, 0]
    return strips(
        STAGES,
        stages,
        means=means,
        variances=variances,
        notes=[
            f"mean {now.mean} · variance {now.variance}"
            for now in (told(mean=round(float(m), 12), variance=v) for m, v in zip(means, variances, strict=True))
        ],
        columns=columns,
        colours=["ink", "ink", "ink", "weight"],
        x_range=(-limit, limit),
        chosen=chosen,
        joined=True,
        title="One row, stage by stage",
        height=350,
    )


def sums(x, gamma, beta, eps: float, trace: Any, i: int) -> list[str]:
    """The mean, the variance and feature i written out, from the numbers of the trace."""
    now = told(
        mean=trace.mean[0],
        variance=trace.variance[0],
        x=x[i],
        eps=eps,
        hat=trace.normalized[i],
        gamma=gamma[i],
        beta=beta[i],
        out=trace.out[i],
    )
    added, squared = [tex(value) for value in x], [rf"{tex(value)}^2" for value in trace.centred]
    return [
        rf"\mu = \frac{{1}}{{6}}\,({terms(added)}) = {now.mean:bare}",
        rf"\sigma^2 = \frac{{1}}{{6}}\,({terms(squared)}) = {now.variance:bare}",
        rf"\hat x_{i} = \frac{{{now.x:tex} - {now.mean:tex}}}{{\sqrt{{{now.variance:tex} + {now.eps:tex}}}}} "
        rf"= {now.hat:bare}",
        rf"y_{i} = {now.gamma:tex} \cdot {now.hat:tex} + {now.beta:tex} = {now.out:bare}",
    ]


def slope(trace: Any, gamma, eps: float, i: int, j: int, out: float) -> str:
    """How output i answers to input j, written out from the numbers of the trace."""
    now = told(gamma=gamma[i], variance=trace.variance[0], eps=eps, i=trace.normalized[i], j=trace.normalized[j])
    return (
        rf"\frac{{\partial y_{i}}}{{\partial x_{j}}} = "
        rf"\frac{{{now.gamma:tex}}}{{\sqrt{{{now.variance:tex} + {now.eps:tex}}}}} \cdot "
        rf"({int(i == j)} - \frac{{1}}{{6}} - \frac{{{now.i:tex} \cdot {now.j:tex}}}{{6}}) = {bare(out)}"
    )


def summed(slopes, x, trace: Any, gamma: float, eps: float) -> str:
    """The sum of an output's gradients: their terms cancel, so what is left of them is rounding."""
    return noise(float(slopes.sum()), max(_cancelled(x, trace, gamma, eps), float(abs(slopes).max())))


def steepest(slopes, x, trace: Any, gamma: float, eps: float) -> str:
    """The largest gradient of an output; of a feature that alone is away from the mean all of them cancel without ε.

    An ε of 1e-8 beside the largest variance leaves a 1e-12 of the terms: no rounding, which is far smaller.
    """
    return noise(float(abs(slopes).max()), _cancelled(x, trace, gamma, eps) / 100)


def _cancelled(x, trace: Any, gamma: float, eps: float) -> float:
    """The size of what cancels in a gradient: γ / √(σ² + ε), times how far the row lies from 0 beside its spread."""
    divisor = math.sqrt(trace.variance[0] + eps)
    return abs(float(gamma)) / divisor * max(1.0, float(abs(x).max()) / divisor) if divisor else 0.0


def spread(x, normalized, opening) -> list[str]:
    """How far apart the others lie when one lies farthest from the mean; nothing where no one does."""
    away = abs(x - x.mean())
    far = int(away.argmax())
    others = [k for k in range(len(x)) if k != far]
    if away[far] <= max(away[others]) * (1 + 1e-9):
        return []
    now = told(
        far=abs(normalized[far]),
        before=max(x[others]) - min(x[others]),
        after=max(normalized[others]) - min(normalized[others]),
        opening=max(opening[others]) - min(opening[others]),
    )
    return [
        f"x{far} lies farthest from the mean: its x̂ is {now.far} in size. The other five lie within {now.before} of "
        f"each other in x and within **{now.after}** in x̂; in the row as this page opens, within {now.opening} in x̂."
    ]
