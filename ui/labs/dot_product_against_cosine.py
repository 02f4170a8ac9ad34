"""What the lab of two similarity measures alone draws and writes: neighbours, mean cosines, one cosine as a formula."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ui.charts.heatmaps import Panel, matrices
from ui.charts.parts import Mark, Series
from ui.charts.plots import lines
from ui.words import bare, number


def neighbours(names: list[str], by_dot: Sequence[int], by_cosine: Sequence[int], chosen: int) -> go.Figure:
    """Who is nearest to each vector by the two measures, and where they differ; the chosen one is outlined."""
    changed = [one != other for one, other in zip(by_dot, by_cosine, strict=True)]
    words = [[names[i] for i in by_dot], [names[i] for i in by_cosine], ["≠" if c else "=" for c in changed]]
    rows = ["by dot", "by cosine", "changed?"]
    table = Panel([changed] * 3, "Nearest neighbour of each", rows, names, limit=2, mark=(None, chosen), words=words)
    return matrices([table], per_row=1, cell=36)


def cosines_by_offset(sweep: Any, offset: float, means: Any) -> go.Figure:
    """Mean cosine within and between two clusters against the offset: `sweep` has all of them, `means` today's."""
    return lines(
        sweep.offsets,
        [
            Series("within a cluster", sweep.within, "head_3"),
            Series("between the two", sweep.between, "head_7", dash="dash"),
        ],
        title="Mean cosine",
        x_title="offset",
        x_range=(-0.1, 5.2),
        y_range=(-1.1, 1.15),
        marks=[Mark(offset, means.within), Mark(offset, means.between)],
        height=265,
    )


def cosine(a: str, b: str, product: float, lengths: tuple[float, float], out: float | None) -> str:
    r"""The cosine of two vectors as their product over their lengths; None where one of them has no length.

    >>> print(cosine("a", "b", 4.0, (2.0, 4.0), 0.5))
    \cos = \frac{a \cdot b}{\|a\| \, \|b\|} = \frac{4.000}{2.000 \cdot 4.000} = 0.500
    """
    fraction = rf"\frac{{{bare(product)}}}{{{number(lengths[0])} \cdot {number(lengths[1])}}}"
    result = r"\frac{0}{0}\text{, undefined: shown as }0" if out is None else bare(out)
    return rf"\cos = \frac{{{a} \cdot {b}}}{{\|{a}\| \, \|{b}\|}} = {fraction} = {result}"
