"""Home's first picture: words in, attention drawn between them, the next word out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui.charts import grid, theme
from ui.charts.figure import Sketch
from ui.words import literal

MOST = 6  # bars
_HALF, _TALL = 0.43, 0.42  # of a word's box: half its width, half its height
_WIDEST = 15  # px of a line that carries the weight 1
_HEADS = ("head_0", "head_2")  # above the words, below them


def passing(words: Sequence[str], n_read: int, heads: Any, best: Sequence[tuple[str, float]]) -> go.Figure:
    """A sentence of which `n_read` words are read, the attention of each, and the likeliest next words.

    heads: (2, n_read, n_read) weights, one head above the words and one below; best: (word, probability), the
    likeliest first. A line is as wide as its weight: those of the last word read in full, of those before it paler.
    """
    heads, last = np.asarray(heads), n_read - 1
    wide = _layout(words, heads, last, best[0][0], x=[0, 0.65], y=[0, 1], bars=([0.755, 1], [0.06, 0.9]), size=19)
    slim = _layout(words, heads, last, best[0][0], x=[0, 1], y=[0.4, 1], bars=([0.16, 1], [0, 0.31]), size=14)
    layout = wide | {"height": 330, "margin": {"l": 0, "r": 4, "t": 4, "b": 4}, "showlegend": False, "bargap": 0.28}
    layout["meta"] = {"narrow": grid.changes(wide, slim) | {"height": 430}}
    told = [
        f"{literal(word)}<br>" + "<br>".join(f"head {h}: {weights[last, j]:.3f}" for h, weights in enumerate(heads))
        for j, word in enumerate(words[:n_read])
    ]
    feet = {
        "type": "scatter",
        "mode": "markers",
        "name": "Words read",
        "x": [*range(n_read)],
        "y": [0] * n_read,
        "marker": {"size": 60, "opacity": 0},
        "customdata": told,
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    shares = [share for _, share in best[:MOST]]
    out = {
        "type": "bar",
        "orientation": "h",
        "name": "Next word",
        "x": shares,
        "y": [*range(len(shares))],
        "text": [f"{share:.3f}" for share in shares],
        "textposition": "outside",
        "textfont": {"size": 14},
        "cliponaxis": False,
        "marker": {"color": [theme.colour("today"), *[theme.colour("query")] * (len(shares) - 1)]},
        "hovertemplate": "%{x:.5f}<extra></extra>",
        "xaxis": "x2",
        "yaxis": "y2",
    }
    names = [f"<b>{literal(word)}</b>" if i == 0 else literal(word) for i, (word, _) in enumerate(best[:MOST])]
    layout["yaxis2"] |= {"tickvals": [*range(len(names))], "ticktext": names}
    return Sketch([feet, out], layout)


def _layout(words: Sequence[str], heads: np.ndarray, last: int, next_word: str, **place: Any) -> dict[str, Any]:
    """Boxes, lines and words where there is room for them: all that a phone has elsewhere or in another size."""
    size, (bars_x, bars_y) = place["size"], place["bars"]
    shapes, notes = [], []
    for now in [*range(last), last]:
        for h, weights in enumerate(heads):
            shapes += [_line(now, seen, float(weights[now, seen]), h, now == last) for seen in range(now + 1)]
    for j in range(min(last + 2, len(words))):
        is_next = j > last
        shapes.append(_box(j, "today" if j >= last else "line", "dash" if is_next else "solid", 2 if j >= last else 1))
    for j, word in enumerate(words):
        text = next_word if j == last + 1 else word
        ink = "today" if j == last + 1 else "ink" if j <= last else "ghost"
        notes.append(_note(j, 0, f"<b>{literal(text)}</b>" if j in (last, last + 1) else literal(text), size, ink))
        if j <= last:
            weights = [float(one[last, j]) for one in heads]
            sides = zip(weights, (0.27, -0.27), _HEADS, strict=True)
            notes += [_note(j, y, f"{w:.2f}", max(size - 5, 11), colour) for w, y, colour in sides]
    over = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top"}
    soft = max(size - 4, 13)
    top, bottom = place["y"][1], place["y"][0]
    head = lambda h: f'<span style="color:{theme.ink(_HEADS[h])}"><b>head {h}</b></span>'
    notes += [
        _note(0, top, f"<b>Words in</b>, and where the last one looks: {head(0)}", soft, "ink") | over,
        _note(0, bottom, head(1), soft, "ink") | over | {"yanchor": "bottom"},
        _note(bars_x[0], bars_y[1], "<b>Next word out</b>", soft, "ink") | over | {"yanchor": "bottom", "xshift": -42},
    ]
    hidden = {"visible": False, "fixedrange": True}
    return {
        "shapes": shapes,
        "annotations": notes,
        "xaxis": {"domain": place["x"], "range": [-0.55, len(words) - 0.45], **hidden},
        "yaxis": {"domain": place["y"], "range": [-1.75, 1.75], **hidden},
        "xaxis2": {"domain": bars_x, "range": [0, 1.2], "anchor": "y2", **hidden},
        "yaxis2": {
            "domain": bars_y,
            "range": [MOST - 0.5, -0.5],
            "anchor": "x2",
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "ticks": "outside",
            "ticklen": 5,
            "tickcolor": theme.colour("paper"),
            "tickfont": {"size": max(size - 3, 13)},
            "automargin": False,
        },
    }


def _line(now: int, seen: int, weight: float, head: int, is_last: bool) -> dict[str, Any]:
    """From a word to one that it looks at, itself too: above or below the boxes, as wide as the weight."""
    side, far = (-1 if head else 1), now - seen
    foot, swing = side * _TALL, side * (_TALL + 0.5 + 0.19 * far)
    bend = 0.0 if far else 0.42
    corners = f"M{now},{foot}C{now + bend},{swing} {seen - bend},{swing} {seen},{foot}"
    line = {"color": theme.colour(_HEADS[head]), "width": round(_WIDEST * weight, 2)}
    return {"type": "path", "path": corners, "line": line, "opacity": 0.9 if is_last else 0.13, "layer": "below"}


def _box(j: int, colour: str, dash: str, width: int) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": j - _HALF,
        "x1": j + _HALF,
        "y0": -_TALL,
        "y1": _TALL,
        "fillcolor": theme.colour("paper" if dash == "dash" else "panel"),
        "line": {"color": theme.colour(colour), "width": width, "dash": dash},
        "layer": "below",
    }


def _note(x: float, y: float, text: str, size: int, colour: str) -> dict[str, Any]:
    font = {"size": size, "color": theme.ink(colour)}
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": font}
