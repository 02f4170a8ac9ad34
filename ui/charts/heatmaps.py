"""Matrices as in a textbook: brackets, row and column names, numbers in the cells, one shared colour scale."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui.charts import grid, theme
from ui.charts.figure import Sketch
from ui.charts.links import Link
from ui.charts.panel import Panel, called
from ui.charts.parts import single
from ui.words import literal, number

NUMBERS_UP_TO = 12  # rows and columns; larger matrices are colour only
SHORT_NUMBERS_UP_TO = 16  # columns of at most two decimals, where the screen is wide; live.js leaves them out elsewhere
HEAD = 58  # px over a matrix: its title and the column names
GAP = 22  # px between two matrices, beside the row names


def matrix(values, title: str, *, per_row: int = 1, cell: int = 40, **panel) -> go.Figure:
    """One heatmap; the keywords are those of `Panel`."""
    return matrices([Panel(values, title, **panel)], per_row=per_row, cell=cell)


def matrices(
    panels: list[Panel],
    *,
    per_row: int = 4,
    cell: int = 40,
    under: Sequence[Panel] = (),
    room: int = 0,
    links: Sequence[Link] = (),
) -> go.Figure:
    """Several heatmaps in one figure, `per_row` on a line (one or two on a phone); `cell` is a row's height, px.

    `under` has one more for each, which stands under it and is counted after all of them. `links` say where the
    numbers come from, also from matrices of other figures.
    """
    first = len(panels)
    panels = [panel._replace(values=np.asarray(panel.values, dtype=float)) for panel in (*panels, *under)]
    data: list[dict] = []
    shapes: list[dict] = []
    layout: dict[str, Any] = {}
    scales: dict[tuple[str, float], str] = {}
    for i, panel in enumerate(panels):
        axis = grid.axis(i)
        scale = scales.setdefault((panel.kind, panel.limit), f"coloraxis{len(scales) + 1 if scales else ''}")
        n_rows, n_columns = panel.values.shape
        masked = np.zeros((n_rows, n_columns), bool) if panel.masked is None else np.asarray(panel.masked, bool)
        data += _traces(panel, masked, axis, scale)
        shapes += _shapes(panel, masked, n_rows, n_columns, axis)
        names = panel.columns or [str(c) for c in range(n_columns)]
        layout[f"xaxis{axis}"] = _axis(names, n_columns, panel.bands) | {"side": "top", "anchor": f"y{axis}"}
        layout[f"yaxis{axis}"] = _axis(panel.rows or [str(r) for r in range(n_rows)], n_rows, panel.row_bands) | {
            "range": [n_rows - 0.46, -0.54],
            "anchor": f"x{axis}",
            "ticklabelstandoff": 4,  # clear of the bracket
        }
    columns = ((per_row, 900), (_phone_columns(panels), 330))
    wide, narrow = (
        _place(panels, _lines(first, beside, bool(under)), beside, cell, width, room) for beside, width in columns
    )
    layout = grid.placed(layout, wide)
    bar = max(np.shape(panels[0].values)) > NUMBERS_UP_TO and len(panels[0].values) > 4
    numbered = {trace["coloraxis"] for trace in data if "texttemplate" in trace}
    for (kind, limit), name in scales.items():
        layout[name] = _scale(kind, limit, name in numbered) | {"showscale": bar and name == "coloraxis"}
    meta = {"narrow": grid.changes(wide, narrow), "matrices": [called(panel) for panel in panels]}
    meta["below"] = _below(panels, [trace for trace in data if trace["type"] == "heatmap"], wide)
    meta |= {"links": [link.told() for link in links]} if links else {}
    return Sketch(data, layout | {"shapes": shapes, "meta": meta})


def _phone_columns(panels: list[Panel]) -> int:
    """Two on a phone's line only where each keeps room for its numbers, its names and its title."""
    cell = lambda p: max(40, 8 * max(map(len, p.columns or ["0"])))
    needs = [max(_names_width(p) + np.shape(p.values)[1] * cell(p), _title_width(p)) for p in panels]
    return 2 if len(panels) > 1 and max(needs) <= 165 else 1


