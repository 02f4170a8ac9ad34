"""What the lab that compares positions alone draws and writes: starts overlaid, spreads, a sum of pairs."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ui.charts.heatmaps import Panel, matrices
from ui.charts.parts import Mark, Series
from ui.charts.plots import lines
from ui.words import bare, number, terms, tex

COLOURS = ["way_0", "way_1", "way_2"]
POWERS = {1e-15: "10⁻¹⁵", 1e-10: "10⁻¹⁰", 1e-5: "10⁻⁵", 1: "1"}


def score_matrices(titled: dict[str, Any], limit: float, start: int) -> go.Figure:
    """The scores of every way by its title, (n, n) each; the row of the chosen start is outlined."""
    panels = [
        Panel(scores, title, limit=limit, mark=(start, None), colour=colour)
        for (title, scores), colour in zip(titled.items(), COLOURS, strict=True)
    ]
    return matrices(panels, per_row=3, cell=6)


def overlaid(curves: dict[str, Any], n_starts: int, offset: int, scores: Sequence[float], top: float) -> go.Figure:
    """The curves of all starts on one axis, `curves` (x, y) by way, and today's offset with the scores it has."""
    series = [
        Series(f"{way}, {n_starts} starts", curve.y, colour)
        for (way, curve), colour in zip(curves.items(), COLOURS, strict=True)
    ]
    return lines(
        next(iter(curves.values())).x,
        series,
        title="Score against offset, all starts overlaid",
        x_title="offset: key − query",
        x_range=(-31, 31),
        y_range=(-16, top),
        marks=[*(Mark(offset, score) for score in scores), Mark(offset, None, f"offset {offset}")],
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
        marks=[Mark(width, spread, number(spread), at="" if width % 2 else "bottom center")],
        height=230,
    )


def pair_by_pair(start: int, end: int, waves: Sequence[float], alone: tuple[float, float] | None, score: float) -> str:
    r"""The product of two rows of the table, a cosine for each pair; `alone` are the two sines that have no cosine.

    >>> print(pair_by_pair(1, 3, [6.28], None, -0.416))
    PE_{1} \cdot PE_{3} = \cos\tfrac{2\pi \cdot 2}{6.3} = -0.416
    """
    parts = [rf"\cos\tfrac{{2\pi \cdot {end - start}}}{{{number(wave, 1)}}}" for wave in waves]
    if alone:
        parts.append(rf"\underbrace{{{tex(alone[0])} \cdot {tex(alone[1])}}}_{{\text{{no partner}}}}")
    return rf"PE_{{{start}}} \cdot PE_{{{end}}} = {terms(parts)} = {bare(score)}"
