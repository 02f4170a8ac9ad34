"""The picture of before behind the one of now, in grey, and what has changed most between the two."""

from typing import Any

from ui.charts import theme
from ui.charts.figure import Sketch, parts

STAY = ("now", "guide")  # traces that are no numbers of their own
ROOM = 34  # px of a row that has room for two lines of the usual size


def behind(figure: Any, was: dict) -> Sketch:
    """The figure with what `was` drawn, the parts of an earlier one, in grey behind it; cells tell their number before.

    Lines, points and the paths on a surface are drawn again in grey, bars as outlines, arrows grey; a row of tiles
    that was cut otherwise has its former cut as a grey line; areas say how large they were, as cells do. No ghost has
    what a surface or a shaded region looks like, since one laid over the other could not be told from it, nor a
    diagram of boxes: it holds names and shapes, which stay where they are.
    """
    now = parts(figure)
    pairs = _pairs(now, was)
    beside = now["layout"].get("barmode") != "overlay"  # there a group of its own would move a bar off its row
    bars = [one for one in now["data"] if one["type"] == "bar" and beside]
    groups = {id(bar): {"offsetgroup": str(i)} for i, bar in enumerate(bars)}
    earlier = {id(one): cells for _, one, cells in _matrices(now, was)}
    former = {id(one): other for one, other in pairs if one["type"] == other["type"] == "treemap"}
    data = [
        _grown(one, former[id(one)]) if id(one) in former else _with_before(one, earlier.get(id(one)), now["layout"])
        for one in now["data"]
    ]
    data = [drawn | groups.get(id(one), {}) for drawn, one in zip(data, now["data"], strict=True)]
    ghosts = [_cut(one, other) for one, other in pairs if "base" in one and "text" in one and "base" in other]
    ghosts = [ghost for ghost in ghosts if ghost["x"]]
    pairs = [(one, _by_row(one, other, now, was)) for one, other in pairs if _alike(one, other)]
    ghosts += [_ghost(other) | groups.get(id(one), {}) for one, other in pairs if _moved(one, other)]
    layout = now["layout"]
    arrows = [_grey(note) for note in was["layout"].get("annotations", ()) if note.get("arrowhead")]
    if arrows:
        layout = layout | {"annotations": [*arrows, *layout.get("annotations", ())]}
    return Sketch(data + ghosts, layout)


def changes(figure: Any, was: dict) -> list[tuple[float, str]]:
    """Every number written in a picture that differs from before: how far, and "Weights: sat, cat 0.282 → 0.383"."""
    now, found = parts(figure), []
    for title, one, cells in _matrices(now, was):
        rows, columns = _names(one, now["layout"])
        for r, c, new, old, by in cells:
            found.append((by, f"{title}: {rows[r]}, {columns[c]} {old} → {new}"))
    for one, other in _pairs(now, was):
        if one["type"] == other["type"] == "treemap":
            found += [(abs(new - old), f"{name}: {old:,} → {new:,}") for name, new, old in _resized(one, other)]
        elif one["type"] == other["type"] == "bar" and one.get("text") and other.get("text") and one.get("name"):
            for i, (new, old) in enumerate(zip(one["text"], other["text"], strict=False)):
                if new != old and one.get("orientation") != "h":
                    by = abs((one["y"][i] or 0) - (other["y"][i] or 0))
                    found.append((by, f"{one['name']}: {_names(one, now['layout'])[1][i]} {old} → {new}"))
    return found


Cell = tuple[int, int, str, str, float]  # row, column, number now, number before, how far apart


def _matrices(now: dict, was: dict) -> list[tuple[str, dict, list[Cell]]]:
    """Every matrix that was there before: its title, its trace, the cells whose written numbers differ.

    It is the one at the same place, and where there are more or fewer, the one of the same title.
    """
    these, earlier = _titled(now), _titled(was)
    same = len(these) == len(earlier)
    of_title = dict(earlier)
    pairs = [(title, one, earlier[i][1] if same else of_title.get(title)) for i, (title, one) in enumerate(these)]
    return [(title, one, _cells(one, now["layout"], other, was["layout"])) for title, one, other in pairs if other]


def _titled(figure: dict) -> list[tuple[str, dict]]:
    maps = [trace for trace in figure["data"] if trace["type"] == "heatmap"]
    notes = [_plain(note["text"]) for note in figure["layout"].get("annotations", ())]
    return list(zip(notes + [""] * len(maps), maps, strict=False))


def _cells(one: dict, layout: dict, other: dict, was: dict) -> list[Cell]:
    """The cells whose written numbers differ; of a matrix of another size those whose row and column are still there.

    The names say so, which such a matrix has on its axes.
    """
    new, old = one.get("text") or [[]], other.get("text") or [[]]
    rows, columns = [*range(min(len(new), len(old)))], [*range(min(len(new[0]), len(old[0])))]
    if (len(new), len(new[0])) != (len(old), len(old[0])):
        names, before = _names(one, layout), _names(other, was)
        rows, columns = (
            [i for i in kept if side[i] == earlier[i]]
            for kept, side, earlier in zip((rows, columns), names, before, strict=True)
        )
    return [
        (r, c, new[r][c], old[r][c], abs(one["z"][r][c] - other["z"][r][c]))
        for r in rows
        for c in columns
        if new[r][c] != old[r][c] and new[r][c] and old[r][c] and "?" not in new[r][c] + old[r][c]
    ]