def _scale(kind: str, limit: float, numbers: bool) -> dict:
    """One colour scale, shared by all matrices of the figure that have its kind and limit."""
    signed = kind == "signed"
    return {
        "cmin": -limit if signed else 0,
        "cmax": limit,
        "colorscale": theme.cells(signed=signed, numbers=numbers),
        "colorbar": {"thickness": 10, "outlinewidth": 0, "len": 0.8},
    }


def _traces(panel: Panel, masked, axis: str, scale: str) -> list[dict]:
    values = panel.values
    n_rows, n_columns = values.shape
    most = SHORT_NUMBERS_UP_TO if panel.digits <= 2 else NUMBERS_UP_TO
    show_numbers = n_rows <= NUMBERS_UP_TO and n_columns <= most
    size = 13 if n_columns <= 6 else 11 if n_columns <= 10 else 10
    missing = masked | ~np.isfinite(values)
    gaps = np.argwhere(missing).tolist() if missing.any() else []
    z: Any = values.tolist() if show_numbers else single(values)
    if gaps:
        z = np.where(missing, np.array(None), values).tolist()
    heat = {
        "type": "heatmap",
        "z": z,
        "coloraxis": scale,
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "xgap": 1.5 if show_numbers else 0,
        "ygap": 1.5 if show_numbers else 0,
    }
    if show_numbers:
        heat |= {
            "text": [[literal(word) for word in row] for row in panel.words or ()]
            or [["" if v is None else _in_cell(v, panel.digits) for v in row] for row in z],
            "texttemplate": "%{text}",
            "textfont": {"size": size},
        }
    if not (gaps and show_numbers):
        return [heat]
    label = {
        "type": "scatter",
        "mode": "text",
        "x": [c for _, c in gaps],
        "y": [r for r, _ in gaps],
        "text": [
            panel.gone if masked[r, c] else "" if np.isnan(values[r, c]) else number(values[r, c]) for r, c in gaps
        ],
        "textfont": {"size": size + 2, "color": theme.colour("soft_ink")},
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "hoverinfo": "skip",
        "showlegend": False,
    }
    return [heat, label]


def _in_cell(value: float, digits: int) -> str:
    """Fixed decimals, so that a column lines up, fewer where five digits are used up; huge numbers in powers of ten."""
    size = abs(value)
    if size < 0.5 * 10.0**-digits:
        return number(0.0, digits)
    whole = 1 if size < 9.5 else len(f"{size:.0f}")
    return number(value, min(digits, 5 - whole if whole < 4 else 0))


