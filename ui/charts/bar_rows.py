"""Horizontal bars, a named row each, in panels beside each other: one distribution or one budget told several ways."""

from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts import grid, theme
from ui.charts.axes import scale
from ui.charts.figure import Sketch
from ui.charts.parts import finite
from ui.words import literal

HEAD = 52  # px over a panel: its title and a line below that
WIDE = 0.86  # of a row
GAP = 12  # px between two panels
PHONE = 290  # px that a picture has on the narrowest phone


class BarPanel(NamedTuple):
    """One panel. `values` are the bars, `ghost` the paler reference bars behind them, `text` what stands after each.

    A bar longer than `limits` allow gets an arrow. `ends` stands at the right edge of each row; `band` = (low, high)
    shades a stretch of each row, `ticks` are short upright lines and `dots` round ones, such as an expectation and what
    came instead. `rows` names the rows; without it they are those of the panel on the left. `mark` draws an upright
    line through all rows; `note` stands under the title; without `x_title` the axis has no numbers.
    """

    title: str
    limits: tuple[float, float]
    values: Any = None
    colour: str | list[str] = "query"
    text: list[str] | None = None
    note: str = ""
    rows: list[str] | None = None
    ghost: Any = None
    band: tuple[Any, Any] | None = None
    ticks: Any = None
    dots: Any = None
    ends: list[str] | None = None
    dot_colour: str | list[str] = "today"
    mark: float | None = None
    x_title: str = ""


def bar_rows(panels: list[BarPanel], *, row: int = 22, phone: int = 1) -> go.Figure:
    """The panels side by side in one figure, `phone` of them beside each other on a phone; `row` is a row's height, px.

    A click gives the row as "point" and the panel as "curve".
    """
    bars: list[dict] = []
    behind: list[dict] = []
    over: list[dict] = []
    shapes: list[dict] = []
    layout: dict[str, Any] = {}
    names: list[str] = []
    wide, narrow = _place(panels, len(panels), row, 900), _place(panels, phone, row, PHONE)
    for i, panel in enumerate(panels):
        axis, names = grid.axis(i), panel.rows or names
        widths = [(place[f"xaxis{axis}"]["domain"], px) for place, px in ((wide, 900), (narrow, PHONE))]
        full = _full(panel, min((right - left) * px for (left, right), px in widths))
        on = {"xaxis": f"x{axis}", "yaxis": f"y{axis}", "y": list(range(len(names))), "name": literal(panel.title)}
        bars.append(_bars(panel, names, full) | on)
        behind += [trace | on | {"name": f"{on['name']}: grey"} for trace in _behind(panel)]
        over += [on | trace for trace in _over(panel, full)]
        layout[f"xaxis{axis}"] = {
            "range": list(panel.limits),
            "anchor": f"y{axis}",
            "fixedrange": True,
            "nticks": 5,
            "tickangle": 0,
            "showticklabels": bool(panel.x_title),
            **scale(panel.x_title, None),
        }
        layout[f"yaxis{axis}"] = {
            "range": [len(names) - 0.4, -0.6],
            "anchor": f"x{axis}",
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "tickvals": list(range(len(names))),
            "ticktext": [f"{literal(name)} " for name in names],
        }
        if panel.mark is not None and panel.limits[0] <= panel.mark <= panel.limits[1]:
            line = {"color": theme.colour("today"), "width": 2, "dash": "dot"}
            shapes.append(
                {
                    "type": "line",
                    "xref": f"x{axis}",
                    "yref": f"y{axis} domain",
                    "x0": panel.mark,
                    "x1": panel.mark,
                    "y0": 0,
                    "y1": 1,
                    "line": line,
                }
            )
    layout = grid.placed(layout, wide) | {
        "barmode": "overlay",
        "showlegend": False,
        "shapes": shapes,
        "meta": {"narrow": narrow, "below": _below(panels, wide)},
    }
    return Sketch([*bars, *behind, *over], layout)


def _bars(panel: BarPanel, names: list[str], full: list[bool]) -> dict:
    colours = panel.colour if isinstance(panel.colour, list) else [panel.colour] * len(names)
    values = finite(panel.values if panel.values is not None else [0] * len(names))
    thin = 0.5 if panel.ghost is not None else 0.7
    return {
        "type": "bar",
        "orientation": "h",
        "x": values,
        "width": [WIDE if inside else thin for inside in full] or thin,
        "marker": {"color": [theme.colour(colour) for colour in colours]},
        "zorder": 1,
        "text": ["" if inside else literal(words) for words, inside in zip(panel.text or [], full, strict=True)]
        or None,
        "textposition": "outside",
        "constraintext": "none",
        "textfont": {"size": 13},
        "textangle": 0,
        "cliponaxis": False,
        "customdata": [literal(name) for name in names],
        "hovertemplate": "%{customdata}: <b>%{x:.6g}</b><extra></extra>",
    }


def _full(panel: BarPanel, width: float) -> list[bool]:
    """Which bars of a panel that is `width` px wide leave no room for their words behind them, and have it inside."""
    shares = (
        [None if value is None else value / panel.limits[1] for value in finite(panel.values)] if panel.text else []
    )
    needs = [(6 * len(words) + 8) / width for words in panel.text or ()]
    return [
        share is not None and (share > 0.8 or need < share > 1 - need)
        for share, need in zip(shares, needs, strict=True)
    ]


