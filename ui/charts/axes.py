"""Title, legend and axes of a chart."""

from collections.abc import Sequence

import numpy as np

from ui.charts import grid
from ui.words import literal


def titled(title: str, height: int, names: Sequence[str] = ()) -> dict:
    """Title, height and the legend's names; where it has no room beside the title it has lines of its own under it."""
    legend = bool(names)
    narrow = {"legend": {"x": 0, "xanchor": "left"}, "margin": {"t": 84}, "height": height + 44} if legend else {}
    beside = 8 * len(title) + sum(48 + 7 * len(name) for name in names)
    below = {"below": grid.below(beside)} if legend else {}
    words = {"text": f"<b>{literal(title)}</b>"} if title else {}
    return {"title": words, "height": height, "showlegend": legend, "meta": {"narrow": narrow} | below}


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
