"""Every chart of the labs: pure functions from arrays and labels to a Plotly figure, and `show`, which draws one.

Ranges are given, not guessed, so that scales stand still while a slider moves. Colours are meanings of `theme`.
"""

from ui.charts.areas import shade, surface_paths, treemap
from ui.charts.bar_rows import BarPanel, bar_rows
from ui.charts.hands import Handle
from ui.charts.heatmaps import matrices, matrix
from ui.charts.live import show
from ui.charts.panel import Panel
from ui.charts.parts import Arrow, Mark, Series
from ui.charts.plots import arrows, bars, lines, points
from ui.charts.strips import strips
from ui.charts.tiles import TilePanel, tiles

__all__ = [
    "Arrow",
    "BarPanel",
    "Handle",
    "Mark",
    "Panel",
    "Series",
    "TilePanel",
    "arrows",
    "bar_rows",
    "bars",
    "lines",
    "matrices",
    "matrix",
    "points",
    "shade",
    "show",
    "strips",
    "surface_paths",
    "tiles",
    "treemap",
]
