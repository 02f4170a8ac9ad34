"""How the three ways to pool look and read: their styles, their drift as curves, one of them written out in numbers."""

import math
from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts import Mark, Series, lines
from ui.words import terms, tex, told


class Style(NamedTuple):
    """A method's label, its colour and the dash of its line."""

    label: str
    colour: str
    dash: str


STYLES = {
    "cls": Style("[CLS]", "head_0", "solid"),
    "mean": Style("mean", "head_2", "dash"),
    "max": Style("max", "head_6", "dot"),
}


def ceiling(curves: dict[str, Any]) -> float:
    """Where the axis of the distances ends: a whole number a little over the largest, 1 if there is none.

    >>> from types import SimpleNamespace
    >>> ceiling({"mean": SimpleNamespace(distance=[0.0, 2.0])}), ceiling({"mean": SimpleNamespace(distance=[0.0])})
    (3.0, 1)
    """
    return float(math.ceil(1.1 * max(max(curve.distance) for curve in curves.values()))) or 1


def curves(measured: dict[str, Any], n_padding: int, *, title: str, y_range, marked: bool) -> go.Figure:
    """What each method measures against the padding rows, today's number of rows marked where there is a drift."""
    series = [Series(STYLES[m].label, y, STYLES[m].colour, dash=STYLES[m].dash) for m, y in measured.items()]
    marks = [Mark(n_padding, y[n_padding], colour=STYLES[m].colour) for m, y in measured.items() if marked]
    most = len(next(iter(measured.values()))) - 1
    axes = {"x_title": "padding rows", "x_range": (-0.3, most + 0.3), "y_range": y_range}
    return lines(range(most + 1), series, title=title, marks=marks, height=265, **axes)


def at(measured: dict[str, Any], n_padding: int) -> str:
    """The same for today's padding rows in a line, for an alt text.

    >>> at({"cls": [1.0, 0.5], "max": [1.0, 0.0]}, 1)
    '[CLS] 0.500, max 0.000'
    """
    return ", ".join(f"{STYLES[m].label} {told(y=y[n_padding]).y}" for m, y in measured.items())


def pooled(method: str, values) -> str:
    r"""A method over the numbers of one dimension, as a formula.

    >>> pooled("cls", [1, 2]), pooled("max", [1, 2])
    ('1.000', '\\max(1.000, 2.000)')
    """
    parts = [tex(value) for value in values]
    if method == "cls":
        return parts[0]
    return rf"\max({terms(parts, ', ')})" if method == "max" else rf"\tfrac{{1}}{{{len(parts)}}}\,({terms(parts)})"


def drifting(drifts: dict[str, Any]) -> str:
    """How far each method lands from its masked vector, and which lands furthest."""
    far = {m: told(distance=drift.distance, cosine=drift.cosine) for m, drift in drifts.items()}
    most = max(drift.distance for drift in drifts.values())
    worst = [STYLES[m].label for m, drift in drifts.items() if drift.distance >= most - 1e-9]
    return (
        "Without the mask "
        + "; ".join(f"{STYLES[m].label} lands **{d.distance}** away, cosine {d.cosine}" for m, d in far.items())
        + (f". Furthest off: {' and '.join(worst)}." if most > 1e-9 else ". Nothing drifts.")
    )


def without_direction(drifts: dict[str, Any]) -> list[str]:
    """The labels of the methods that give a zero vector, with the mask or without it."""
    return [STYLES[m].label for m, drift in drifts.items() if not (drift.masked.any() and drift.unmasked.any())]
