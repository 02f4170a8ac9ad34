"""What the lab that compares positions alone draws and writes: starts overlaid, spreads, a sum of pairs."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ui.charts.heatmaps import Panel, matrices
from ui.charts.parts import Mark, Series
from ui.charts.plots import lines
from ui.words import bare, noise, number, terms, tex

WAYS = ["PE·PEᵀ", "RoPE", "ALiBi"]
COLOURS = ["way_0", "way_1", "way_2"]
POWERS = {1e-15: "10⁻¹⁵", 1e-10: "10⁻¹⁰", 1e-5: "10⁻⁵", 1: "1"}


def signed(offset: int) -> str:
    """An offset with a true minus sign.

    >>> signed(3), signed(-3)
    ('3', '−3')
    """
    return str(offset).replace("-", "−")


def small(spread: float) -> str:
    """A spread, said to be rounding where it is no more than that.

    >>> small(3.5527e-15), small(0.25)
    ('0 up to rounding (3.55e−15)', '0.250')
    """
    told = noise(spread)
    return f"{told} ({number(spread)})" if told.startswith("0 up") else told


def placed(start: int, click: dict, n_positions: int) -> tuple[int, int]:
    """Two positions at the offset of a click on a curve: from `start` on, if both are then in sight.

    >>> placed(8, {"x": 5.0}, 32), placed(8, {"x": 31}, 32), placed(8, {"x": -20}, 32)
    ((8, 13), (0, 31), (20, 0))
    """
    offset = max(1 - n_positions, min(round(click["x"]), n_positions - 1))
    first = max(-offset, min(start, n_positions - 1 - offset))
    return first, first + offset


def score_matrices(scores: Sequence[Any], titles: Sequence[str], d: int, cell: tuple[int, int]) -> go.Figure:
    """The scores of every way, (n, n) each, on a scale for tables d wide; one cell is outlined."""
    panels = [
        Panel(one, title, limit=max(d / 2, 4), mark=cell, colour=colour, axes=("from", "to"))
        for one, title, colour in zip(scores, titles, COLOURS, strict=True)
    ]
    return matrices(panels, per_row=3, cell=6)


def overlaid(curves: Sequence[Any], n_starts: int, d: int, offset: int, scores: Sequence[float]) -> go.Figure:
    """The curves of all starts on one axis, (x, y) for each way, and today's offset with the scores it has."""
    series = [
        Series(f"{way}, {n_starts} starts", curve.y, colour)
        for way, curve, colour in zip(WAYS, curves, COLOURS, strict=True)
    ]
    return lines(
        curves[0].x,
        series,
        title="Score against offset, all starts overlaid",
        x_title="offset: key − query",
        x_range=(-31, 31),
        y_range=(-16, max(d, 16) * 0.75),
        marks=[*(Mark(offset, score) for score in scores), Mark(offset, None, f"offset {signed(offset)}")],
        height=285,
    )


def spread_chart(widths: Sequence[int], spreads: Sequence[float], width: int, spread: float) -> go.Figure:
    """The largest spread of the table's diagonals by its width, on a log axis, with today's width."""
    return lines(
        widths,
        [Series("spread", spreads, "way_0")],
        title="PE·PEᵀ: largest spread, by width",
        x_title="d_model",
        x_range=(widths[0] - 0.5, widths[-1] + 0.9),
        y_range=(1e-19, 1e3),
        y_ticks=POWERS,
        log_y=True,
        mode="lines+markers",
        marks=[Mark(width, spread, noise(spread), at="" if width % 2 else "bottom center")],
        height=230,
    )


def pair_by_pair(
    places: tuple[int, int], powers: tuple[int, int], alone: tuple[float, float] | None, score: float
) -> str:
    r"""The product of two rows of the table, a cosine for each pair; `alone` are the two sines that have no cosine.

    `powers` are the base and the width of the table.

    >>> print(pair_by_pair((1, 3), (100, 4), None, 0.5639))
    PE_{1} \cdot PE_{3} = \cos\frac{2}{100^{0/4}} + \cos\frac{2}{100^{2/4}} = 0.5639
    """
    (start, end), (base, width) = places, powers
    apart = abs(end - start)
    parts = [rf"\cos\frac{{{apart}}}{{{base}^{{{i}/{width}}}}}" for i in range(0, width - 1, 2)]
    if alone:
        parts.append(rf"\underbrace{{{tex(alone[0])} \cdot {tex(alone[1])}}}_{{\text{{no partner}}}}")
    return rf"PE_{{{start}}} \cdot PE_{{{end}}} = {terms(parts)} = {bare(score)}"
