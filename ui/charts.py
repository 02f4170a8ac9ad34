"""Every chart of the labs: pure functions from arrays and labels to a Plotly figure, and `show`, which draws one.

Ranges are given, not guessed, so that scales stand still while a slider moves. Colours are meanings of `theme`.
"""

from html import escape
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
import plotly.io

from ui import theme
from ui.heatmaps import Panel, matrices, matrix
from ui.live import show
from ui.worked import number

__all__ = [
    "Arrow", "Mark", "Panel", "Series", "arrows", "bars", "lines", "matrices", "matrix", "points", "show",
    "surface_paths", "treemap",
]  # fmt: skip

plotly.io.templates.default = None  # the look comes from theme.TEMPLATE; Plotly's own would be 85 % of a message


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
    """Today's point, with its words; y None draws a vertical line at x."""

    x: float
    y: float | None
    text: str = ""
    colour: str = "today"


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


def lines(
    x, series: list[Series], *, title: str = "", x_title: str = "", y_title: str = "", x_range=None, y_range=None,
    log_x: bool = False, log_y: bool = False, marks: list[Mark] = (), height: int = 320, mode: str = "lines",
) -> go.Figure:  # fmt: skip
    """Lines over one x axis. Ranges are in the data's own units, on log axes too."""
    data = [trace for one in series for trace in _band(one, x) + [_scatter(one, x, mode)]]
    layout = _frame(title, height) | {
        "xaxis": _scale(x_title, x_range, log_x),
        "yaxis": _scale(y_title, y_range, log_y),
        "showlegend": len(series) > 1,
    }
    return _with_marks(data, layout, marks, log_x)


def points(
    groups: list[Series], *, title: str = "", x_title: str = "", y_title: str = "", x_range, y_range,
    paths: list[Series] = (), marks: list[Mark] = (), height: int = 380, equal: bool = False,
) -> go.Figure:  # fmt: skip
    """Clouds of points, with lines through them where `paths` has some; `equal` gives both axes the same unit."""
    data = [_scatter(one, one.x, "lines") for one in paths] + [
        _scatter(one, one.x, "markers+text" if one.text else "markers") for one in groups
    ]
    y_axis = _scale(y_title, y_range) | ({"scaleanchor": "x", "constrain": "domain"} if equal else {})
    x_axis = _scale(x_title, x_range) | ({"constrain": "domain"} if equal else {})
    layout = _frame(title, height) | {"xaxis": x_axis, "yaxis": y_axis, "showlegend": len(data) > 1}
    return _with_marks(data, layout, marks, False)


def bars(
    labels: list[str], series: list[Series], *, title: str = "", x_title: str = "", y_title: str = "", y_range,
    height: int = 300, digits: int = 3, numbers: bool = True, marks: list[Mark] = (), stacked: bool = False,
) -> go.Figure:  # fmt: skip
    """Grouped bars with their numbers on top; a series in "ghost" is the previous or reference state."""
    data = [
        {
            "type": "bar",
            "name": escape(one.name),
            "x": list(range(len(labels))),
            "y": _finite(one.y),
            "marker": {
                "color": [theme.colour(c) for c in one.colour]
                if isinstance(one.colour, list)
                else theme.colour(one.colour)
            },
            "text": one.text or ([number(v, digits) for v in np.ravel(one.y)] if numbers else None),
            "textposition": "outside" if not stacked else "inside",
            "textfont": {"size": 13},
            "cliponaxis": False,
            "textangle": 0,
            "hovertemplate": "%{customdata}: <b>%{y:.6g}</b>",
            "customdata": [escape(label) for label in labels],
        }
        for one in series
    ]
    layout = _frame(title, height) | {
        "xaxis": {"tickvals": list(range(len(labels))), "ticktext": [escape(label) for label in labels], "range": [-0.6, len(labels) - 0.4],
                  "title": {"text": x_title}, "showgrid": False, "zeroline": False, "fixedrange": True},
        "yaxis": _scale(y_title, y_range) | {"fixedrange": True, "zeroline": True},
        "barmode": "stack" if stacked else "group",
        "bargap": 0.25,
        "showlegend": len(series) > 1,
    }  # fmt: skip
    return _with_marks(data, layout, marks, False)


