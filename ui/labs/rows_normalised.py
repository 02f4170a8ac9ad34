"""How a norm shows and says what it evened out: matrices framed by their moments, their ranges, each row against ε."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui.charts import Mark, Panel, Series, lines, matrices
from ui.words import number

TITLES = ["X, before", "Layer norm: each row", "Batch norm: each column", "RMS norm: each row, not centred"]
DASHES = ["longdash", "dash", "dot", "dashdot"]


def framed(tables: list, *, rows: list[str], columns: list[str], mark: tuple[int, int]) -> go.Figure:
    """X and its three norms; each table ends in the means and variances of its rows and columns, set apart from it."""
    names = [*rows, "mean", "var"], [*columns, "mean", "var"]
    look = {"limit": 3, "digits": 2, "mark": mark, "margins": (2, 2)}
    panels = [Panel(table, title, *names, **look) for table, title in zip(tables, TITLES, strict=True)]
    return matrices(panels, per_row=2, cell=29)


def against_eps(eps_values, left, rows: list[str], chosen: int, eps: float, now: float) -> go.Figure:
    """The variance each row keeps, a line a row, and a mark at today's ε, but none at 0, which a log axis has not."""
    series = [
        Series(name, left[:, k], *(("today", None, "solid") if k == chosen else ("ghost", None, DASHES[k])))
        for k, name in enumerate(rows)
    ]
    return lines(
        eps_values,
        series,
        title="Variance after layer norm",
        x_title="ε",
        x_range=(5e-9, 4),
        y_range=(-0.03, 1.12),
        log_x=True,
        height=340,
        marks=[Mark(eps or np.nan, now, number(now), at="bottom left" if 0.8 < now < 0.97 else "")],
    )


def between(values) -> str:
    """From where to where several numbers reach; what is only rounding is 0.

    >>> between(np.array([1e-17, 0.5]))
    '0.000 to 0.500'
    """
    return " to ".join(number(round(float(v), 12)) for v in (values.min(), values.max()))


def evened(layer: Any, batch: Any, rms: Any) -> list[str]:
    """What each norm evened out and what not, from the moments after it."""
    return [
        f"Layer norm: row means **{between(layer.row_mean)}**, row variances **{between(layer.row_variance)}**; "
        f"the columns' variances are {between(layer.column_variance)}.",
        f"Batch norm: column means **{between(batch.column_mean)}**, column variances "
        f"**{between(batch.column_variance)}**; the rows' variances are {between(batch.row_variance)}.",
        f"RMS norm does not centre: the row means are **{between(rms.row_mean)}**.",
    ]
