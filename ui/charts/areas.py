"""Charts that fill an area: level lines with paths over them, areas that add up, a region laid under another chart."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ui.charts import theme
from ui.charts.axes import scale, titled
from ui.charts.figure import Sketch, parts
from ui.charts.parts import Mark, Series, scatter, single, with_marks
from ui.words import literal


def surface_paths(
    x,
    y,
    z,
    paths: list[Series],
    *,
    title: str = "",
    x_title: str = "x",
    y_title: str = "y",
    marks: Sequence[Mark] = (),
    height: int = 460,
    meta: dict | None = None,
) -> go.Figure:
    """Level lines of z (len(y), len(x)) with paths over them. Clicks give the point on the surface."""
    contour = {
        "type": "contour",
        "zorder": -2,  # under the grey paths of before, too
        "x": single(x),
        "y": single(y),
        "z": single(z),
        "name": "surface",
        "colorscale": theme.ramp(theme.SEQUENTIAL[0][:7]),
        "showscale": False,
        "ncontours": 12,
        "line": {"width": 0.6, "color": theme.colour("soft_ink")},
        "hovertemplate": "(%{x:.3g}, %{y:.3g}): %{z:.4g}<extra></extra>",
    }
    data = [contour] + [
        scatter(one, one.x, "lines+markers") | {"marker": {"size": 5, "color": theme.colour(one.colour)}}
        for one in paths
    ]
    layout = titled(title, height, [one.name for one in paths]) | {
        "xaxis": scale(x_title, (float(x[0]), float(x[-1]))),
        "yaxis": scale(y_title, (float(y[0]), float(y[-1]))),
    }
    layout["meta"] |= meta or {}
    return with_marks(data, layout, marks, False)


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
        "type": "treemap",
        "labels": [literal(label) for label in labels],
        "parents": [literal(p) for p in parents],
        "values": values,
        "branchvalues": "total",
        "marker": {"colors": [theme.colour(c) for c in colours], "line": {"color": theme.colour("paper"), "width": 2}},
        "textfont": {"color": [theme.on(c) for c in colours]},
        "texttemplate": "<b>%{label}</b><br>%{value:,}<br>%{percentRoot:.1%}",
        "hovertemplate": "%{label}<br>%{value:,}<extra></extra>",
    }
    layout = titled(title, height) | {"uniformtext": {"minsize": 11, "mode": "hide"}}
    return Sketch([data], layout)


def shade(figure: go.Figure, corners, name: str, colour: str) -> go.Figure:
    """The same figure with the region between `corners` (m, 2) tinted under what is drawn; m = 0 tints nothing."""
    x, y = np.asarray(corners, dtype=float).reshape(-1, 2).T.tolist()
    area = {
        "type": "scatter",
        "mode": "lines",
        "name": literal(name),
        "x": x,
        "y": y,
        "fill": "toself",
        "fillcolor": theme.colour(colour),
        "line": {"width": 0},
        "opacity": 0.16,
        "hoverinfo": "skip",
        "showlegend": False,
    }
    drawn = parts(figure)
    return Sketch([area, *drawn["data"]], drawn["layout"])