def _names(trace: dict, layout: dict) -> list[list[str]]:
    """What stands beside the rows of a trace and over its columns."""
    axes = (f"{side}axis{trace.get(f'{side}axis', side)[1:]}" for side in "yx")
    return [[_plain(str(text)) for text in layout[axis].get("ticktext", ())] for axis in axes]


def _plain(text: str) -> str:
    return text.split("</b>")[0].split(">")[-1]


def _pairs(now: dict, was: dict) -> list[tuple[dict, dict]]:
    """Every other trace with its own of before: of the same name on the same axes, else the last of its kind there."""
    own: dict[int, dict] = {}
    for names in (True, False):
        rest: dict[tuple, list[dict]] = {}
        for one in _others(was):
            if not any(one is other for other in own.values()):
                rest.setdefault(_kind(one, names), []).append(one)
        for one in reversed(_others(now)):
            if id(one) not in own and rest.get(_kind(one, names)):
                own[id(one)] = rest[_kind(one, names)].pop()
    return [(one, own[id(one)]) for one in now["data"] if id(one) in own]


def _others(figure: dict) -> list[dict]:
    return [trace for trace in figure["data"] if trace["type"] != "heatmap"]


def _kind(trace: dict, named: bool) -> tuple:
    kind = trace["type"], trace.get("mode") == "text", trace.get("xaxis", "x")
    return (*kind, trace.get("name")) if named else kind


def _alike(one: dict, other: dict) -> bool:
    """Two traces of the same kind whose numbers may be compared."""
    kinds = ("scatter", "bar")
    kept = one.get("mode") == "text" or one.get("name") in STAY or "fill" in one or "base" in one
    return one["type"] == other["type"] in kinds and not kept


def _moved(one: dict, other: dict) -> bool:
    return any(_listed(one.get(axis)) != _listed(other.get(axis)) for axis in ("x", "y"))


def _by_row(one: dict, other: dict, now: dict, was: dict) -> dict:
    """What lying bars were, row for row by its name, where other rows stand in other places now."""
    if one.get("orientation") != "h":
        return other
    (rows, _), (before, _) = _names(one, now["layout"]), _names(other, was["layout"])
    if rows == before:
        return other
    lengths = dict(zip(before, other["x"], strict=False))
    return other | {"x": [lengths.get(row) for row in rows], "y": one["y"], "width": one.get("width")}


def _resized(one: dict, other: dict) -> list[tuple[str, float, float]]:
    """The areas of another size than before: name, size now, size before."""
    old = dict(zip(other["labels"], other["values"], strict=True))
    sizes = zip(one["labels"], one["values"], strict=True)
    return [(_plain(name), new, old[name]) for name, new in sizes if old.get(name, new) != new]


def _grown(one: dict, other: dict) -> dict:
    """Areas that say how large they were."""
    before = {name: old for name, _, old in _resized(one, other)}
    small = lambda name: f'<br><span style="font-size:10px">was {before[name]:,}</span>' if name in before else ""
    return one | {"texttemplate": [one["texttemplate"] + small(_plain(name)) for name in one["labels"]]}


def _cut(one: dict, other: dict) -> dict:
    """Where the cuts of each row of tiles were, as a grey line at its foot; none under a row that is as it was."""
    tiles = lambda trace: [*zip(trace["y"], trace["base"], trace["x"], strict=True)]
    rows = lambda trace: {row: [tile[1:] for tile in tiles(trace) if tile[0] == row] for row in trace["y"]}
    ends = lambda row: max((base + width for base, width in row), default=0)
    now, was = rows(one), rows(other)
    moved = {row for row, tiles in was.items() if row in now and tiles != now[row] and ends(tiles) == ends(now[row])}
    kept = [tile for tile in tiles(other) if tile[0] in moved]
    return {
        "type": "bar",
        "orientation": "h",
        "name": "before",
        "xaxis": one["xaxis"],
        "yaxis": one["yaxis"],
        "y": [row + 0.42 for row, _, _ in kept],
        "base": [base for _, base, _ in kept],
        "x": [width for _, _, width in kept],
        "width": 0.16,
        "marker": {"color": theme.colour("ghost"), "line": {"color": theme.colour("paper"), "width": 2}},
        "hoverinfo": "skip",
        "showlegend": False,
    }


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


def _with_before(one: dict, changed: list[Cell] | None, layout: dict) -> dict:
    """A heatmap whose changed cells say what they were; any other trace as it is."""
    if not changed:
        return one
    axis = layout[f"yaxis{one.get('yaxis', 'y')[1:]}"]
    low, high = axis.get("domain", (0, 1))
    inner = layout.get("height", 400) - sum(layout.get("margin", {}).get(side, 0) for side in "tb")
    room = (high - low) * inner / len(one["z"]) > ROOM
    text = [list(row) for row in one["text"]]
    for r, c, new, old, _ in changed:
        text[r][c] = f'{new}<br><span style="font-size:{9 if room else 8}px">{old}</span>'
    return one | {"text": text} | ({} if room else {"textfont": {"size": 10}})


def _listed(values: Any) -> Any:
    return values if values is None or isinstance(values, list) else list(values)
