"""Tinted regions of the plane, laid under a chart that is already drawn."""

from html import escape

import numpy as np
import plotly.graph_objects as go

from ui import theme
from ui.sketch import Sketch, parts


def shade(figure: go.Figure, corners, name: str, colour: str) -> go.Figure:
    """The same figure with the region between `corners` (m, 2) tinted under its points and lines; m = 0 tints nothing."""
    x, y = np.asarray(corners, dtype=float).reshape(-1, 2).T.tolist()
    area = {
        "type": "scatter",
        "mode": "lines",
        "name": escape(name),
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
