"""The matrices, curves, formulas and sentences of the deep dive, each from the numbers that were computed for it."""

from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go

from ui import charts, words
from ui.charts import Mark, Panel, Series, theme
from ui.page import parse
from ui.words import number, told

WORDS = ["word 0", "word 1"]
PARTS = ["Attention", "Heads", "Positions", "Masking", "Practice"]
STEPS = ("scores", "scaled", "weights")  # what can be overwritten
SHOWN = 8  # columns of a positional row
MIXED = "Mixed: any kind"
OBJECTIVES = {  # and the kinds of question that show it
    "Compute attention scores step-by-step": ("document", "scores", "scaled", "softmax", "weights", "output"),
    "Implement multi-head attention": ("parameters",),
    "Explain masking in decoder": ("masked",),
    "Describe positional encoding formula": ("position",),
}
LINES = {  # of the program, left out where their step is overwritten
    "scores": "scores = Q @ K.T\n",
    "scaled": "scaled = scores / np.sqrt(3)\n",
    "weights": "exps = np.exp(scaled - scaled.max(axis=1, keepdims=True))\n"
    "weights = exps / exps.sum(axis=1, keepdims=True)\n",
}


def own_step(text: str) -> np.ndarray | None:
    """A step as a visitor wrote it, two rows of two numbers; None where nothing is written.

    >>> own_step("0 1; 1 0").tolist(), own_step(" ")
    ([[0.0, 1.0], [1.0, 0.0]], None)
    """
    return parse.matrix(text, shape=(2, 2), limit=1000, rows=WORDS) if text.strip() else None


def question_number(text: str) -> int:
    """The number of a practice question, 0 where nothing is written.

    >>> question_number("12"), question_number("")
    (12, 0)
    """
    return int(parse.number(text.strip() or "0", 0, 999_999, whole=True))


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


def gives(trace, row: int, key: int) -> str:
    """The weight from a query to a key, in words."""
    return f"The query of {WORDS[row]} gives {WORDS[key]} the weight {told(weight=trace.weights[row, key]).weight}"


def attention_told(trace, row: int, key: int, yours: list[str]) -> list[str]:
    """What to notice about one head, and which steps are the visitor's own."""
    now = told(total=trace.weights[row].sum(), out=trace.out[row])
    return [
        f"{gives(trace, row, key)}. Its weights sum to **{now.total}**.",
        f"Its output [{now.out}] is the rows of V, mixed by these weights.",
        *(f"The {name} are yours: what stands before them no longer reaches the output." for name in yours),
    ]


def maps(trace, speaks: list[bool]) -> go.Figure:
    """The weights of every head."""
    titles = [f"Head {h}{'' if speaks[h] else ', silent'}" for h in range(len(trace.heads))]
    panels = [
        Panel(head.weights, titles[h], WORDS, WORDS, "probability", colour=theme.HEADS[h % 8])
        for h, head in enumerate(trace.heads)
    ]
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


def mixing(trace, W_O, column: int) -> str:
    """One cell of the output: the contexts of word 0 against a column of W_O."""
    return words.dot(rf"\text{{out}}_{{0,{column}}}", trace.concat[0], W_O[:, column], trace.out[0, column])


def heads_told(trace, column: int) -> list[str]:
    """What to notice about the heads: their widths, and what each adds to one cell."""
    n_heads, _, width = trace.q.shape
    n_columns, d_model = n_heads * width, trace.out.shape[1]
    now = told(
        own=[head.weights[0, 0] for head in trace.heads],
        added=trace.contributions[:, 0, column],
        out=trace.out[0, column],
    )
    return [
        f"Each head reads the same words through its own W_Q, W_K, W_V of {d_model} × {width}: "
        f"word 0 gives itself {now.own}.",
        f"Side by side the contexts are {n_heads} · {width} = {n_columns} wide; W_O, {n_columns} × {d_model}, leads "
        f"back to d_model = {d_model}.",
        f"To word 0, column {column}, the heads add {now.added}; together **{now.out}**.",
    ]


