"""The picture of before behind the one of now, in grey, and what has changed most between the two."""

from typing import Any

from ui.charts import theme
from ui.charts.figure import Sketch, parts

STAY = ("now", "guide")  # traces that are no numbers of their own
ROOM = 34  # px of a row that has room for two lines of the usual size


def behind(figure: Any, was: dict) -> Sketch:
    """The figure with what `was` drawn, the parts of an earlier one, in grey behind it; cells tell their number before.

    Lines and points are drawn again in grey, bars as outlines, arrows grey; a picture of another kind has no ghost.
    """
    now = parts(figure)
    pairs = [(one, other) for one, other in zip(now["data"], was["data"], strict=False) if _alike(one, other)]
    bars = [one for one in now["data"] if one["type"] == "bar"]
    groups = {id(bar): {"offsetgroup": str(i)} for i, bar in enumerate(bars)} if len(bars) > 1 else {}
    data = [
        _with_before(one, was["data"], i, now["layout"]) | groups.get(id(one), {}) for i, one in enumerate(now["data"])
    ]
    ghosts = [_ghost(other) | groups.get(id(one), {}) for one, other in pairs if _moved(one, other)]
    layout = now["layout"]
    arrows = [_grey(note) for note in was["layout"].get("annotations", ()) if note.get("arrowhead")]
    if arrows:
        layout = layout | {"annotations": [*arrows, *layout.get("annotations", ())]}
    return Sketch(data + ghosts, layout)


def changes(figure: Any, was: dict) -> list[tuple[float, str]]:
    """Every number of a picture that differs from before, as (how far, "Weights: sat → cat, 0.282 → 0.383")."""
    now = parts(figure)
    titles = [note["text"].split("</b>")[0].split(">")[-1] for note in now["layout"].get("annotations", ())]
    cells = [(one, other) for one, other in zip(now["data"], was["data"], strict=False) if one["type"] == "heatmap"]
    found = []
    for (one, other), title in zip(cells, titles, strict=False):
        for r, c, new, old in _cells(one, other):
            row, column = (_name(now["layout"], one, side, i) for side, i in (("yaxis", r), ("xaxis", c)))
            found.append((abs(one["z"][r][c] - other["z"][r][c]), f"{title}: {row}, {column} {old} → {new}"))
    return found


def _alike(one: dict, other: dict) -> bool:
    """Two traces of the same kind at the same place, whose numbers may be compared."""
    kinds = ("scatter", "bar")
    return one["type"] == other["type"] in kinds and one.get("mode") != "text" and one.get("name") not in STAY


def _moved(one: dict, other: dict) -> bool:
    return any(_listed(one.get(axis)) != _listed(other.get(axis)) for axis in ("x", "y"))


def _ghost(trace: dict) -> dict:
    grey = theme.colour("ghost")
    bar = trace["type"] == "bar"
    marker = {"color": "rgba(0,0,0,0)", "line": {"color": grey, "width": 2}} if bar else {"color": grey}
    ghost = trace | {
        "zorder": -1,
        "showlegend": False,
        "hoverinfo": "skip",
        "hovertemplate": None,
        "text": None,
        "texttemplate": None,
        "name": "before",
        "line": trace.get("line", {}) | {"color": grey},
        "marker": marker if bar else trace.get("marker", {}) | marker,
    }
    return ghost if bar else ghost | {"mode": trace.get("mode", "lines").replace("+text", ""), "opacity": 0.75}


def _grey(arrow: dict) -> dict:
    return arrow | {"arrowcolor": theme.colour("ghost"), "opacity": 0.6}


def _with_before(one: dict, earlier: list[dict], i: int, layout: dict) -> dict:
    """A heatmap whose changed cells say what they were; any other trace as it is."""
    if one["type"] != "heatmap" or i >= len(earlier):
        return one
    changed = list(_cells(one, earlier[i]))
    if not changed:
        return one
    axis = layout[f"yaxis{one.get('yaxis', 'y')[1:]}"]
    low, high = axis.get("domain", (0, 1))
    inner = layout.get("height", 400) - sum(layout.get("margin", {}).get(side, 0) for side in "tb")
    room = (high - low) * inner / len(one["z"]) > ROOM
    text = [list(row) for row in one["text"]]
    for r, c, new, old in changed:
        text[r][c] = f'{new}<br><span style="font-size:{9 if room else 8}px">{old}</span>'
    return one | {"text": text} | ({} if room else {"textfont": {"size": 10}})


def _cells(one: dict, other: dict):
    """(row, column, number now, number before) of the cells whose written numbers differ."""
    if other["type"] != "heatmap" or not one.get("text") or not other.get("text"):
        return
    for r, (row, was) in enumerate(zip(one["text"], other["text"], strict=False)):
        for c, (new, old) in enumerate(zip(row, was, strict=False)):
            if new != old and new and old and "?" not in new + old:
                yield r, c, new, old


def _name(layout: dict, trace: dict, side: str, i: int) -> str:
    axis = layout[side + trace[side[0] + "axis"][1:]]
    return str(axis["ticktext"][i]).split("</b>")[0].split(">")[-1]


def _listed(values: Any) -> Any:
    return values if values is None or isinstance(values, list) else list(values)
