"""A transformer block drawn as boxes and arrows, with shapes on the arrows: across on a screen, down on a phone."""

from typing import NamedTuple

import plotly.graph_objects as go

from ui.charts import theme
from ui.charts.figure import Sketch
from ui.charts.grid import changes

_ACROSS, _DOWN = (1.3, 0.3), (1.1, 0.5)  # a box's length and the arrow after it
_LIFT = 0.9  # how far a residual path swings out


class Box(NamedTuple):
    """One station: its words, what the arrow leaving it carries, and its colour's meaning."""

    label: str
    carries: str = ""
    colour: str = "weight"


def flow(
    boxes: list[Box],
    residuals: list[tuple[int, int]],
    *,
    chosen: int | None = None,
    frame: tuple[int, int, str] | None = None,
    height: int = 200,
) -> go.Figure:
    """Boxes in a row joined by arrows; each residual (i, j) leaves before box i and is added again after box j.

    `frame` = (i, j, words) goes round boxes i to j.
    """
    wide, narrow = (_layout(boxes, residuals, chosen, frame, down) for down in (False, True))
    layout = wide | {"height": height, "margin": {"l": 4, "r": 4, "t": 4, "b": 4}, "showlegend": False}
    layout["meta"] = {"narrow": changes(layout, narrow | {"height": 86 * len(boxes)}), "below": 720}
    return Sketch([{"type": "scatter", "x": [], "y": [], "name": "", "hoverinfo": "skip"}], layout)


def _layout(boxes: list[Box], residuals, chosen: int | None, frame, down: bool) -> dict:
    size, gap = _DOWN if down else _ACROSS
    step = size + gap
    length, half = step * len(boxes) - gap * 0.3, 0.42
    place = lambda along, across: (across, length - along) if down else (along, across)
    shapes, words = [], []
    for i, box in enumerate(boxes):
        start, end = i * step, i * step + size
        (x0, y0), (x1, y1) = place(start, -half), place(end, half)
        line = {"color": theme.colour("today" if i == chosen else box.colour), "width": 4 if i == chosen else 2}
        shapes.append(
            {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line, "fillcolor": theme.colour("panel")}
        )
        x, y = place(start + size / 2, 0)
        words.append(_word(x, y, box.label.replace("-<br>", "").replace("_<br>", "_") if down else box.label, 12))
        if i < len(boxes) - 1:
            (tail_x, tail_y), (x, y) = place(end, 0), place(end + gap, 0)
            words.append(
                _word(x, y, "", 1)
                | {
                    "ax": tail_x,
                    "ay": tail_y,
                    "axref": "x",
                    "ayref": "y",
                    "showarrow": True,
                    "arrowhead": 2,
                    "arrowwidth": 2,
                    "arrowcolor": theme.colour("soft_ink"),
                }
            )
        x, y = place(end + gap / 2, -0.3 if down else -0.51)
        words.append(_word(x, y, box.carries, 12, "soft_ink") | {"bgcolor": theme.colour("paper"), "borderpad": 0})
    if frame:
        first, last, text = frame
        (x0, y0), (x1, y1) = place(first * step - gap / 2, -0.59), place(last * step + size + gap / 2, 1.3)
        line = {"color": theme.colour("ghost"), "width": 1}
        shapes.append({"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line})
        x, y = place(first * step - (0.1 if down else 0.2), 1.27 if down else 1.16)
        words.append(_word(x, y, text, 12, "soft_ink") | {"xanchor": "right" if down else "left"})
    for first, last in residuals:
        start, end = first * step - gap * 0.3, last * step + size + gap * 0.4
        corners = [place(start, 0), place(start, _LIFT), place(end, _LIFT), place(end, 0)]
        shapes.append(
            {
                "type": "path",
                "path": "M" + "L".join(f"{x},{y}" for x, y in corners),
                "line": {"color": theme.colour("ghost"), "width": 2, "dash": "dot"},
            }
        )
        x, y = place((start + end) / 2, _LIFT * 1.18 if not down else _LIFT)
        words.append(_word(x, y, "residual" if not down else "", 12, "soft_ink"))
        words.append(_word(*place(end, 0), "⊕", 18, "soft_ink"))
    along, across = {"range": [-0.2, length + 0.1]}, {"range": [-0.62, 1.36]}
    hidden = {"visible": False, "fixedrange": True}
    return {
        "shapes": shapes,
        "annotations": words,
        "xaxis": (across if down else along) | hidden,
        "yaxis": (along if down else across) | hidden,
    }


def _word(x: float, y: float, text: str, size: int, colour: str = "ink") -> dict:
    return {
        "x": x,
        "y": y,
        "text": text,
        "showarrow": False,
        "font": {"size": size, "color": theme.colour(colour)},
        "xref": "x",
        "yref": "y",
    }
