"""How a norm shows and says what it evened out: matrices framed by their moments, their ranges, each row against ε."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui.charts import Mark, Panel, Series, lines, matrices
from ui.charts.links import Link
from ui.words import number, power, told

TITLES = ["X, before", "Layer norm: each row", "Batch norm: each column", "RMS norm: each row, not centred"]
NAMES = ["X", "layer", "batch", "rms"]
WAY = (  # a number, and the mean and variance that even it out; RMS norm squares the row itself
    Link("layer", "", (("X", "r", "c"), ("X", "r", "8:10"))),
    Link("batch", "", (("X", "r", "c"), ("X", "4:6", "c"))),
    Link("rms", "", (("X", "r", "0:8"),)),
)
DASHES = ["longdash", "dash", "dot", "dashdot"]


def framed(tables: list, *, rows: list[str], columns: list[str], mark: tuple[int, int], held: str = "") -> go.Figure:
    """X and its three norms; each table ends in the means and variances of its rows and columns, set apart from it.

    `held` is the control of X: what a hand does to a number there, all three norms follow.
    """
    names = [*rows, "mean", "var"], [*columns, "mean", "var"]
    look: dict[str, Any] = {"limit": 3, "digits": 2, "mark": mark, "margins": (2, 2)}
    panels = [
        Panel(table, title, *names, name=name, held=held if name == "X" else "", **look)
        for table, title, name in zip(tables, TITLES, NAMES, strict=True)
    ]
    return matrices(panels, per_row=2, cell=29, links=WAY)


def against_eps(eps_values, left, rows: list[str], chosen: int, eps: float, now: float) -> go.Figure:
    """The variance each row keeps, a line a row, and a mark at the current ε; a log axis has no 0."""
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
    """From where to where several numbers reach; what is only rounding is 0, and what is one number stands once.

    >>> between(np.array([1e-17, 0.5])), between(np.array([1e-17, 0.0]))
    ('0.000 to 0.500', '0.000')
    """
    ends = [number(round(float(v), 12)) for v in (values.min(), values.max())]
    return " to ".join(dict.fromkeys(ends))


def evened(layer: Any, batch: Any, rms: Any, gamma: float) -> list[tuple[bool, str]]:
    """What each norm evened out and what not, from the moments after it; γ = 0 leaves nothing to say of them."""
    off = abs(rms.row_mean).max() > 1e-9
    return [
        (
            gamma != 0,
            f"Layer norm: row means **{between(layer.row_mean)}**, row variances **{between(layer.row_variance)}**; "
            f"the columns' variances are {between(layer.column_variance)}.",
        ),
        (
            gamma != 0,
            f"Batch norm: column means **{between(batch.column_mean)}**, column variances "
            f"**{between(batch.column_variance)}**; the rows' variances are {between(batch.row_variance)}.",
        ),
        (off, f"RMS norm does not centre: the row means are **{between(rms.row_mean)}**."),
        (gamma == 0, "γ = 0 leaves nothing of x: only β comes out, and RMS norm has none."),
    ]


def kept(left, variances, r: int, eps: float) -> list[tuple[bool, str]]:
    """How much of its variance of 1 each row keeps beside ε, and why; a constant row had none."""
    least, most = int(np.argmin(left)), int(np.argmax(left))
    now, one = told(left=left, row=left[r]), np.sort(left)
    apart = one[1] - one[0] > 1e-3 and one[-1] - one[-2] > 1e-3
    leaves = f"before γ, layer norm leaves row {r} **{now.row}** of a variance of 1"
    return [
        (variances[r] == 0, f"Row {r} is constant: its variance is 0, and no ε makes it 1."),
        (variances[r] > 0 and eps == 0, f"ε is 0: {leaves}, with no ε in the way."),
        (variances[r] > 0 and eps > 0 and left[r] > 0.99, f"ε is {power(eps)}: {leaves}, so ε goes unnoticed."),
        (variances[r] > 0 and left[r] <= 0.99, f"ε is {power(eps)}: {leaves}, so ε is part of the answer."),
        (apart, f"The four rows keep {now.left}: row {least} the least, row {most} the most."),
    ]


def others(out, unscaled, r: int, c: int) -> tuple[Any, str]:
    """What batch norm leaves of the other rows in a column, beside what it leaves them where row r is not scaled."""
    rows = [row for row in range(len(out)) if row != r]
    now = told(out=out[rows, c], apart=np.ptp(out[rows, c]), unscaled=np.ptp(unscaled[rows, c]))
    return (
        f"{now.apart}" != f"{now.unscaled}",
        f"Under batch norm the other rows have {now.out} in column {c}: **{now.apart}** from lowest to highest, where "
        f"it is {now.unscaled} with row {r} at scale 1. Layer norm and RMS norm leave them as they were.",
    )


def differ(now: Any, r: int, c: int, eps: float) -> list[tuple[str, str, str]]:
    """Where libraries and papers differ, with the numbers of row r and column c."""
    return [
        (
            f"ε where nobody chose one, and the variance it leaves row {r}",
            f"PyTorch, 1e-5: {now.kept[0]}",
            f"Keras, 1e-3: {now.kept[1]}; BERT, 1e-12: {now.kept[2]}",
        ),
        (
            f"ε of RMS norm, and what row {r}, column {c} becomes before γ",
            f"T5 and the first Llama, 1e-6: {now.rms_kept[0]}",
            f"Llama 2 and 3, 1e-5: {now.rms_kept[1]}; PyTorch's RMSNorm, the float32 machine ε 1.19e-7: "
            f"{now.rms_kept[2]}",
        ),
        (
            f"The weight of RMS norm, stored as {now.gamma}: row {r}, column {c}",
            f"multiplies, as in Llama and T5: {now.rms}",
            f"Gemma multiplies by 1 + weight: {now.gemma}",
        ),
        (
            f"Batch norm after training, row {r}, column {c}, before γ and β, ε = {power(eps)}",
            f"with this batch's own mean and variance: {now.training}",
            "PyTorch, with what it remembers after this one batch, 0.9 · (mean 0, variance 1) + 0.1 · this batch's "
            f"(variance by n − 1): {now.later}",
        ),
        (
            f"Momentum of that memory: the mean of column {c} after one batch",
            f"PyTorch, 0.1 of the new batch: {now.by_torch}",
            f"Keras, 0.99 of the old memory, which is one minus PyTorch's: {now.by_keras}",
        ),
        (
            "A batch of one row under batch norm",
            f"each number is its own mean, so all are {now.alone}",
            "PyTorch refuses to train on it",
        ),
        (
            "Which norm a model has",
            "all three on one matrix",
            "layer norm: GPT-2, BERT; RMS norm: T5, Llama; batch norm: ResNet",
        ),
    ]
