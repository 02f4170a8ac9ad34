"""Title, legend and axes of a chart."""

import numpy as np

from ui.words import literal


def titled(title: str, height: int, legend: bool = False) -> dict:
    """Title, height and legend; a phone puts the legend on lines of its own under the title."""
    narrow = {"legend": {"x": 0, "xanchor": "left"}, "margin": {"t": 84}, "height": height + 44} if legend else {}
    words = {"text": f"<b>{literal(title)}</b>"} if title else {}
    return {"title": words, "height": height, "showlegend": legend, "meta": {"narrow": narrow}}


def scale(title: str, bounds, log: bool = False, ticks: dict[float, str] | None = None) -> dict:
    """An axis; bounds and ticks (where: words) are in the data's own units, on log axes too."""
    axis: dict = {"title": {"text": literal(title)}} if title else {}
    if log:
        axis |= {"type": "log", "exponentformat": "power", "dtick": None}
    if ticks:
        axis |= {"tickvals": list(ticks), "ticktext": list(map(literal, ticks.values()))}
    if bounds is not None:
        axis["range"] = [float(np.log10(b)) if log else float(b) for b in bounds]
    return axis
