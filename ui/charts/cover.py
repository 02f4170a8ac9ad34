"""A picture that keeps its answer: what is covered never leaves the server."""

from typing import Any

from ui.charts import theme
from ui.charts.figure import Sketch, parts


def cover(figure: Any, panels: tuple[str, ...] = ()) -> Sketch:
    """The figure without its numbers, "?" in their place: all of it, or the panels whose titles begin as given.

    Names of rows and columns stay where they stand elsewhere in the picture too, or where all of it is covered; those
    of rows of tiles go, since they count what is covered.
    """
    whole = parts(figure)
    data, layout = whole["data"], whole["layout"]
    notes = layout.get("annotations", [])
    titles = [note["text"].split("</b>")[0].split(">")[-1] for note in notes]
    maps = [trace for trace in data if trace["type"] == "heatmap"] or data
    axes = dict.fromkeys(trace.get("xaxis", "x")[1:] for trace in maps)
    named = {axis for axis, title in zip(axes, titles, strict=False) if panels and title.startswith(panels)}
    hidden = named or {key[5:] for key in layout if key.startswith("xaxis")}
    counting = {trace["yaxis"][1:] for trace in data if "base" in trace}
    kept = [trace for trace in data if trace.get("xaxis", "x")[1:] not in hidden]
    blank = [{"type": "scatter", "x": [None], "y": [None], "hoverinfo": "skip", "showlegend": False}]
    veils = [part for axis in sorted(hidden) for part in _veil(axis)]
    marks = [_question(axis) for axis in sorted(hidden)]
    shapes = [one for one in layout.get("shapes", []) if one.get("xref", "x").split()[0][1:] not in hidden]
    axes_of = lambda note: {
        ref.split()[0][1:] for ref in (note.get("xref", "x"), note.get("yref", "y")) if ref != "paper"
    }
    on_axes = lambda note: bool(axes_of(note) & hidden)
    notes = [_title_only(note) for note in notes if not on_axes(note)]
    layout = layout | {"shapes": shapes + veils, "annotations": notes + marks}
    blanks = [blank[0] | {"xaxis": f"x{axis}", "yaxis": f"y{axis}"} for axis in sorted(hidden)]
    shown = {_names(part) for key, part in layout.items() if key[1:5] == "axis" and key[5:] not in hidden}
    layout |= {
        f"{side}{axis}": layout[f"{side}{axis}"] | {"ticktext": [], "tickvals": []}
        for side in ("xaxis", "yaxis")
        for axis in hidden
        if (axis in counting or shown) and not _names(layout[f"{side}{axis}"]) <= frozenset().union(*shown)
    }
    meta = {key: part for key, part in layout.get("meta", {}).items() if key != "play"}
    if narrow := meta.get("narrow"):
        meta["narrow"] = narrow | {"annotations": [_title_only(note) for note in narrow.get("annotations", [])]}
    return Sketch(kept + blanks, layout | {"meta": meta})


def _title_only(note: dict) -> dict:
    return note | ({"text": note["text"].split("<br>")[0]} if "text" in note else {})


def _names(axis: dict) -> frozenset[str]:
    return frozenset(axis.get("ticktext") or ())


def _veil(axis: str) -> list[dict]:
    on: dict[str, Any] = {"xref": f"x{axis} domain", "yref": f"y{axis} domain"}
    n = 24
    lines = "".join(
        f"M{max(0, k / n - 1):.3f},{min(1, k / n):.3f}L{min(1, k / n):.3f},{max(0, k / n - 1):.3f}"
        for k in range(1, 2 * n)
    )
    box = on | {"type": "rect", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "fillcolor": theme.colour("masked")}
    return [
        box | {"line": {"width": 0}},
        on | {"type": "path", "path": lines, "line": {"color": theme.colour("hatch"), "width": 1}},
    ]


def _question(axis: str) -> dict:
    font = {"size": 40, "color": theme.colour("soft_ink")}
    place = {"xref": f"x{axis} domain", "yref": f"y{axis} domain", "x": 0.5, "y": 0.5}
    return place | {"text": "<b>?</b>", "showarrow": False, "font": font}
