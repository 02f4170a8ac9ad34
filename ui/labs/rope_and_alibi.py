"""What the lab on RoPE and ALiBi alone draws: the plane of a pair, the score by offset, weights with a bias, slopes."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts.heatmaps import Panel, matrices
from ui.charts.parts import Arrow, Mark, Series
from ui.charts.plots import arrows, lines
from ui.words import bare, number, tex

POWERS = {1: "1", 1 / 4: "1/4", 1 / 16: "1/16", 1 / 64: "1/64", 1 / 256: "1/256"}


class Way(NamedTuple):
    """A vector in the plane of one pair: at position 0, before it was moved, now (2,) each; its way there (n, 2)."""

    start: Any
    before: Any
    now: Any
    trail: Any


def plane(pair: int, columns: Sequence[int], wave: float, q: Way, k: Way, *, moved: bool) -> go.Figure:
    """The arrows of query and key in the plane of two columns; grey ones tell where they stood before they moved."""
    drawn, trails = [], []
    for name, colour, way in (("q", "query", q), ("k", "key", k)):
        x, y = way.trail.T
        trails.append(Series(f"way of {name}", y, colour, x, dash="dot"))
        drawn.append(Arrow(*way.start, colour=colour, dash="dot", head=False))
        if moved:
            drawn.append(Arrow(*way.before, colour="ghost"))
        drawn.append(Arrow(*way.now, name, colour))
    return arrows(
        drawn,
        limit=2.2,
        title=f"Pair {pair}: a turn in {number(wave, 1)} places",
        x_title=f"d{columns[0]}",
        y_title=f"d{columns[1]}",
        paths=trails,
        height=270,
    )


def score_chart(offsets: Sequence[float], scores, offset: int, score: float) -> go.Figure:
    """The score against the offset of the key, and today's; the axis ends on a whole number."""
    top = float(math.ceil(abs(scores).max() + 0.25))
    return lines(
        offsets,
        [Series("score", scores)],
        title=f"RoPE: q·k = {number(score)}",
        x_title="key − query",
        x_range=(offsets[0], offsets[-1]),
        y_range=(-top, top),
        marks=[Mark(offset, score)],
        height=270,
    )


def bias_and_weights(bias, mask, without, biased, slope: float) -> go.Figure:
    """The bias of one head, and the weights without and with it, all (n, n); the last query is outlined."""
    row = {"mark": (len(bias) - 1, None), "digits": 2}
    panels = [
        Panel(bias, f"ALiBi: −{slope:.3g} · distance", limit=4, masked=~mask, **row),
        Panel(without, "Weights without it", kind="probability", **row),
        Panel(biased, "Weights with it", kind="probability", **row),
    ]
    return matrices(panels, per_row=3, cell=25)


def slope_chart(slopes: Sequence[float], by_paper: Sequence[float], head: int) -> go.Figure:
    """The slope of each head on a log axis, by the released code and by the paper's rule, and that of one head."""
    return lines(
        range(1, len(slopes) + 1),
        [Series("the paper's one rule", by_paper, "ghost", dash="dot"), Series("the released code", slopes)],
        title="Slope of each head",
        x_title="head",
        x_range=(0.6, 16.4),
        y_range=(0.002, 1.6),
        y_ticks=POWERS,
        log_y=True,
        mode="lines+markers",
        marks=[Mark(head, slopes[head - 1], number(slopes[head - 1], 4))],
        height=230,
    )


def turn(name: str, start: Sequence[float], angle: float, out: Sequence[float]) -> str:
    r"""The first coordinate of a pair after a turn by `angle`, written out.

    >>> print(turn("q'_0", [1, -2], 1.5, [2.066, 0.856]))
    q'_0 = 1.000 \cos(1.5) - (-2.000) \sin(1.5) = 2.066
    """
    return rf"{name} = {tex(start[0])} \cos({angle:g}) - {tex(start[1])} \sin({angle:g}) = {bare(out[0])}"


def penalised(logit: float, slope: float, distance: int, out: float) -> str:
    r"""A scaled score less what ALiBi takes, written out, for a key of width 4.

    >>> print(penalised(1.0, 0.25, 6, -0.5))
    \frac{q \cdot k_1}{\sqrt{4}} - 0.25 \cdot 6 = 1.000 - 1.500 = -0.500
    """
    lowered = rf"{bare(logit)} - {bare(slope * distance)} = {bare(out)}"
    return rf"\frac{{q \cdot k_1}}{{\sqrt{{4}}}} - {slope:.3g} \cdot {distance} = {lowered}"
