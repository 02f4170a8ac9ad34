"""The matrices and curves of the deep dive, each from the numbers that were computed for it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui import charts
from ui.charts import Mark, Panel, Series, links, theme
from ui.charts.links import Link
from ui.labs.transformer_deep_dive.asked import STEPS, WORDS
from ui.labs.transformer_deep_dive.said import entries

SHOWN = 8  # columns of a positional row
ATTEND = ("query", "key")
OF_INPUTS = {  # what a click chooses
    "query": lambda at: at["row"] if at["panel"] == 0 else None,
    "key": lambda at: at["row"] if at["panel"] == 1 else None,
}
OF_STEPS = {"query": "row", "key": lambda at: at["column"] if at["panel"] < 3 else None}
OF_MAPS = {  # X is in front of the maps
    "head": lambda at: at["panel"] - 1 if at["panel"] else None,
    "word": "row",
    "to": lambda at: at["column"] if at["panel"] else None,
}
OF_MIXED = {
    "word": lambda at: None if at["panel"] == 1 else at["row"],
    "column": lambda at: at["column"] if at["panel"] else None,
}


def inputs(q, k, v, row: int, key: int) -> go.Figure:
    """Queries, keys and values; the query and the key that are worked out have an outline."""
    panels = [
        Panel(q, "Queries Q", WORDS, limit=4, colour="query", mark=(row, None), name="Q", held="q"),
        Panel(k, "Keys K", WORDS, limit=4, colour="key", mark=(key, None), name="K", held="k"),
        Panel(v, "Values V", WORDS, limit=4, colour="value", name="V", held="v"),
    ]
    return charts.matrices(panels, per_row=3)


def steps(trace, row: int, key: int, yours: list[str]) -> go.Figure:
    """Scores, scaled scores, weights and output; `yours` are the steps that were overwritten."""
    named: dict[str, Any] = {"rows": WORDS, "columns": WORDS, "mark": (row, key), "axes": ATTEND}
    title = {name: f"{i} {name.capitalize()}{', yours' if name in yours else ''}" for i, name in enumerate(STEPS, 1)}
    panels = [
        Panel(trace.scores, title["scores"], limit=4, name="scores", **named),
        Panel(trace.scaled, title["scaled"], limit=4, name="scaled", **named),
        Panel(trace.weights, title["weights"], kind="probability", name="weights", **named),
        Panel(trace.out, "4 Output", WORDS, limit=4, colour="today", mark=(row, None), name="out"),
    ]
    way = (
        links.product("scores", "Q", "K", turned=True),
        links.divided("scaled", "scores", 3**0.5),
        links.softmax("weights", "scaled"),
        links.product("out", "weights", "V"),
    )
    return charts.matrices(panels, per_row=4, links=[link for link in way if link.of not in yours])


def maps(trace, x, speaks, head: int, row: int, key: int) -> go.Figure:
    """Two words and the weights of every head on them; the cell worked out has an outline in its head's map."""
    titles = [f"Head {h}{'' if speaks[h] else ', silent'}" for h in range(len(trace.heads))]
    panels = [Panel(x, "Two words X", WORDS, limit=4, mark=(row, None), width=2.2, name="X", held="x")]
    panels += [
        Panel(
            one.weights,
            titles[h],
            WORDS,
            WORDS,
            "probability",
            colour=theme.HEADS[h % 8],
            mark=(row, key) if h == head else None,
            axes=ATTEND,
            name=f"map {h}",
        )
        for h, one in enumerate(trace.heads)
    ]
    way = [Link(f"map {h}", "", (("X", "r", "*"), ("X", "c", "*"))) for h in range(len(trace.heads))]
    return charts.matrices(panels, per_row=4, links=way)


