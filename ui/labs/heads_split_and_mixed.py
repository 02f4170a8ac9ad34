"""Heads in their colours: what they read and see, what they add to the output, and what a wrong reshape hands them."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from ui import charts
from ui.charts import Panel, theme
from ui.words import bare, number, terms, tex


def split(trace, q, k, v, tokens: list[str], names: list[str], active: Sequence[bool], at: int) -> go.Figure:
    """Q, K and V with the columns of each head in its colour, every head's map, and their contexts side by side."""
    bands = slices(trace)
    row = {"rows": tokens, "mark": (at, None), "digits": 2}
    maps = [
        Panel(
            head.weights,
            f"Map of {name}{'' if speaks else ', silent'}",
            columns=tokens,
            kind="probability",
            colour=colour if speaks else "ghost",
            **row,
        )
        for head, name, speaks, (_, _, colour) in zip(trace.heads, names, active, bands, strict=True)
    ]
    panels = [
        Panel(q, "Queries Q", limit=4, colour="query", bands=bands, **row),
        Panel(k, "Keys K", limit=2, colour="key", bands=bands, **row),
        Panel(v, "Values V", limit=2, colour="value", bands=bands, **row),
        *maps,
        Panel(trace.concat, "Concat", limit=2, bands=bands, **row),
    ]
    return charts.matrices(panels, per_row=3, cell=25)


def mixed(trace, W_O, tokens: list[str], names: list[str], at: int, column: int) -> go.Figure:
    """W_O with the rows of each head in its colour, the output, and each head's share in one row of it."""
    shares = [*trace.contributions[:, at], trace.out[at]]
    each = tuple((h, h + 1, colour) for h, (_, _, colour) in enumerate(slices(trace)))
    common = {"limit": 2, "digits": 2}
    added = Panel(
        shares,
        f"What each adds to “{tokens[at]}”",
        [*names, "output"],
        mark=(len(names), column),
        row_bands=each,
        **common,
    )
    panels = [
        Panel(W_O, "W_O", colour="weight", digits=2, mark=(None, column), row_bands=slices(trace)),
        Panel(trace.out, "Output = Concat · W_O", tokens, mark=(at, column), **common),
        added,
    ]
    return charts.matrices(panels, per_row=3, cell=25)


def reshaped(right, wrong, its_map, scrambled, tokens: list[str], held: list[str], head: int) -> go.Figure:
    """One head's queries and map, split by columns, and beside them those of the reshape, whose rows hold `held`."""
    width, colour = right.shape[1], theme.HEADS[head]
    own = [str(c) for c in range(head * width, (head + 1) * width)]
    places = [str(i) for i in range(len(tokens))]
    panels = [
        Panel(right, "Q split", tokens, own, limit=4, digits=1, colour=colour),
        Panel(its_map, "Its map", tokens, tokens, kind="probability", digits=2, colour=colour),
        Panel(wrong, "Q reshaped", held, limit=4, digits=1, colour="ghost"),
        Panel(scrambled, "Its map", held, places, kind="probability", digits=2, colour="ghost"),
    ]
    return charts.matrices(panels, per_row=4, cell=25)


def slices(trace) -> tuple[tuple[int, int, str], ...]:
    """The columns of each head: (first, last and one more, colour)."""
    width = trace.q.shape[2]
    return tuple((h * width, (h + 1) * width, theme.HEADS[h]) for h in range(len(trace.q)))


def columns(first: int, width: int) -> str:
    """Columns in words.

    >>> columns(4, 4), columns(5, 1)
    ('columns 4–7', 'column 5')
    """
    return f"columns {first}–{first + width - 1}" if width > 1 else f"column {first}"


def held(origins, head: int, width: int, tokens: list[str]) -> list[str]:
    """Whose numbers, and from which columns, begin each row of a head after the reshape."""
    return [
        f"{tokens[token]} {first}{f'–{first + width - 1}' if width > 1 else ''}"
        for token, first in zip(origins.token[head], origins.column[head], strict=True)
    ]


def total(trace, names: list[str], at: int, column: int) -> str:
    """One cell of the output as the sum of what each head adds, as a formula."""
    shares = trace.contributions[:, at, column]
    parts = [rf"\underbrace{{{tex(s)}}}_{{\text{{{name}}}}}" for s, name in zip(shares, names, strict=True)]
    return rf"o_{{{column}}} = {terms(parts)} = {bare(trace.out[at, column])}"


def looks(trace, names: list[str], tokens: list[str], at: int, best: list[Any], n_seen: int) -> str:
    """Where each head looks most from one row; `best` are its favourites of the keys, of which it sees `n_seen`."""
    found = []
    for name, head, first in zip(names, trace.heads, best, strict=True):
        where = "all alike" if len(first) == n_seen > 1 else " and ".join(tokens[key] for key in first)
        found.append(f"{name}: {where} ({number(head.weights[at].max(), 2)})")
    return "; ".join(found)


def slip(trace, head: int, held: list[str], strangers: int, leak: str) -> str:
    """What the reshape without a transpose hands a head; `leak` is whose numbers reach token 0 past the causal mask."""
    n_heads, n, width = trace.q.shape
    own = columns(head * width, width)
    past = f" Row 0 of head {n_heads - 1} holds “{leak}”: joined to the other heads, it tells token 0 what the causal "
    return (
        f"`Q.reshape({n_heads}, {n}, {width})` keeps the order in memory, so it cuts Q by rows: row 1 of head {head} "
        f"should be “cat”, {own}, and holds “{held[1]}”. **{strangers} of {n}** rows hold another token. "
        f"Right is `Q.reshape({n}, {n_heads}, {width}).transpose(1, 0, 2)`." + (f"{past}mask hides." if leak else "")
    )


def silence(silent: list[str], trace, names: list[str], active: Sequence[bool], change: Any) -> str:
    """What the silent heads change in the output, and which heads add nothing without being silent."""
    each = zip(names, trace.largest_shares, active, strict=True)
    idle = [name for name, largest, speaks in each if speaks and largest == 0]
    told = (
        f"Silencing {', '.join(silent)} changes the output by up to **{change}**." if silent else "No head is silent."
    )
    if idle:
        told += f" {', '.join(idle)}: not silent, yet adds **exactly 0**. "
        told += "What it found meets only zeros in W_O, or is 0 itself."
    return told