def arrows(
    drawn: list[Arrow], *, limit: float, title: str = "", x_title: str = "", y_title: str = "", height: int = 400,
    paths: list[Series] = (),
) -> go.Figure:  # fmt: skip
    """Vectors in the plane, both axes from −limit to limit with the same unit."""
    tips = [
        {
            "x": a.x, "y": a.y, "ax": a.x0, "ay": a.y0, "xref": "x", "yref": "y", "axref": "x", "ayref": "y",
            "arrowhead": 2, "arrowsize": 1.1, "arrowwidth": 3, "arrowcolor": theme.colour(a.colour), "text": "",
        }
        for a in drawn
        if a.head and (a.x, a.y) != (a.x0, a.y0)
    ]  # fmt: skip
    names = [
        {
            "x": a.x, "y": a.y, "xref": "x", "yref": "y", "text": f"<b>{escape(a.name)}</b>", "showarrow": False,
            "xshift": 14 if a.x >= a.x0 else -14, "yshift": 12 if a.y >= a.y0 else -12,
            "font": {"color": theme.colour(a.colour), "size": 16},
        }
        for a in drawn
        if a.name
    ]  # fmt: skip
    guides = [
        _scatter(Series(a.name or "guide", [a.y0, a.y], a.colour, [a.x0, a.x], a.dash), None, "lines")
        | {"showlegend": False}
        for a in drawn
        if not a.head
    ]
    axis = {"range": [-limit, limit], "constrain": "domain", "zeroline": True}
    layout = _frame(title, height) | {
        "xaxis": axis | {"title": {"text": x_title}},
        "yaxis": axis | {"title": {"text": y_title}, "scaleanchor": "x"},
        "annotations": tips + names,
        "showlegend": False,
    }
    data = guides + [_scatter(one, one.x, "lines") for one in paths]
    return go.Figure(
        data or [{"type": "scatter", "x": [0], "y": [0], "mode": "markers", "marker": {"size": 1}}],
        layout,
        _validate=False,
    )


def surface_paths(
    x, y, z, paths: list[Series], *, title: str = "", x_title: str = "x", y_title: str = "y", marks: list[Mark] = (),
    height: int = 460, meta: dict | None = None,
) -> go.Figure:  # fmt: skip
    """Level lines of z (len(y), len(x)) with paths over them. Clicks give the point on the surface."""
    contour = {
        "type": "contour", "x": np.asarray(x, "f4"), "y": np.asarray(y, "f4"), "z": np.asarray(z, "f4"), "name": "surface",
        "colorscale": theme.ramp(theme.SEQUENTIAL[0][:7]), "showscale": False, "ncontours": 18,
        "line": {"width": 0.6, "color": theme.colour("soft_ink")}, "hovertemplate": "(%{x:.3g}, %{y:.3g}): %{z:.4g}<extra></extra>",
    }  # fmt: skip
    data = [contour] + [
        _scatter(one, one.x, "lines+markers") | {"marker": {"size": 5, "color": theme.colour(one.colour)}}
        for one in paths
    ]
    layout = _frame(title, height) | {
        "xaxis": _scale(x_title, (float(x[0]), float(x[-1]))),
        "yaxis": _scale(y_title, (float(y[0]), float(y[-1]))),
        "showlegend": bool(paths),
        "meta": meta or {},
    }
    return _with_marks(data, layout, marks, False)


