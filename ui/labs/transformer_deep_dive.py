"""The matrices, curves and formulas of the deep dive, each from the numbers that were computed for it."""

import numpy as np
import plotly.graph_objects as go

from ui import charts, words
from ui.charts import Mark, Panel, Series, theme
from ui.words import number

WORDS = ["word 0", "word 1"]
STEPS = ("scores", "scaled", "weights")  # what can be overwritten
SHOWN = 8  # columns of a positional row


def inputs(q, k, v, row: int) -> go.Figure:
    """Queries, keys and values; the query that is worked out has an outline."""
    panels = [
        Panel(q, "Queries Q", WORDS, limit=4, colour="query", mark=(row, None)),
        Panel(k, "Keys K", WORDS, limit=4, colour="key"),
        Panel(v, "Values V", WORDS, limit=4, colour="value"),
    ]
    return charts.matrices(panels, per_row=3)


def steps(trace, row: int, yours: list[str]) -> go.Figure:
    """Scores, scaled scores, weights and output; `yours` are the steps that were overwritten."""
    named = {"rows": WORDS, "columns": WORDS, "mark": (row, None)}
    title = {name: f"{i} {name.capitalize()}{', yours' if name in yours else ''}" for i, name in enumerate(STEPS, 1)}
    panels = [
        Panel(trace.scores, title["scores"], limit=4, **named),
        Panel(trace.scaled, title["scaled"], limit=4, **named),
        Panel(trace.weights, title["weights"], kind="probability", **named),
        Panel(trace.out, "4 Output", WORDS, limit=4, colour="today", mark=(row, None)),
    ]
    return charts.matrices(panels, per_row=4)


def sums(trace, q, k, v, row: int, key: int, yours: list[str]) -> list[str]:
    """The formulas from a query and a key to the output, without the steps that were overwritten."""
    at, z = f"{{{row},{key}}}", words.bare(trace.scaled[row, key])
    formulas = {
        "scores": words.dot(f"s_{at}", q[row], k[key], trace.scores[row, key]),
        "scaled": rf"z_{at} = \frac{{{words.bare(trace.scores[row, key])}}}{{\sqrt{{3}}}} = {z}",
        "weights": words.softmax(f"w_{at}", trace.scaled[row], key, trace.weights[row, key]),
        "out": words.weighted_sum(rf"\text{{out}}_{row}", trace.weights[row], v, trace.out[row]),
    }
    return [formula for name, formula in formulas.items() if name not in yours]


def maps(trace, speaks: list[bool]) -> go.Figure:
    """The weights of every head."""
    panels = [
        Panel(head.weights, f"Head {h}{'' if speaks[h] else ', silent'}", WORDS, WORDS, "probability", colour=theme.HEADS[h % 8])
        for h, head in enumerate(trace.heads)
    ]  # fmt: skip
    return charts.matrices(panels, per_row=3)


def mixed(trace, column: int) -> go.Figure:
    """The contexts in the colours of their heads, and the output with the cell that is worked out."""
    d_k = trace.q.shape[2]
    bands = tuple((h * d_k, (h + 1) * d_k, theme.HEADS[h % 8]) for h in range(len(trace.heads)))
    panels = [
        Panel(trace.concat, "Contexts side by side", WORDS, limit=2, bands=bands),
        Panel(trace.out, "Output: contexts · W_O", WORDS, limit=2, colour="today", mark=(0, column)),
    ]
    return charts.matrices(panels, per_row=2)


def waves(table, pos: int, i: int) -> go.Figure:
    """Both columns of a pair over the positions, with today's."""
    names = (f"column {2 * i}: sin", "way_2", "solid"), (f"column {2 * i + 1}: cos", "way_1", "dot")
    pair = [Series(name, table[:, 2 * i + j], colour, dash=dash) for j, (name, colour, dash) in enumerate(names)]
    today = table[pos, 2 * i : 2 * i + 2]
    last, d_model = len(table) - 1, table.shape[1]
    title = f"Pair {i} of 0 to {d_model // 2 - 1}; at position {pos}: {number(today[0])} and {number(today[1])}"
    return charts.lines(
        range(last + 1), pair, title=title, x_title="position", x_range=(-0.5, 1.05 * last),
        y_range=(-1.3, 1.4), marks=[Mark(pos, value) for value in today], height=290, mode="lines+markers",
    )  # fmt: skip


def positional_row(table, pos: int, i: int) -> go.Figure:
    """The row of a position, as much of it as fits around the pair, which has an outline."""
    start = max(0, min(2 * i - 4, table.shape[1] - SHOWN))
    values = table[[pos], start : start + SHOWN]
    title = "The row of this position" + ("" if table.shape[1] <= SHOWN else ", in part")
    names = [f"{start + c}" for c in range(values.shape[1])]
    outlined = ((2 * i - start, 2 * i - start + 2, "today"),)
    return charts.matrix(values, title, rows=[f"pos {pos}"], columns=names, bands=outlined)


def position(table, angle: float, pos: int, i: int) -> list[str]:
    """The formula of the paper at one position and pair."""
    turned, d_model = words.bare(angle, 4), table.shape[1]
    entry = lambda j, name: rf"PE({pos}, {2 * i + j}) = \{name}({turned}) = {words.bare(table[pos, 2 * i + j])}"
    power = rf"\text{{pos}} / 10000^{{2i/d}} = {pos} / 10000^{{{2 * i}/{d_model}}}"
    return [rf"\text{{angle}} = {power} = {turned}", entry(0, "sin"), entry(1, "cos")]


def masking(scores, mask, before, after, query: int) -> go.Figure:
    """Scores and weights before and after the mask."""
    names = {
        "rows": [f"query {r}" for r in range(len(mask))],
        "columns": [f"key {c}" for c in range(mask.shape[1])],
        "mark": (query, None),
    }
    panels = [
        Panel(scores, "Before: all scores", limit=3, **names),
        Panel(after.masked, "After: later keys at −∞", limit=3, masked=~mask, **names),
        Panel(before.weights, "Before: softmax", kind="probability", **names),
        Panel(after.weights, "After: softmax", kind="probability", **names),
    ]
    return charts.matrices(panels, per_row=2)


def listed(values) -> str:
    """Numbers with commas between them."""
    return ", ".join(map(number, np.ravel(values)))