def mixed(trace, W_O, speaks, row: int, column: int) -> go.Figure:
    """The contexts in the colours of their heads, W_O, and the output with the cell that is worked out."""
    d_k = trace.q.shape[2]
    bands = tuple((h * d_k, (h + 1) * d_k, theme.HEADS[h % 8]) for h in range(len(trace.heads)))
    panels = [
        Panel(trace.concat, "Contexts side by side", WORDS, limit=2, bands=bands, mark=(row, None), name="concat"),
        Panel(W_O, "W_O", limit=2, colour="weight", mark=(None, column), row_bands=bands, name="W_O"),
        Panel(trace.out, "Output: contexts · W_O", WORDS, limit=2, colour="today", mark=(row, column), name="mixed"),
    ]
    way = [
        Link("concat", "", ((f"map {h}", "r", "*"), ("X", "*", "*")), part=("*", f"{start}:{stop}"))
        for h, (start, stop, _) in enumerate(bands)
        if speaks[h]
    ]
    return charts.matrices(panels, per_row=3, cell=24, links=[*way, links.product("mixed", "concat", "W_O")])


def waves(table, pos: int, i: int) -> go.Figure:
    """Both columns of a pair over the positions, with those of now."""
    names = (f"column {2 * i}: sin", "way_2", "solid"), (f"column {2 * i + 1}: cos", "way_1", "dot")
    pair = [Series(name, table[:, 2 * i + j], colour, dash=dash) for j, (name, colour, dash) in enumerate(names)]
    now = table[pos, 2 * i : 2 * i + 2]
    last = len(table) - 1
    return charts.lines(
        range(last + 1),
        pair,
        title=f"Pair {i} at position {pos}: {entries(table, pos, i)}",
        x_title="position",
        x_range=(-0.5, 1.05 * last),
        y_range=(-1.3, 1.4),
        marks=[Mark(pos, value) for value in now],
        height=290,
        mode="lines+markers",
    )


def first_column(table, i: int) -> int:
    """Where the part of a row begins that is drawn around a pair."""
    return max(0, min(2 * i - 4, table.shape[1] - SHOWN))


def pair_of(table, i: int) -> Callable[[dict], int]:
    """Which pair a click on the drawn part of a row chooses."""
    return lambda at: (first_column(table, i) + at["column"]) // 2


def positional_row(table, pos: int, i: int) -> go.Figure:
    """The row of a position, as much of it as fits around the pair, which has an outline."""
    start = first_column(table, i)
    values = table[[pos], start : start + SHOWN]
    title = "The row of this position" + ("" if table.shape[1] <= SHOWN else ", in part")
    names = [f"{start + c}" for c in range(values.shape[1])]
    outlined = ((2 * i - start, 2 * i - start + 2, "today"),)
    return charts.matrix(values, title, rows=[f"pos {pos}"], columns=names, bands=outlined)


def masking(scores, mask, before, after, query: int, key: int) -> go.Figure:
    """Scores and weights before and after the mask."""
    names: dict[str, Any] = {
        "rows": [f"query {r}" for r in range(len(mask))],
        "columns": [f"key {c}" for c in range(mask.shape[1])],
        "mark": (query, key),
        "axes": ATTEND,
    }
    panels = [
        Panel(scores, "Before: all scores", limit=3, name="S", held="s", **names),
        Panel(after.masked, "After: later keys at −∞", limit=3, masked=~mask, name="masked", **names),
        Panel(before.weights, "Before: softmax", kind="probability", name="before", **names),
        Panel(after.weights, "After: softmax", kind="probability", name="after", **names),
    ]
    way = (links.copied("masked", "S"), links.softmax("before", "S"), links.softmax("after", "masked"))
    return charts.matrices(panels, per_row=2, links=way)


def given(values: dict[str, Any]) -> go.Figure:
    """What a practice question gives: every matrix, row or number under its name, digits as short as they are."""
    panels = []
    for name, value in values.items():
        cells = np.atleast_2d(np.asarray(value, float))
        told = [[f"{cell:g}".replace("-", "−") for cell in row] for row in cells]
        written = [["yes" if value else "no"]] if isinstance(value, bool) else told
        panels.append(Panel(cells, name, limit=4, words=written, width=max(2, cells.shape[1])))
    return charts.matrices(panels, per_row=len(panels))
