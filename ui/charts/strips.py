"""Number lines under one another: each row of numbers as points on a line of its own, with its mean and its spread."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ui.charts import theme
from ui.charts.axes import scale, titled
from ui.charts.figure import Sketch
from ui.charts.parts import finite
from ui.words import literal, number


def strips(
    names: list[str],
    values,
    *,
    means,
    variances,
    columns: list[str],
    x_range,
    notes: Sequence[str] = (),
    colours: Sequence[str] = (),
    chosen: int | None = None,
    joined: bool = False,
    title: str = "",
    height: int = 340,
) -> go.Figure:
    """The rows of values (n, d), a line each, under the n names; a grey bar reaches one deviation (the root of
    the variance) to each side of the mean.

    `chosen` is the column in today's colour, with its numbers; `joined` connects each column down the lines (the stages
    of one row); `notes` stand at the right of each line. A click on a point has the column as its "point".
    """
    values, means, spreads = np.asarray(values, dtype=float), np.ravel(means), np.sqrt(np.ravel(variances))
    n, d = values.shape
    data = [_path(values, c, "today" if c == chosen else "line") for c in range(d)] if joined else []
    for r, row in enumerate(values):
        colour = colours[r] if colours else "ink"
        inks = [theme.colour("today" if c == chosen else colour) for c in range(d)]
        data.append(
            {
                "type": "scatter",
                "mode": "markers+text",
                "name": literal(names[r]),
                "x": finite(row),
                "y": [r] * d,
                "text": [f"<b>{number(v)}</b>" if c == chosen else "" for c, v in enumerate(row)],
                "textposition": "top center",
                "textfont": {"color": theme.colour("today"), "size": 13},
                "customdata": [literal(c) for c in columns],
                "marker": {"color": inks, "size": [15 if c == chosen else 11 for c in range(d)], "opacity": 0.9},
                "hovertemplate": "%{customdata}: <b>%{x:.6g}</b>",
            }
        )
    bars = [
        {
            "type": "rect",
            "x0": float(m - s),
            "x1": float(m + s),
            "y0": r - 0.13,
            "y1": r + 0.13,
            "layer": "below",
            "fillcolor": theme.colour("masked"),
            "line": {"width": 0},
        }
        for r, (m, s) in enumerate(zip(means, spreads, strict=True))
        if np.isfinite(m + s)
    ]
    ticks = [
        {
            "type": "line",
            "x0": float(m),
            "x1": float(m),
            "y0": r - 0.2,
            "y1": r + 0.2,
            "layer": "below",
            "line": {"color": theme.colour("soft_ink"), "width": 2},
        }
        for r, m in enumerate(means)
        if np.isfinite(m)
    ]
    words = [
        {
            "x": 1,
            "xref": "paper",
            "xanchor": "right",
            "y": r,
            "yshift": -25,
            "text": literal(note),
            "showarrow": False,
            "font": {"size": 13, "color": theme.colour("soft_ink")},
            "bgcolor": theme.colour("paper"),
            "borderpad": 1,
        }
        for r, note in enumerate(notes)
    ]
    layout = titled(title, height) | {
        "xaxis": scale("", x_range) | {"zeroline": True, "fixedrange": True},
        "yaxis": {
            "tickvals": list(range(n)),
            "ticktext": [f"<b>{literal(name)}</b>" for name in names],
            "fixedrange": True,
            "range": [n - 0.42, -0.7],
            "showgrid": False,
            "zeroline": False,
        },
        "shapes": bars + ticks,
        "annotations": words,
    }
    layout["meta"]["least"] = height  # its words need the room between two lines
    return Sketch(data, layout)


def _path(values: np.ndarray, column: int, colour: str) -> dict:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": finite(values[:, column]),
        "y": list(range(len(values))),
        "line": {"color": theme.colour(colour), "width": 1.5},
        "hoverinfo": "skip",
    }
