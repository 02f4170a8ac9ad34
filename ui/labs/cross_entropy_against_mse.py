"""Two losses over the probability of the right class with the rows as dots on them, and sentences about their means."""

from collections.abc import Sequence

import plotly.graph_objects as go

from ui import charts
from ui.charts import Mark, Series
from ui.words import told

LOOKS = {"cross-entropy": ("way_1", "solid"), "MSE": ("way_2", "dash")}


def curves(
    title: str, x, place, both: Sequence[tuple], *, names: list[str], named: int, row: int, y_range: tuple
) -> go.Figure:
    """Both losses as lines over x, and a dot for every row on each at its `place` on the x axis.

    Shapes: both = (line (m,) as x, dots (n,) as place) of cross-entropy, then of MSE; the dots of the loss `named` bear
    the names; `row` is today's.
    """
    marks = [
        Mark(place[i], y, names[i] if at == named else "", "today" if i == row else colour)
        for at, ((_, dots), (colour, _)) in enumerate(zip(both, LOOKS.values(), strict=True))
        for i, y in enumerate(dots)
    ]
    looks = zip(LOOKS.items(), both, strict=True)
    series = [Series(name, line, colour, dash=dash) for (name, (colour, dash)), (line, _) in looks]
    axes = {"x_title": "p of the right class", "x_range": (-0.02, 1.16), "y_range": y_range}
    return charts.lines(x, series, title=title, marks=marks, height=280, **axes)


def spots(place, y, top: float) -> list[tuple[float, float]]:
    """Where dots stand in a chart that ends at `top`, in units that make close dots close on the screen.

    >>> spots([0.5], [2.0], 8)
    [(0.5, 0.25)]
    """
    return [(x, value / top) for x, value in zip(place, y, strict=True)]


def names(alike: Sequence[Sequence[int]]) -> list[str]:
    """A name for each row's dot; dots that lie together have one, on the first.

    >>> names([(0, 2), (1,), (0, 2)])
    ['rows 0, 2', 'row 1', '']
    """
    called = [f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}" for rows in alike]
    return [name if rows[0] == i else "" for i, (name, rows) in enumerate(zip(called, alike, strict=True))]


def of_each_row(name: str, rows: list[str], per_row, mask, *, mean: float, wrong: float, colour: str, top: float):
    """One loss row by row, masked rows in grey, then its mean and the one divided by every row."""
    colours = [*(colour if counts else "masked" for counts in mask), "today", "ghost"]
    bars = [Series(name, [*per_row, mean, wrong], colours)]
    title = f"{name}, mean ÷ {sum(mask)}, wrong ÷ {len(rows)}"
    return charts.bars([*rows, "mean", "wrong"], bars, title=title, y_range=(0, top), height=230)


def on_the_mean(worst: int, cost: float, total: float, mean: float) -> str:
    """What the mean does not tell of its costliest row.

    >>> on_the_mean(3, 6.0, 8.0, 2.0)
    'hides that row 3 alone makes up 75 % of the sum.'
    """
    if cost > 1.001 * mean:
        return f"hides that row {worst} alone makes up {100 * cost / total:.0f} % of the sum."
    return "hides nothing: every row that counts costs the same."


def on_the_mask(masked: list[str], counted: int, mean: float, wrong: float) -> str:
    """What the masked rows do to either mean.

    >>> on_the_mask(["row 3"], 3, 1.0, 0.75)
    'Masked: row 3. Divided by the 3 that count the mean is **1.000**, divided by all 4 it would be 0.750: too small.'
    """
    if not masked:
        return "Every row counts, so both denominators agree. Mask a row to see them part."
    now = told(masked=masked, mean=mean, wrong=wrong)
    return (
        f"Masked: {now.masked}. Divided by the {counted} that count the mean is **{now.mean}**, "
        f"divided by all 4 it would be {now.wrong}{': too small' if wrong < mean else ''}."
    )


def on_smoothing(smoothing: float, row: int, wanted: float, probability: float, counts: bool) -> str:
    """Where smoothing draws today's row.

    >>> on_smoothing(0.2, 0, 0.84, 0.9, True)
    'With ε = 0.2 the right class should get 0.840, not 1: row 0, at 0.900, is pulled down.'
    """
    if not smoothing:
        return (
            "Without smoothing the cross-entropy pull is p − 1: it fades only as p reaches 1. MSE's fades at both ends."
        )
    now = told(wanted=wanted, probability=probability)
    pulled = f"pulled {'down' if probability > wanted else 'up'}" if counts else "masked and not pulled at all"
    return (
        f"With ε = {smoothing:g} the right class should get {now.wanted}, not 1: "
        f"row {row}, at {now.probability}, is {pulled}."
    )
