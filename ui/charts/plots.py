"""Charts with two axes: lines, points, bars, arrows."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ui.charts import theme
from ui.charts.axes import scale, titled
from ui.charts.figure import Sketch
from ui.charts.parts import Arrow, Mark, Series, band, fall, finite, scatter, with_marks
from ui.words import literal, number


def lines(
    x,
    series: list[Series],
    *,
    title: str = "",
    x_title: str = "",
    y_title: str = "",
    x_range=None,
    y_range=None,
    log_x: bool = False,
    log_y: bool = False,
    marks: Sequence[Mark] = (),
    height: int = 320,
    mode: str = "lines",
    x_ticks: dict[float, str] | None = None,
    y_ticks: dict[float, str] | None = None,
    x_step: float | None = None,
    meta: dict | None = None,
) -> go.Figure:
    """Lines over one x axis; `meta` may hold a player.

    Ranges and ticks (where: words) are in the data's own units, on log axes too; `x_step` is how far apart they stand.
    """
    drawn = map(fall, series) if log_y else series
    data = [trace for one in drawn for trace in band(one, x) + [scatter(one, x, mode)]]
    layout = titled(title, height, [one.name for one in series] if len(series) > 1 else ()) | {
        "xaxis": scale(x_title, x_range, log_x, x_ticks),
        "yaxis": scale(y_title, y_range, log_y, y_ticks),
    }
    layout["meta"] |= meta or {}
    if x_step is not None:
        layout["xaxis"]["dtick"] = x_step
    return with_marks(data, layout, marks, log_x)


def points(
    groups: list[Series],
    *,
    title: str = "",
    x_title: str = "",
    y_title: str = "",
    x_range,
    y_range,
    paths: Sequence[Series] = (),
    marks: Sequence[Mark] = (),
    height: int = 380,
    equal: bool = False,
) -> go.Figure:
    """Clouds of points, with lines through them where `paths` has some; `equal` gives both axes the same unit."""
    data = [scatter(one, one.x, "lines") for one in paths] + [
        scatter(one, one.x, "markers+text" if one.text else "markers") for one in groups
    ]
    y_axis = scale(y_title, y_range) | ({"scaleanchor": "x", "constrain": "domain"} if equal else {})
    x_axis = scale(x_title, x_range) | ({"constrain": "domain"} if equal else {})
    layout = titled(title, height, [one.name for one in (*paths, *groups)] if len(data) > 1 else ()) | {
        "xaxis": x_axis,
        "yaxis": y_axis,
    }
    return with_marks(data, layout, marks, False)


def bars(
    labels: list[str],
    series: list[Series],
    *,
    title: str = "",
    x_title: str = "",
    y_title: str = "",
    y_range,
    height: int = 300,
    digits: int = 3,
    numbers: bool = True,
    marks: Sequence[Mark] = (),
    stacked: bool = False,
) -> go.Figure:
    """Grouped bars, numbers on top where they can be read; a series in "ghost" is the state to compare with."""
    told = lambda v: number(0.0 if abs(v) < 0.5 * 10.0**-digits else v, digits)
    data = [
        {
            "type": "bar",
            "name": literal(one.name),
            "x": list(range(len(labels))),
            "y": finite(one.y),
            "marker": {
                "color": [theme.colour(c) for c in one.colour]
                if isinstance(one.colour, list)
                else theme.colour(one.colour)
            },
            "text": [*map(literal, one.text or ())] or ([told(v) for v in np.ravel(one.y)] if numbers else None),
            "textposition": "outside" if not stacked else "inside",
            "textfont": {"size": 13},
            "cliponaxis": False,
            "textangle": 0,
            "hovertemplate": "%{customdata}: <b>%{y:.6g}</b>",
            "customdata": [literal(label) for label in labels],
        }
        for one in series
    ]
    layout = titled(title, height, [one.name for one in series] if len(series) > 1 else ()) | {
        "xaxis": {
            "tickvals": list(range(len(labels))),
            "ticktext": [literal(label) for label in labels],
            "range": [-0.6, len(labels) - 0.4],
            **scale(x_title, None),
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        "yaxis": scale(y_title, y_range) | {"fixedrange": True, "zeroline": True},
        "barmode": "stack" if stacked else "group",
        "bargap": 0.25,
        "uniformtext": {"minsize": 10, "mode": "hide"},
    }
    return with_marks(data, layout, marks, False)


def arrows(
    drawn: list[Arrow],
    *,
    limit: float,
    title: str = "",
    x_title: str = "",
    y_title: str = "",
    height: int = 400,
    paths: Sequence[Series] = (),
) -> go.Figure:
    """Vectors in the plane, both axes from −limit to limit with the same unit."""
    tips = [
        {
            "x": a.x,
            "y": a.y,
            "ax": a.x0,
            "ay": a.y0,
            "xref": "x",
            "yref": "y",
            "axref": "x",
            "ayref": "y",
            "arrowhead": 2,
            "arrowsize": 1.1,
            "arrowwidth": 3,
            "arrowcolor": theme.colour(a.colour),
            "text": "",
        }
        for a in drawn
        if a.head and (a.x, a.y) != (a.x0, a.y0)
    ]
    names = [
        {
            "x": a.x,
            "y": a.y,
            "xref": "x",
            "yref": "y",
            "text": f"<b>{literal(a.name)}</b>",
            "showarrow": False,
            "xshift": 14 if a.x >= a.x0 and (a.x, a.y) != (a.x0, a.y0) else -14,
            "yshift": 12 if a.y >= a.y0 else -12,
            "font": {"color": theme.ink(a.colour), "size": 16},
        }
        for a in drawn
        if a.name
    ]
    guides = [
        scatter(Series(a.name or "guide", [a.y0, a.y], a.colour, [a.x0, a.x], a.dash), None, "lines")
        | {"showlegend": False}
        for a in drawn
        if not a.head
    ]
    axis = {"range": [-limit, limit], "constrain": "domain", "zeroline": True}
    layout = titled(title, height) | {
        "xaxis": axis | scale(x_title, None),
        "yaxis": axis | scale(y_title, None) | {"scaleanchor": "x"},
        "annotations": tips + names,
    }
    data = guides + [scatter(one, one.x, "lines") for one in paths]
    return Sketch(data or [{"type": "scatter", "x": [0], "y": [0], "mode": "markers", "marker": {"size": 1}}], layout)
