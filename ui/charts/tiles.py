"""Tokens as tiles: each row of text cut into its tokens, a tile as wide as the token has characters."""

import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts import grid, theme
from ui.charts.figure import Sketch
from ui.words import literal

HEAD = 34  # px over a panel: its title


class TilePanel(NamedTuple):
    """One text cut one way. `rows` are the tokens of each line, `names` what stands before it.

    `colours` gives tokens a meaning of `theme`, the others are grey. `mark` is what continuations start with, such as
    "##": it is shown and takes no room. `chosen` is a token that gets an outline.
    """

    title: str
    rows: Sequence[Sequence[str]]
    names: Sequence[str]
    colours: dict[str, str]
    mark: str = ""
    chosen: str | None = None


def tiles(panels: list[TilePanel], *, columns: int, lines: int, row: int = 27) -> go.Figure:
    """The panels beside each other, under each other on a phone, each with room for `lines` of `columns` characters."""
    lines = max(lines, 3)
    data: list[dict] = []
    layout: dict[str, Any] = {"barmode": "overlay", "showlegend": False}
    for i, panel in enumerate(panels):
        axis = grid.axis(i)
        data.append(_bars(panel, columns, axis))
        layout[f"xaxis{axis}"] = {"range": [0, columns], "visible": False, "fixedrange": True, "anchor": f"y{axis}"}
        layout[f"yaxis{axis}"] = {
            "range": [lines - 0.45, -0.55],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "ticks": "",
            "anchor": f"x{axis}",
            "tickvals": list(range(len(panel.names))),
            "ticktext": [literal(name) for name in panel.names],
        }
    layout = grid.placed(layout, _place(panels, len(panels), lines * row))
    below = grid.below((6 + 7 * _longest(panels)) / _gap(panels) if len(panels) > 1 else 0)
    return Sketch(data, layout | {"meta": {"narrow": _place(panels, 1, lines * row), "below": below}})


def visible(token: str, mark: str = "") -> str:
    r"""A token one can see: a lone accent on a dotted circle, an invisible character at an edge as its number.

    >>> visible("##\u0301", "##"), visible("\u200d"), visible("##\U0001f3fd", "##"), visible("hug")
    ('##◌́', 'U+200D', '##U+1F3FD', 'hug')
    """
    head = mark if mark and token.startswith(mark) else ""
    text = token[len(head) :]
    if text and unicodedata.category(text[0]).startswith("M"):
        text = "◌" + text
    if head and "\U0001f3fb" <= text[:1] <= "\U0001f3ff":  # browsers have no glyph for a skin colour after letters
        text = f"U+{ord(text[0]):04X}{text[1:]}"
    inner = range(1, len(text) - 1)
    return head + "".join(c if c.isprintable() or i in inner else f"U+{ord(c):04X}" for i, c in enumerate(text))


def _bars(panel: TilePanel, columns: int, axis: str) -> dict:
    flat = [
        (r, at, width, token)
        for r, row in enumerate(panel.rows)
        for at, width, token in _spans(row, panel.mark, columns)
    ]
    chosen = [token == panel.chosen for _, _, _, token in flat]
    return {
        "type": "bar",
        "orientation": "h",
        "name": literal(panel.title),
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "y": [r for r, _, _, _ in flat],
        "base": [at for _, at, _, _ in flat],
        "x": [width for _, _, width, _ in flat],
        "text": [literal(visible(token, panel.mark)) for _, _, _, token in flat],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "width": 0.92,
        "textangle": 0,
        "textfont": {"size": 14, "color": theme.colour("ink")},
        "hovertemplate": "<b>%{text}</b><extra></extra>",
        "marker": {
            "color": [theme.colour(panel.colours.get(token, "masked")) for _, _, _, token in flat],
            "line": {
                "color": [theme.colour("today" if one else "paper") for one in chosen],
                "width": [3 if one else 2 for one in chosen],
            },
        },
    }


def _spans(row: Sequence[str], mark: str, columns: int):
    at = 0
    for token in row:
        width = min(len(token) - (len(mark) if at and token.startswith(mark) else 0), columns - at)
        yield at, width, token
        at += width


def _longest(panels: list[TilePanel]) -> int:
    """The letters of the longest name before a line."""
    return max(len(name) for panel in panels for name in panel.names)


def _gap(panels: list[TilePanel]) -> float:
    """What of the width stands between two panels: the names of the one on the right."""
    return (26 + 8 * _longest(panels)) / 900


def _place(panels: list[TilePanel], per_row: int, height: int) -> dict:
    n_rows = -(-len(panels) // per_row)
    whole = n_rows * (HEAD + height)
    names = 16 + 8 * _longest(panels)
    gap = _gap(panels) if per_row > 1 else 0
    width = (1 - gap * (per_row - 1)) / per_row
    place: dict = {"height": whole + 8, "margin": {"l": names, "r": 8, "t": HEAD, "b": 8}, "annotations": []}
    for i, panel in enumerate(panels):
        left, top = (i % per_row) * (width + gap), 1 - (i // per_row) * (HEAD + height) / (whole - HEAD)
        axis = grid.axis(i)
        place[f"xaxis{axis}"] = {"domain": [left, min(1, left + width)]}
        place[f"yaxis{axis}"] = {"domain": [max(0, top - height / (whole - HEAD)), top]}
        place["annotations"].append(grid.title(f"<b>{literal(panel.title)}</b>", left, top, yshift=6))
    return place
