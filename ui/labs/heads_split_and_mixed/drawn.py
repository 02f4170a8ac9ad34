"""Heads in their colours: what they read and see, what they add to the output, what a wrong reshape hands them."""

from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go

from ui import charts
from ui.charts import Panel, theme
from ui.labs.heads_split_and_mixed.example import FEATURES

FIRST_MAP = 4  # panels before the maps


def split(
    trace, x, q, k, v, tokens: list[str], names: list[str], active: Sequence[bool], at: int, key: int
) -> go.Figure:
    """X, then Q, K and V with the columns of each head in its colour, and the map of every head."""
    bands, shared = slices(trace), slices(trace, len(trace.k))
    common: dict[str, Any] = {"rows": tokens, "digits": 2}
    of_query, of_key = common | {"mark": (at, None)}, common | {"mark": (key, None)}
    maps = [
        Panel(
            head.weights,
            f"Map of {name}{'' if speaks else ', silent'}",
            columns=tokens,
            kind="probability",
            colour=colour if speaks else "ghost",
            axes=("query", "key"),
            mark=(at, key),
            **common,
        )
        for head, name, speaks, (_, _, colour) in zip(trace.heads, names, active, bands, strict=True)
    ]
    panels = [
        Panel(x, "Tokens X", columns=FEATURES, limit=1, **of_query | {"digits": 1}),
        Panel(q, "Queries Q", limit=4, colour="query", bands=bands, **of_query),
        Panel(k, "Keys K", limit=2, colour="key", bands=shared, **of_key),
        Panel(v, "Values V", limit=2, colour="value", bands=shared, **of_key),
        *maps,
    ]
    return charts.matrices(panels, per_row=3, cell=24)


def picks_of_split(trace) -> dict[str, Callable[[dict], int | None]]:
    """What a click on the first picture chooses: a query in X and Q, a key in K and V, all three in a map."""
    n_heads, _, width = trace.q.shape
    in_map = lambda at: FIRST_MAP <= at["panel"] < FIRST_MAP + n_heads
    return {
        "query": lambda at: None if at["panel"] in (2, 3) else at["row"],
        "key": lambda at: at["row"] if at["panel"] in (2, 3) else at["column"] if in_map(at) else None,
        "head": lambda at: (
            at["panel"] - FIRST_MAP if in_map(at) else at["column"] // width if at["panel"] == 1 else None
        ),
    }


def mixed(trace, W_O, tokens: list[str], names: list[str], at: int, column: int) -> go.Figure:
    """The contexts side by side times W_O, its rows in the heads' colours, is the output; what each adds to one row."""
    shares = [*trace.contributions[:, at], trace.out[at]]
    each = tuple((h, h + 1, colour) for h, (_, _, colour) in enumerate(slices(trace)))
    common: dict[str, Any] = {"limit": 2, "digits": 2}
    panels = [
        Panel(trace.concat, "Concat", tokens, mark=(at, None), bands=slices(trace), **common),
        Panel(W_O, "W_O", colour="weight", digits=2, mark=(None, column), row_bands=slices(trace)),
        Panel(trace.out, "Output = Concat · W_O", tokens, mark=(at, column), **common),
        Panel(
            shares,
            f"What each adds to “{tokens[at]}”",
            [*names, "output"],
            mark=(len(names), column),
            row_bands=each,
            **common,
        ),
    ]
    return charts.matrices(panels, per_row=3, cell=24)


def picks_of_mixed(trace) -> dict[str, Callable[[dict], int | None]]:
    """What a click on the second picture chooses: a query, a head, and outside Concat a column of the output."""
    n_heads, _, width = trace.q.shape
    head = {
        0: lambda at: at["column"] // width,
        1: lambda at: at["row"] // width,
        2: lambda at: None,
        3: lambda at: at["row"] if at["row"] < n_heads else None,
    }
    return {
        "column": lambda at: at["column"] if at["panel"] else None,
        "query": lambda at: at["row"] if at["panel"] in (0, 2) else None,
        "head": lambda at: head[at["panel"]](at),
    }


def reshaped(right, wrong, its_map, scrambled, tokens: list[str], held: list[str], head: int) -> go.Figure:
    """One head's queries and map, split by columns, and beside them those of the reshape, whose rows hold `held`."""
    width, colour = right.shape[1], theme.HEADS[head]
    own = [str(c) for c in range(head * width, (head + 1) * width)]
    places = [str(i) for i in range(len(tokens))]
    seen: dict[str, Any] = {"kind": "probability", "digits": 2, "axes": ("query", "key")}
    panels = [
        Panel(right, "Q split", tokens, own, limit=4, digits=1, colour=colour),
        Panel(its_map, "Its map", tokens, tokens, colour=colour, **seen),
        Panel(wrong, "Q reshaped", held, limit=4, digits=1, colour="ghost"),
        Panel(scrambled, "Its map", held, places, colour="ghost", **seen),
    ]
    return charts.matrices(panels, per_row=4, cell=25)


def slices(trace, n_heads: int | None = None) -> tuple[tuple[int, int, str], ...]:
    """The columns of each head: (first, last and one more, colour); key heads have the colour of their first reader."""
    n, _, width = trace.q.shape
    n_heads = n_heads or n
    return tuple((h * width, (h + 1) * width, theme.HEADS[h * n // n_heads]) for h in range(n_heads))
