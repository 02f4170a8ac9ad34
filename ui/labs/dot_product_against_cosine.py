"""What the lab of two similarity measures alone draws and writes: neighbours, mean cosines, one cosine as a formula."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ui.charts.heatmaps import Panel, matrices
from ui.charts.links import Link
from ui.charts.parts import Mark, Series
from ui.charts.plots import lines
from ui.words import agree, bare, counted

COSINES = Link("cosines", "", (("dots", "r", "c"), ("X", "r", "*"), ("X", "c", "*")))  # over the lengths of both


def neighbours(names: list[str], by_dot: Sequence[int], by_cosine: Sequence[int], chosen: int) -> go.Figure:
    """Who is nearest to each vector by the two measures, and where they differ; the chosen one is outlined.

    `names` holds those of the vectors and, last, the word for no neighbour, −1.
    """
    changed = [one != other for one, other in zip(by_dot, by_cosine, strict=True)]
    columns = names[: len(changed)]
    words = [[names[i] for i in by_dot], [names[i] for i in by_cosine], ["≠" if c else "=" for c in changed]]
    rows = ["by dot", "by cosine", "changed?"]
    table = Panel([changed] * 3, "Nearest neighbour of each", rows, columns, limit=2, mark=(None, chosen), words=words)
    return matrices([table], per_row=1, cell=28)


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
        height=225,
    )


def cosine(a: str, b: str, product: float, lengths: tuple[float, float], out: float | None) -> str:
    r"""The cosine of two vectors as their product over their lengths; None where one of them has no length.

    >>> print(cosine("a", "b", 4.0, (2.0, 4.0), 0.5))
    \cos = \frac{a \cdot b}{\|a\| \, \|b\|} = \frac{4.000}{2.000 \cdot 4.000} = 0.500
    """
    fraction = rf"\frac{{{bare(product)}}}{{{bare(lengths[0])} \cdot {bare(lengths[1])}}}"
    result = r"\frac{0}{0}\text{, undefined: shown as }0" if out is None else bare(out)
    return rf"\cos = \frac{{{a} \cdot {b}}}{{\|{a}\| \, \|{b}\|}} = {fraction} = {result}"


def said(now: Any, offset: float, factor: float, centre: bool) -> list[tuple[Any, str]]:
    """What to notice, each sentence with its claim."""
    n, nearest = len(now.changed), now.to_chosen
    long = f"{now.popular} (none is longer)" if now.popular == now.longest else now.popular
    return [
        (
            n,
            f"**{n} of 8** vectors {agree(n, 'has', 'have')} another nearest neighbour by cosine than by dot product: "
            f"{now.changed}.",
        ),
        (not n and now.popular, "Both measures give every vector the same nearest neighbour."),
        (
            True,
            f"Mean cosine within a cluster **{now.within}**, between the two **{now.between}**: {now.negative} of the "
            f"16 cosines between them {agree(now.negative, 'is', 'are')} negative.",
        ),
        (
            not now.steady,
            f"From offset 0 to 5 the mean cosine between the clusters goes from {now.ends[0]} to {now.ends[1]}.",
        ),
        (
            centre and now.steady,
            f"Nothing is left of the offset: from 0 to 5 the mean cosine between the clusters stays {now.ends[0]}, "
            "since the mean takes the offset with it.",
        ),
        (
            centre and abs(now.centred - now.raw) > 5e-4,
            "Subtracting the mean is more than taking the offset back: without any offset it moves the mean cosine "
            f"between the clusters from {now.raw} to {now.centred}. It leaves "
            f"{counted(now.differ[1], 'vector', 'vectors')} with another neighbour by cosine than by dot "
            f"product, against {now.differ[0]} before.",
        ),
        (
            now.least_alike and now.lowest > 0.5,
            f"Even the least alike two, {' and '.join(now.least_alike)}, have a cosine of {now.lowest}.",
        ),
        (
            now.least_alike and now.lowest <= 0.5,
            f"The lowest of all cosines is {now.lowest}, {' against '.join(now.least_alike)}.",
        ),
        (
            now.popular,
            f"By dot product {long} is the nearest neighbour of {now.takers[0]} of the 7 others, by cosine of "
            f"{now.takers[1]}.",
        ),
        (now.popular and now.popular != now.longest, f"The longest is {now.longest}: {now.length}."),
        (
            factor != 1,
            f"At {factor:g} times its length {now.chosen} is the nearest of {nearest[0]} by dot product, at its own of "
            f"{nearest[2]}; by cosine of {nearest[1]}, at its own of {nearest[3]}.",
        ),
        (
            now.zero,
            f"{now.zero}: a zero vector has no direction. Its cosines are undefined, shown and counted as 0, and it "
            "has no nearest neighbour.",
        ),
    ]
