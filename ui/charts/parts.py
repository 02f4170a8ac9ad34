"""The parts charts are put together from: series, marks, arrows and traces."""

from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from ui.charts import theme
from ui.charts.figure import Sketch
from ui.words import literal


class Series(NamedTuple):
    """One line, bar group or cloud: `x` only where it differs from the chart's; `band` = (low, high) around y."""

    name: str
    y: Any
    colour: str = "ink"
    x: Any = None
    dash: str = "solid"
    band: tuple[Any, Any] | None = None
    text: list[str] | None = None
    symbol: str = "circle"
    size: int = 9


class Mark(NamedTuple):
    """Today's point with its words, over it unless `at` says "bottom left" or so; y None draws a vertical line at x."""

    x: float
    y: float | None
    text: str = ""
    colour: str = "today"
    at: str = ""


class Arrow(NamedTuple):
    """An arrow from (x0, y0) to (x, y); `head` False draws a plain line (a projection, a guide)."""

    x: float
    y: float
    name: str = ""
    colour: str = "ink"
    x0: float = 0.0
    y0: float = 0.0
    dash: str = "solid"
    head: bool = True


def finite(values) -> list | np.ndarray:
    """A list in which NaN and ∞ are gaps; from 500 numbers on an array instead, which travels in half the bytes."""
    array = np.asarray(values)
    if array.size < 500:
        array = array.astype(float)
        return np.where(np.isfinite(array), array, np.array(None)).tolist()
    if array.dtype.kind in "iu":
        return array.astype(np.min_scalar_type(-np.abs(array).max()))
    return single(np.where(np.isfinite(array), array, np.nan))


def single(values) -> np.ndarray:
    """An array in half the bytes, where single precision reaches its largest number; in all of them elsewhere.

    >>> single([1e38]).dtype, single([1e39]).dtype
    (dtype('float32'), dtype('float64'))
    """
    array = np.asarray(values, float)
    fits = np.abs(array).max(initial=0, where=np.isfinite(array)) <= np.finfo("f4").max
    return array.astype("f4") if fits else array


def fall(one: Series) -> Series:
    """A series for a log axis, which has no place for 0: there it falls off the picture instead of breaking off."""
    drop = lambda values: np.where(np.equal(values, 0), 1e-300, values)
    return one._replace(y=drop(one.y), band=one.band and (drop(one.band[0]), drop(one.band[1])))


def scatter(one: Series, x, mode: str) -> dict:
    """One scatter trace of a series."""
    return {
        "type": "scatter",
        "mode": mode,
        "name": literal(one.name),
        "x": finite(x if one.x is None else one.x),
        "y": finite(one.y),
        "text": [literal(t) for t in one.text] if one.text else None,
        "textposition": "top center",
        "line": {"color": theme.colour(one.colour), "width": 2.5, "dash": one.dash},
        "marker": {"color": theme.colour(one.colour), "size": one.size, "symbol": one.symbol},
        "hovertemplate": "(%{x:.5g}, %{y:.5g})",
    }


def band(one: Series, x) -> list[dict]:
    """The two edges of a series' band, none if it has none."""
    if one.band is None:
        return []
    x = finite(x if one.x is None else one.x)
    edge = {"type": "scatter", "mode": "lines", "x": x, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    fill = {"fill": "tonexty", "fillcolor": theme.colour(one.colour) + "33"}
    return [edge | {"y": finite(one.band[0])}, edge | {"y": finite(one.band[1])} | fill]


def with_marks(data: list[dict], layout: dict, marks, log_x: bool) -> go.Figure:
    """The figure with today's points on top and upright lines where a mark has no y."""
    place = lambda m: float(np.log10(m.x)) if log_x else m.x
    low, high = layout["xaxis"].get("range", (-np.inf, np.inf))
    beyond = lambda m, share: place(m) > low + share * (high - low)  # too near the right edge for words beside it
    spots = [m for m in marks if m.y is not None and np.isfinite(m.x) and np.isfinite(m.y)]
    if spots:
        data = [
            *data,
            {
                "type": "scatter",
                "mode": "markers+text",
                "name": "now",
                "x": [float(m.x) for m in spots],
                "y": [float(m.y) for m in spots],
                "text": [literal(m.text) for m in spots],
                "textposition": [m.at or ("top left" if beyond(m, 0.85) else "top right") for m in spots],
                "textfont": {"color": [theme.ink(m.colour) for m in spots], "size": 14},
                "marker": {
                    "size": 12,
                    "color": [theme.colour(m.colour) for m in spots],
                    "line": {"width": 2, "color": theme.colour("paper")},
                },
                "hovertemplate": "(%{x:.5g}, %{y:.5g})<extra></extra>",
                "showlegend": False,
                "cliponaxis": False,
            },
        ]
    uprights = [m for m in marks if m.y is None and np.isfinite(m.x)]
    if uprights:
        sides = [("right", -4) if beyond(m, 0.7) else ("left", 4) for m in uprights]
        layout = layout | {
            "shapes": [
                {
                    "type": "line",
                    "x0": m.x,
                    "x1": m.x,
                    "y0": 0,
                    "y1": 1,
                    "yref": "y domain",
                    "line": {"color": theme.colour(m.colour), "width": 2, "dash": "dot"},
                }
                for m in uprights
            ],
            "annotations": [
                {
                    "x": place(m),
                    "y": 1,
                    "yref": "y domain",
                    "text": literal(m.text),
                    "showarrow": False,
                    "xanchor": sides[i][0],
                    "yanchor": "top",
                    "xshift": sides[i][1],
                    "yshift": -18 * i,
                    "font": {"color": theme.ink(m.colour)},
                    "bgcolor": theme.colour("paper"),
                }
                for i, m in enumerate(uprights)
            ],
        }
    return Sketch(data, layout)
