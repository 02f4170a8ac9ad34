"""How the four ways to pool look and read: their styles, their drift as curves, one of them written out in numbers."""

import math
from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts import Mark, Series, lines
from ui.words import bare, terms, tex, together, told


class Style(NamedTuple):
    """A method's label, its colour and the dash of its line."""

    label: str
    colour: str
    dash: str


STYLES = {
    "cls": Style("[CLS]", "head_0", "solid"),
    "mean": Style("mean", "head_2", "dash"),
    "max": Style("max", "head_6", "dot"),
    "last": Style("last token", "head_4", "dashdot"),
}


def ceiling(curves: dict[str, Any]) -> float:
    """Where the axis of the distances ends: a whole number a little over the largest, 1 if there is none.

    >>> from types import SimpleNamespace
    >>> ceiling({"mean": SimpleNamespace(distance=[0.0, 2.0])}), ceiling({"mean": SimpleNamespace(distance=[0.0])})
    (3.0, 1)
    """
    return float(math.ceil(1.1 * max(max(curve.distance) for curve in curves.values()))) or 1


def curves(measured: dict[str, Any], n_padding: int, *, title: str, y_range, marked: bool) -> go.Figure:
    """What each method measures against the padding rows, the current number of rows marked where there is a drift."""
    series = [Series(STYLES[m].label, y, STYLES[m].colour, dash=STYLES[m].dash) for m, y in measured.items()]
    marks = [Mark(n_padding, y[n_padding], colour=STYLES[m].colour) for m, y in measured.items() if marked]
    most = len(next(iter(measured.values()))) - 1
    axes: dict[str, Any] = {"x_range": (-0.3, most + 0.3), "x_step": 1, "y_range": y_range}
    legend = {"x": 0, "xanchor": "left", "y": 1.04, "font": {"size": 11}}  # one line on a phone, too
    low = {"narrow": {"legend": legend, "margin": {"t": 58}}}  # so that the first screen holds it
    title = f"{title}, by padding rows"
    return lines(range(most + 1), series, title=title, marks=marks, height=205, meta=low, **axes)


def at(measured: dict[str, Any], n_padding: int) -> str:
    """The same for the current padding rows in a line, for an alt text.

    >>> at({"cls": [1.0, 0.5], "max": [1.0, 0.0]}, 1)
    '[CLS] 0.500, max 0.000'
    """
    return ", ".join(f"{STYLES[m].label} {told(y=y[n_padding]).y}" for m, y in measured.items())


def pooled(method: str, hidden, places: list[int], column: int) -> str:
    r"""A method over the rows in their places, in one column, as a formula.

    >>> pooled("last", [[1, 2], [3, -4]], [0, 1], 1), pooled("max", [[1, 2], [3, -4]], [0, 1], 1)
    ('h_{1,1}', '\\max(2.000, -4.000)')
    """
    if method in ("cls", "last"):
        return f"h_{{{places[0] if method == 'cls' else places[-1]},{column}}}"
    values = [hidden[place][column] for place in places]
    if method == "max":
        return rf"\max({terms([bare(value) for value in values], ', ')})"
    return rf"\frac{{1}}{{{len(values)}}}\,({terms([tex(value) for value in values])})"


def noticed(drifts: dict[str, Any], other: dict[str, Any], side: str, before: float, now: Any) -> list:
    """What to notice while rows are left to pool, each sentence with its claim.

    `other` are the drifts with the padding on the other side, `before` is the length of the masked mean; `now` has
    rows, real, padding, ends (whether the first and the last row are real) and length (of the mean without the mask).
    """
    flat, mean = without_direction(drifts), drifts["mean"]
    lost = (drifts["max"].masked != drifts["max"].unmasked).sum()
    at = told(cls=drifts["cls"].distance, last=drifts["last"].distance, before=before)
    direction = "" if STYLES["mean"].label in flat else f", and {turning(mean.cosine)}"
    return [
        drifting(drifts),
        (not now.padding, "There is no padding: each method gives the same vector with the mask and without it."),
        (now.padding, touched(drifts, other, side)),
        (not now.ends[0], f"Position 0 is padding: taken for [CLS], it lies {at.cls} from the real one."),
        (
            not now.ends[1],
            f"The last position is padding: taken for the last token, it lies {at.last} from the real one.",
        ),
        (
            now.padding,
            f"The mean over all rows divides by {now.rows} instead of {now.real}: its length goes from {at.before} to "
            f"{now.length}{direction}.",
        ),
        (now.padding, f"In {lost} of 4 dimensions a padding row takes over the maximum."),
        *(f"{name}: one of the two vectors is zero. The cosine is undefined, shown as 0." for name in flat),
    ]


def drifting(drifts: dict[str, Any]) -> str:
    """How far each method lands from its masked vector, and which lands furthest, by distance and by angle."""
    far = {m: told(distance=drift.distance, cosine=drift.cosine) for m, drift in drifts.items()}
    most = max(drift.distance for drift in drifts.values())
    turned = {m: drift.cosine for m, drift in drifts.items() if STYLES[m].label not in without_direction(drifts)}
    least = min(turned.values(), default=1.0)
    by_distance = [STYLES[m].label for m, drift in drifts.items() if drift.distance >= most - 1e-9]
    by_cosine = [STYLES[m].label for m, cosine in turned.items() if cosine <= least + 1e-9]
    return (
        "Without the mask "
        + "; ".join(f"{STYLES[m].label} lands **{d.distance}** away, cosine {d.cosine}" for m, d in far.items())
        + (f". Furthest off by distance: {together(by_distance)}" if most > 1e-9 else ". Nothing drifts")
        + (f"; by cosine: {together(by_cosine)}." if least < 1 - 1e-9 else ".")
    )


def touched(drifts: dict[str, Any], other: dict[str, Any], side: str) -> str:
    """Which methods padding changes at all, and how far they land with the padding on the other side."""
    moved = [STYLES[m].label for m, drift in drifts.items() if drift.distance > 1e-9]
    still = [STYLES[m].label for m, drift in drifts.items() if drift.distance <= 1e-9]
    there = ", ".join(f"{STYLES[m].label} {told(d=drift.distance).d}" for m, drift in other.items())
    return (
        f"Changed by the padding on the {side}: {', '.join(moved) or 'none'}; untouched: {', '.join(still) or 'none'}. "
        f"With the padding on the other side the distances are {there}."
    )


def turning(cosine: float) -> str:
    """What becomes of a direction.

    >>> turning(1.0), turning(0.9997), turning(0.5)
    ('its direction stays', 'its direction hardly turns', 'its direction turns')
    """
    if cosine > 1 - 1e-9:
        return "its direction stays"
    return "its direction hardly turns" if cosine >= 0.9995 else "its direction turns"


def without_direction(drifts: dict[str, Any]) -> list[str]:
    """The labels of the methods that give a zero vector, with the mask or without it."""
    return [STYLES[m].label for m, drift in drifts.items() if not (drift.masked.any() and drift.unmasked.any())]
