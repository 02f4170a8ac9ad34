"""Heads in their colours: what they read and see, what they add to the output, what a wrong reshape hands them."""

from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go

from ui import charts
from ui.charts import Panel, links, theme
from ui.charts.links import Link
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
            name=f"map {h}",
            **common,
        )
        for h, (head, name, speaks, (_, _, colour)) in enumerate(zip(trace.heads, names, active, bands, strict=True))
    ]
    panels = [
        Panel(x, "Tokens X", columns=FEATURES, limit=1, name="X", held="x", **of_query | {"digits": 1}),
        Panel(q, "Queries Q", limit=4, colour="query", bands=bands, name="Q", **of_query),
        Panel(k, "Keys K", limit=2, colour="key", bands=shared, name="K", **of_key),
        Panel(v, "Values V", limit=2, colour="value", bands=shared, name="V", **of_key),
        *maps,
    ]
    own, read = _columns(trace), _columns(trace, shared=True)
    way = [
        *(links.by_row(name, "X") for name in "QKV"),
        *(Link(f"map {h}", "", (("Q", "r", own[h]), ("K", "*", read[h]))) for h in range(len(own))),
    ]
    return charts.matrices(panels, per_row=3, cell=24, links=way)


def _columns(trace, *, shared: bool = False) -> list[str]:
    """For each head its columns of Q, or those of K and V that it reads: as links write them."""
    _, _, width = trace.q.shape
    at = trace.key_heads if shared else range(len(trace.q))
    return [f"{h * width}:{(h + 1) * width}" for h in at]


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


def mixed(trace, W_O, tokens: list[str], names: list[str], active: Sequence[bool], at: int, column: int) -> go.Figure:
    """The contexts side by side times W_O, its rows in the heads' colours, is the output; what each adds to one row."""
    shares = [*trace.contributions[:, at], trace.out[at]]
    each = tuple((h, h + 1, colour) for h, (_, _, colour) in enumerate(slices(trace)))
    common: dict[str, Any] = {"limit": 2, "digits": 2}
    panels = [
        Panel(trace.concat, "Concat", tokens, mark=(at, None), bands=slices(trace), name="Concat", **common),
        Panel(W_O, "W_O", colour="weight", digits=2, mark=(None, column), row_bands=slices(trace), name="W_O"),
        Panel(trace.out, "Output = Concat · W_O", tokens, mark=(at, column), name="Output", **common),
        Panel(
            shares,
            f"What each adds to “{tokens[at]}”",
            [*names, "output"],
            mark=(len(names), column),
            row_bands=each,
            name="shares",
            **common,
        ),
    ]
    return charts.matrices(panels, per_row=3, cell=24, links=_way_of_mixed(trace, active, at))


def _way_of_mixed(trace, active: Sequence[bool], at: int) -> list[Link]:
    """Each head's columns of Concat are its weights · its V, and meet its rows of W_O; nothing makes a silent one's."""
    own, n, width = _columns(trace), len(trace.q), trace.q.shape[2]
    contexts = [
        Link("Concat", "dot", ((f"map {h}", "r", "*"), ("V", "*", f"c{width * (kv - h):+}")), part=("*", own[h]))
        for h, kv in enumerate(trace.key_heads)
        if active[h]
    ]
    shares = [
        Link("shares", "dot", (("Concat", str(at), own[h]), ("W_O", own[h], "c")), part=(str(h), "*")) for h in range(n)
    ]
    total = Link("shares", "sum", (("shares", f"0:{n}", "c"),), part=(str(n), "*"))
    return [*contexts, links.product("Output", "Concat", "W_O"), *shares, total]


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


def reshaped(right, wrong, its_map, scrambled, tokens: list[str], held: list[str], head: int, origins) -> go.Figure:
    """One head's queries and map, split by columns, and beside them those of the reshape, whose rows hold `held`.

    `origins` is the engine's trace of where those rows come from.
    """
    width, colour = right.shape[1], theme.HEADS[head]
    own = [str(c) for c in range(head * width, (head + 1) * width)]
    places = [str(i) for i in range(len(tokens))]
    seen: dict[str, Any] = {"kind": "probability", "digits": 2, "axes": ("query", "key")}
    panels = [
        Panel(right, "Q split", tokens, own, limit=4, digits=1, colour=colour, name="split"),
        Panel(its_map, "Its map", tokens, tokens, colour=colour, name=f"map {head}", **seen),
        Panel(wrong, "Q reshaped", held, limit=4, digits=1, colour="ghost", name="reshaped"),
        Panel(scrambled, "Its map", held, places, colour="ghost", name="scrambled", **seen),
    ]
    begins = zip(origins.token[head], origins.column[head], strict=True)
    way = [
        Link("split", "", (("Q", "r", f"c+{head * width}"),)),
        *(
            Link("reshaped", "", (("Q", str(token), f"c+{column}"),), part=(str(r), "*"))
            for r, (token, column) in enumerate(begins)
        ),
        links.by_row("scrambled", "reshaped"),
    ]
    return charts.matrices(panels, per_row=4, cell=25, links=way)


def slices(trace, n_heads: int | None = None) -> tuple[tuple[int, int, str], ...]:
    """The columns of each head: (first, last and one more, colour); key heads have the colour of their first reader."""
    n, _, width = trace.q.shape
    n_heads = n_heads or n
    return tuple((h * width, (h + 1) * width, theme.HEADS[h * n // n_heads]) for h in range(n_heads))