def _behind(panel: BarPanel) -> list[dict]:
    """The reference bars and the band, in pale grey."""
    pale = {
        "type": "bar",
        "orientation": "h",
        "width": WIDE,
        "marker": {"color": theme.colour("masked")},
        "hoverinfo": "skip",
    }
    ghost = [] if panel.ghost is None else [pale | {"x": finite(panel.ghost)}]
    if panel.band is None:
        return ghost
    low, high = panel.band
    return [*ghost, pale | {"base": finite(low), "x": finite([b - a for a, b in zip(low, high, strict=True)])}]


def _over(panel: BarPanel, full: list[bool]) -> list[dict]:
    """Upright ticks, round dots, and the words at the right edge: those of a bar that is too long, too."""
    tick = {"symbol": "line-ns", "size": 13, "line": {"width": 2, "color": theme.colour("ink")}}
    colours = panel.dot_colour if isinstance(panel.dot_colour, list) else [panel.dot_colour]
    dot = {"size": 10, "color": [theme.colour(colour) for colour in colours]}
    drawn = [
        ("line", panel.ticks, tick),
        ("dot", panel.dots, dot | {"line": {"width": 1, "color": theme.colour("paper")}}),
    ]
    right = panel.limits[1]
    fills = panel.colour if isinstance(panel.colour, list) else [panel.colour] * len(full)
    at_edge = [(r, right, literal(words), theme.colour("ink")) for r, words in enumerate(panel.ends or ())]
    at_edge += [
        (
            r,
            min(panel.values[r], right),
            literal((panel.text or [])[r]) + (" →" if panel.values[r] > right else ""),
            theme.on(fills[r]),
        )
        for r, inside in enumerate(full)
        if inside
    ]
    words = {
        "type": "scatter",
        "mode": "text",
        "y": [r for r, *_ in at_edge],
        "x": [float(x) for _, x, *_ in at_edge],
        "text": [text for *_, text, _ in at_edge],
        "textfont": {"size": 13, "color": [ink for *_, ink in at_edge]},
        "textposition": "middle left",
        "hoverinfo": "skip",
        "zorder": 3,
        "name": "",
    }
    return [words] * bool(at_edge) + [
        {
            "type": "scatter",
            "mode": "markers",
            "name": f"{literal(panel.title)}: {what}",
            "x": finite(x),
            "marker": marker,
            "zorder": 2,
            "cliponaxis": False,
            "hovertemplate": "%{x:.6g}<extra></extra>",
        }
        for what, x, marker in drawn
        if x is not None
    ]


def _place(panels: list[BarPanel], per_line: int, row: int, width: int) -> dict:
    """Domains, titles and the figure's height when `per_line` panels of a figure `width` px wide share a line."""
    place: dict[str, Any] = {}
    notes: list[dict] = []
    names: list[str] = []
    top, lines = 0.0, grid.lines(len(panels), per_line)
    all_names = [names := panel.rows or names for panel in panels]
    foot = 44 if any(panel.x_title for panel in panels) else 4
    heights = [HEAD + row * max(len(all_names[i]) for i in line) + foot for line in lines]
    inner = sum(heights) - HEAD - 4
    for line, height in zip(lines, heights, strict=True):
        named = [i == line[0] or panels[i].rows is not None for i in line]
        rooms = [
            (12 + 7.5 * max(map(len, all_names[i]))) / width if name else 0.0
            for i, name in zip(line, named, strict=True)
        ]
        each = (1 - sum(rooms) - GAP / width * (per_line - 1)) / per_line
        left = 0.0
        for i, name, room in zip(line, named, rooms, strict=True):
            axis = grid.axis(i)
            left += room
            bottom = 1 - (top + row * len(all_names[i])) / inner
            place[f"xaxis{axis}"] = {"domain": [left, min(1.0, left + each)]}
            place[f"yaxis{axis}"] = {
                "domain": [max(0.0, bottom), 1 - top / inner],
                "showticklabels": name,
                "automargin": False,
            }
            notes.append(_title(panels[i], left, 1 - top / inner))
            left += each + GAP / width
        top += height
    margin = {"l": 0, "r": 4, "t": HEAD, "b": 4}
    return place | {"height": sum(heights), "margin": margin, "annotations": notes}


def _below(panels: list[BarPanel], place: dict[str, Any]) -> int:
    """The width, px, under which titles, notes or the rows' names would run into the panel beside them."""
    needs: list[float] = []
    starts, ends = zip(*(place[f"xaxis{grid.axis(i)}"]["domain"] for i in range(len(panels))), strict=True)
    for panel, left, after, before in zip(panels, starts, [*starts[1:], 1.0], [0.0, *ends[:-1]], strict=True):
        needs.append(max(8 * len(panel.title), 6 * len(panel.note)) / (after - left))
        if panel.rows:
            needs.append((4 + 7 * max(map(len, panel.rows))) / (left - before))
    return grid.below(max(needs))


def _title(panel: BarPanel, x: float, y: float) -> dict[str, Any]:
    style = f"color:{theme.colour('soft_ink')};font-size:12px"
    note = f'<br><span style="{style}">{literal(panel.note)}</span>' if panel.note else ""
    return grid.title(f"<b>{literal(panel.title)}</b>{note}", x, y, align="left")