def waves(table, pos: int, i: int) -> go.Figure:
    """Both columns of a pair over the positions, with today's."""
    names = (f"column {2 * i}: sin", "way_2", "solid"), (f"column {2 * i + 1}: cos", "way_1", "dot")
    pair = [Series(name, table[:, 2 * i + j], colour, dash=dash) for j, (name, colour, dash) in enumerate(names)]
    today = table[pos, 2 * i : 2 * i + 2]
    last, d_model = len(table) - 1, table.shape[1]
    title = f"Pair {i} of 0 to {d_model // 2 - 1}; at position {pos}: {entries(table, pos, i)}"
    return charts.lines(
        range(last + 1),
        pair,
        title=title,
        x_title="position",
        x_range=(-0.5, 1.05 * last),
        y_range=(-1.3, 1.4),
        marks=[Mark(pos, value) for value in today],
        height=290,
        mode="lines+markers",
    )


def entries(table, pos: int, i: int) -> str:
    """Both entries of a pair at one position, in words.

    >>> entries(np.array([[0.0, 1.0]]), 0, 0)
    '0.000 and 1.000'
    """
    return " and ".join(map(number, table[pos, 2 * i : 2 * i + 2]))


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


def position_told(table, angle: float, turn: float, pos: int, i: int, pair: int) -> list[str]:
    """What to notice about a pair of columns; `pair` is the one asked for, which a narrow table does not have."""
    now, d_model = told(turn=turn, angle=angle, sine=table[pos, 2 * i], cosine=table[pos, 2 * i + 1]), table.shape[1]
    found = [
        f"Pair {i} turns once in **{now.turn:1}** positions; at position {pos} it stands at {now.angle:4} radians.",
        f"Column {2 * i} holds its sine, **{now.sine}**, column {2 * i + 1} its cosine, **{now.cosine}**.",
    ]
    if i < pair:
        found.append(f"With d_model = {d_model} the last pair is {i}: it stands here in place of pair {pair}.")
    return found


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


def first_weight(after, query: int) -> str:
    """The weight from a query to key 0, written out."""
    return words.softmax(f"w_{{{query},0}}", after.masked[query], 0, after.weights[query, 0])


def mask_told(now: SimpleNamespace, query: int, n_seen: int, n_keys: int) -> list[str]:
    """What to notice about the mask: how much of a query's weight it moves."""
    rest = ", over those alone." if n_seen else ": nothing is left to attend to."
    return [
        f"Query {query} sees **{n_seen} of {n_keys}** keys. Its weights sum to **{now.sum_before}**{rest}",
        f"Without the mask **{now.later}** of its weight went to keys that come later.",
    ]


def objective(kind: str) -> str | None:
    """The objective that a kind of question shows, if any.

    >>> objective("masked")
    'Explain masking in decoder'
    """
    return next((name for name, kinds in OBJECTIVES.items() if kind in kinds), None)


def practice_told(tolerance: float, n_kinds: int, fixed: bool) -> list[str]:
    """How the practice works; `fixed` is the document's own question."""
    found = [
        f"A number is right within {tolerance}: three decimals are enough. A right answer ticks its objective above.",
        f"Kind and number are in the link, so this question can be passed on. There are {n_kinds} kinds besides the "
        "document's own, with 1,000,000 questions each.",
    ]
    slip = "The answer printed in the document has a slip; the worked solution and the conventions below give both."
    return [*found, slip] if fixed else found


def conventions(now: SimpleNamespace, pos: int, d_model: int, query: int) -> list[tuple[str, str, str]]:
    """Where libraries, papers and slips differ, each with both numbers."""
    return [
        (
            "The document's practice question",
            f"{now.answer}",
            f"{now.printed} as printed: a slip, softmax of 0.7 in place of 0.7071",
        ),
        (
            "Scale for scores 8, 4, 0 with d_k = 4 in d_model = 16",
            f"1/√d_k: {now.by_d_k}",
            f"the slip 1/√d_model: {now.by_d_model}",
        ),
        (
            f"Columns of the table: position {pos}, column 1 of {d_model}",
            f"sine and cosine alternate: {now.alternating}",
            f"fairseq, all sines first: {now.halves}",
        ),
        (
            f"Exponent: position {pos}, column 2 of {d_model}",
            f"2i/d_model, one for each pair: {now.by_pair}",
            f"the slip of one for each column: {now.by_column}",
        ),
        (
            f"Mask before or after softmax: sum of row {query}",
            f"before: {now.sum_before}",
            f"the slip, after: {now.sum_after}",
        ),
    ]
