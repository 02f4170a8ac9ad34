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
    pairs = [(one, other) for one, other in _pairs(now, was) if _alike(one, other)]
    bars = [one for one in now["data"] if one["type"] == "bar"]
    groups = {id(bar): {"offsetgroup": str(i)} for i, bar in enumerate(bars)}
    earlier = {id(one): other for one, other in _pairs(now, was)}
    data = [_with_before(one, earlier.get(id(one)), now["layout"]) | groups.get(id(one), {}) for one in now["data"]]
    ghosts = [_ghost(other) | groups.get(id(one), {}) for one, other in pairs if _moved(one, other)]
    layout = now["layout"]
    arrows = [_grey(note) for note in was["layout"].get("annotations", ()) if note.get("arrowhead")]
    if arrows:
        layout = layout | {"annotations": [*arrows, *layout.get("annotations", ())]}
    return Sketch(data + ghosts, layout)


def changes(figure: Any, was: dict) -> list[tuple[float, str]]:
    """Every number written in a picture that differs from before: how far, and "Weights: sat, cat 0.282 → 0.383"."""
    now = parts(figure)
    layout = now["layout"]
    titles = [note["text"].split("</b>")[0].split(">")[-1] for note in layout.get("annotations", ())]
    name = lambda trace, side, i: str(layout[side + trace.get(f"{side[0]}axis", side[0])[1:]]["ticktext"][i])
    plain = lambda *names: ", ".join(text.split("</b>")[0].split(">")[-1] for text in names)
    pairs = _pairs(now, was)
    maps = [pair for pair in pairs if pair[0]["type"] == "heatmap"]
    found = []
    for (one, other), title in zip(maps, titles, strict=False):
        for r, c, new, old in _cells(one, other):
            by = abs(one["z"][r][c] - other["z"][r][c])
            found.append((by, f"{title}: {plain(name(one, 'yaxis', r), name(one, 'xaxis', c))} {old} → {new}"))
    for one, other in pairs:
        if one["type"] == other["type"] == "bar" and one.get("text") and other.get("text") and one.get("name"):
            for i, (new, old) in enumerate(zip(one["text"], other["text"], strict=False)):
                if new != old and one.get("orientation") != "h":
                    by = abs((one["y"][i] or 0) - (other["y"][i] or 0))
                    found.append((by, f"{one['name']}: {plain(name(one, 'xaxis', i))} {old} → {new}"))
    return found


def _pairs(now: dict, was: dict) -> list[tuple[dict, dict]]:
    """Every trace with its own of before: of the same name on the same axes, else the last of its kind there."""
    own: dict[int, dict] = {}
    for names in (True, False):
        rest: dict[tuple, list[dict]] = {}
        for one in was["data"]:
            if not any(one is other for other in own.values()):
                rest.setdefault(_kind(one, names), []).append(one)
        for one in reversed(now["data"]):
            if id(one) not in own and rest.get(_kind(one, names)):
                own[id(one)] = rest[_kind(one, names)].pop()
    return [(one, own[id(one)]) for one in now["data"] if id(one) in own]


def _kind(trace: dict, named: bool) -> tuple:
    kind = trace["type"], trace.get("mode") == "text", trace.get("xaxis", "x")
    return (*kind, trace.get("name")) if named else kind


def _alike(one: dict, other: dict) -> bool:
    """Two traces of the same kind at the same place, whose numbers may be compared."""
    kinds = ("scatter", "bar")
    kept = one.get("mode") == "text" or one.get("name") in STAY or "fill" in one  # no ghost of an area
    return one["type"] == other["type"] in kinds and not kept


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
        "marker": marker if bar else trace.get("marker", {}) | marker,
    }
    line = {"line": trace.get("line", {}) | {"color": grey}, "opacity": 0.75}
    return ghost if bar else ghost | line | {"mode": trace.get("mode", "lines").replace("+text", "")}


def _grey(arrow: dict) -> dict:
    return arrow | {"arrowcolor": theme.colour("ghost"), "opacity": 0.6}


def _with_before(one: dict, other: dict | None, layout: dict) -> dict:
    """A heatmap whose changed cells say what they were; any other trace as it is."""
    if one["type"] != "heatmap" or other is None:
        return one
    changed = list(_cells(one, other))
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


def _listed(values: Any) -> Any:
    return values if values is None or isinstance(values, list) else list(values)