def treemap(
    labels: list[str],
    parents: list[str],
    values: list[float],
    *,
    colours: list[str],
    title: str = "",
    height: int = 380,
) -> go.Figure:
    """Areas that add up: each label inside its parent ("" at the top)."""
    data = {
        "type": "treemap", "labels": [escape(label) for label in labels], "parents": [escape(p) for p in parents], "values": values,
        "branchvalues": "total", "marker": {"colors": [theme.colour(c) for c in colours], "line": {"color": theme.colour("paper"), "width": 2}},
        "texttemplate": "<b>%{label}</b><br>%{value:,}<br>%{percentRoot:.1%}", "hovertemplate": "%{label}<br>%{value:,}<extra></extra>",
    }  # fmt: skip
    return go.Figure([data], _frame(title, height), _validate=False)


def _frame(title: str, height: int) -> dict:
    return {"title": {"text": f"<b>{escape(title)}</b>" if title else ""}, "height": height}


def _scale(title: str, bounds, log: bool = False) -> dict:
    axis: dict = {"title": {"text": title}}
    if log:
        axis |= {"type": "log", "exponentformat": "power", "dtick": None}
    if bounds is not None:
        axis["range"] = [float(np.log10(b)) if log else float(b) for b in bounds]
    return axis


def _finite(values) -> list:
    array = np.asarray(values, dtype=float)
    return np.where(np.isfinite(array), array, None).tolist()


def _scatter(one: Series, x, mode: str) -> dict:
    return {
        "type": "scatter",
        "mode": mode,
        "name": escape(one.name),
        "x": _finite(x if one.x is None else one.x),
        "y": _finite(one.y),
        "text": [escape(t) for t in one.text] if one.text else None,
        "textposition": "top center",
        "line": {"color": theme.colour(one.colour), "width": 2.5, "dash": one.dash},
        "marker": {"color": theme.colour(one.colour), "size": one.size, "symbol": one.symbol},
        "hovertemplate": "(%{x:.5g}, %{y:.5g})",
    }


def _band(one: Series, x) -> list[dict]:
    if one.band is None:
        return []
    x = _finite(x if one.x is None else one.x)
    edge = {"type": "scatter", "mode": "lines", "x": x, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    fill = {"fill": "tonexty", "fillcolor": theme.colour(one.colour), "opacity": 0.2}
    return [edge | {"y": _finite(one.band[0])}, edge | {"y": _finite(one.band[1])} | fill]


def _with_marks(data: list[dict], layout: dict, marks, log_x: bool) -> go.Figure:
    spots = [m for m in marks if m.y is not None and np.isfinite(m.x) and np.isfinite(m.y)]
    if spots:
        data = [*data, {
            "type": "scatter", "mode": "markers+text", "name": "today", "x": [float(m.x) for m in spots], "y": [float(m.y) for m in spots],
            "text": [escape(m.text) for m in spots], "textposition": "top right", "textfont": {"color": theme.colour("today"), "size": 14},
            "marker": {"size": 12, "color": [theme.colour(m.colour) for m in spots], "line": {"width": 2, "color": theme.colour("paper")}},
            "hovertemplate": "(%{x:.5g}, %{y:.5g})<extra></extra>", "showlegend": False, "cliponaxis": False,
        }]  # fmt: skip
    uprights = [m for m in marks if m.y is None and np.isfinite(m.x)]
    if uprights:
        layout = layout | {
            "shapes": [{"type": "line", "x0": m.x, "x1": m.x, "y0": 0, "y1": 1, "yref": "y domain",
                        "line": {"color": theme.colour(m.colour), "width": 2, "dash": "dot"}} for m in uprights],
            "annotations": [{"x": float(np.log10(m.x)) if log_x else m.x, "y": 1, "yref": "y domain", "text": escape(m.text), "showarrow": False,
                             "xanchor": "left", "yanchor": "top", "xshift": 4, "font": {"color": theme.colour(m.colour)}}
                            for m in uprights],
        }  # fmt: skip
    return go.Figure(data, layout, _validate=False)