def _shapes(panel: Panel, masked, n_rows: int, n_columns: int, axis: str) -> list[dict]:
    on: dict[str, Any] = {"type": "path", "xref": f"x{axis}", "yref": f"y{axis}"}
    low, high = -0.54, n_rows - panel.margins[0] - 0.46
    left, right = -0.62, n_columns - panel.margins[1] - (0.5 if panel.margins[1] else 0.38)
    brackets = f"M{left + 0.12},{low}L{left},{low}L{left},{high}L{left + 0.12},{high}"
    brackets += f"M{right - 0.12},{low}L{right},{low}L{right},{high}L{right - 0.12},{high}"
    shapes = [on | {"path": brackets, "line": {"color": theme.colour("soft_ink"), "width": 1.5}}]
    if masked.any():
        cells = np.argwhere(masked).tolist()
        box = "".join(
            f"M{c - 0.48},{r - 0.48}L{c + 0.48},{r - 0.48}L{c + 0.48},{r + 0.48}L{c - 0.48},{r + 0.48}Z"
            for r, c in cells
        )
        hatch = "".join(
            f"M{c - 0.48},{r + k}L{c + k},{r - 0.48}M{c - k},{r + 0.48}L{c + 0.48},{r - k}"
            for r, c in cells
            for k in (-0.24, 0.0)
        )
        shapes.append(on | {"path": box, "fillcolor": theme.colour("masked"), "line": {"width": 0}, "layer": "below"})
        shapes.append(on | {"path": hatch, "line": {"color": theme.colour("hatch"), "width": 1}, "layer": "below"})
    slices = [(-0.5, n_rows - 0.5, start - 0.5, end - 0.5, name) for start, end, name in panel.bands]
    slices += [(start - 0.5, end - 0.5, -0.5, n_columns - 0.5, name) for start, end, name in panel.row_bands]
    for top, bottom, start, end, name in slices:
        outline = {"type": "rect", "x0": start + 0.05, "x1": end - 0.05, "y0": top + 0.04, "y1": bottom - 0.04}
        shapes.append(on | outline | {"line": {"color": theme.colour(name), "width": 2}})
    for r, c in panel.right:
        outline = {"type": "rect", "x0": c - 0.47, "x1": c + 0.47, "y0": r - 0.45, "y1": r + 0.45}
        shapes.append(on | outline | {"line": {"color": theme.colour("ink"), "width": 1.5}})
    if panel.mark:
        row, column = panel.mark
        y = (-0.5, n_rows - 0.5) if row is None else (row - 0.5, row + 0.5)
        x = (-0.5, n_columns - 0.5) if column is None else (column - 0.5, column + 0.5)
        outline = {"type": "rect", "x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}
        shapes.append(on | outline | {"line": {"color": theme.colour("today"), "width": 2.5}})
    return shapes


def _axis(names: list[str], n: int, bands=()) -> dict:
    shown = range(n) if n <= 16 else range(0, n, -(-n // 12))
    meaning = {c: theme.ink(name) for start, end, name in bands for c in range(start, end)}
    text = [
        literal(names[i]) if i not in meaning else f'<b style="color:{meaning[i]}">{literal(names[i])}</b>'
        for i in shown
    ]
    return {
        "tickvals": list(shown),
        "ticktext": text,
        "range": [-0.66, n - 0.34],
        "showgrid": False,
        "zeroline": False,
        "ticks": "",  # beside a heatmap Plotly would draw them
        "tickangle": 0 if n <= 12 else None,
        "fixedrange": n <= NUMBERS_UP_TO,
    }


def _lines(n: int, per_row: int, doubled: bool) -> list[list[int]]:
    """The numbers of n matrices on each line; where each has one under it, n further on, those are every other line.

    >>> _lines(3, 2, True)
    [[0, 1], [3, 4], [2], [5]]
    """
    lines = grid.lines(n, per_row)
    return [one for line in lines for one in (line, [i + n for i in line])] if doubled else lines


def _place(panels: list[Panel], lines: list[list[int]], per_row: int, cell: int, width: int, room: int) -> dict:
    """Where the matrices stand on lines of `width` px that `per_row` fill: domains, titles, the figure's height."""
    rows = [max(room, *(np.shape(panels[i].values)[0] for i in line)) for line in lines]
    cells = [max(18, cell) * n if n <= NUMBERS_UP_TO else min(cell * n, 420) for n in rows]
    height = sum(cells) + HEAD * len(lines) + 8
    place: dict = {"height": height, "margin": {"l": _names_width(panels[0]), "r": 8, "t": HEAD, "b": 8}}
    titles: dict[int, dict] = {}
    inner, signs, top = height - HEAD - 8, [], 0
    for line, n_lines, line_height in zip(lines, rows, cells, strict=True):
        gaps = [0, *((GAP + _names_width(panels[i])) / width for i in line[1:])]
        widths = [(panels[i].width or np.shape(panels[i].values)[1]) + 0.3 for i in line]
        total = sum(widths) if len(line) == per_row else sum(widths) / len(line) * per_row
        unit = (1 - sum(gaps) * (per_row / len(line) if len(lines) > 1 else 1)) / total
        left = 0.0
        for i, gap, after, columns in zip(line, gaps, [*gaps[1:], 1], widths, strict=True):
            left += gap
            axis = grid.axis(i)
            n_rows = np.shape(panels[i].values)[0]
            own = line_height * n_rows / n_lines
            x, y = round(left, 4), round(1 - top / inner, 4)
            place[f"xaxis{axis}"] = {"domain": [x, round(min(1, left + columns * unit), 4)]}
            place[f"yaxis{axis}"] = {"domain": [round(max(0, 1 - (top + own) / inner), 4), y]}
            titles[i] = _title(panels[i], x, y, width - place["margin"]["l"] - 8, columns * unit + after)
            if panels[i].sign:
                sign, middle = panels[i].sign if i != line[0] else "", y - own / 2 / inner
                at = {"xanchor": "center", "yanchor": "middle", "font": {"size": 22}}
                signs.append(grid.title(sign, x - 0.7 * gap, middle, **at))
            left += columns * unit
        top += line_height + HEAD
    return place | {"annotations": [titles[i] for i in range(len(panels))] + signs}


def _below(panels: list[Panel], maps: list[dict], place: dict) -> int:
    """The width, px, under which numbers, names or titles of a place would run into each other: a phone's is taken."""
    boxes = [[*place[f"xaxis{a}"]["domain"], place[f"yaxis{a}"]["domain"][1]] for a in map(grid.axis, range(len(maps)))]
    needs = [0.0]
    for i, (panel, heat, (left, right, top)) in enumerate(zip(panels, maps, boxes, strict=True)):
        beside = [start for start, _, line in boxes if line == top and start > left]
        columns = [*(panel.columns or ()), "0"] if np.shape(panel.values)[1] <= NUMBERS_UP_TO else ["0"]
        numbers = max((len(text) for row in heat.get("text", ()) for text in row), default=0)
        cell = max(0.48 * heat.get("textfont", {"size": 0})["size"] * numbers, 7 * max(map(len, columns)) + 3)
        needs.append(cell * np.shape(panel.values)[1] / (right - left))
        if place["annotations"][i]["xanchor"] == "left":
            needs.append((_title_width(panel) - 24) / (min(beside, default=1) - left))
        if beside:
            gap = min(beside) - right
            follower = next(
                p for p, (start, _, line) in zip(panels, boxes, strict=True) if (start, line) == (min(beside), top)
            )
            needs.append(_names_width(follower) / gap)
    return grid.below(max(needs) + place["margin"]["l"] + 8)


def _names_width(panel: Panel) -> int:
    longest = max(map(len, panel.rows or ["00"]))
    return 14 + 8 * min(longest, 16)


def _title_width(panel: Panel) -> int:
    return 7 * len(panel.title) + 48 + (7 * (len("".join(panel.axes)) + 6) if panel.axes else 0)


def _title(panel: Panel, x: float, y: float, width: float, share: float) -> dict:
    """The title over the matrix, from the right edge leftwards where it would be cut; `width` is that of 0 to 1.

    The axes' names are left out where they would run into the next title, a `share` of the width further on.
    """
    if _title_width(panel) - 24 > share * width:
        panel = panel._replace(axes=None)
    fits = x * width + _title_width(panel) <= width + 8
    n_rows, n_columns = np.subtract(np.shape(panel.values), panel.margins)
    axes = f"  {panel.axes[0]} ↓ {panel.axes[1]} →" if panel.axes else ""
    shape = f'<span style="color:{theme.colour("soft_ink")}">  {n_rows} × {n_columns}{axes}</span>'
    html = f'<b style="color:{theme.ink(panel.colour)}">{literal(panel.title)}</b>{shape}'
    return grid.title(html, x if fits else 1, y, xanchor="left" if fits else "right", yshift=28)
