"""The forward pass as steps: for each step its matrices, and for each matrix the sum behind any of its cells."""

from typing import Any

import numpy as np

from ui.charts import theme
from ui.charts.heatmaps import Panel
from ui.labs.forward_pass import sums
from ui.labs.forward_pass.view import View

Cells = list[tuple[Panel, sums.How]]
MAP = ("query", "key")
LAST = "Softmax of each row"  # the title of the last matrix of all


def names(placement: str, final_norm: bool = False) -> list[str]:
    """The steps in their order, which depends on where the norms sit.

    >>> names("pre")[:3], names("none")[-2:]
    (['Embed', 'Norm 1', 'Q K V'], ['Add 2', 'Predict'])
    """
    first, second = (["Norm 1"], ["Norm 2"]) if placement != "none" else ([], [])
    last = ["Final norm", "Predict"] if final_norm else ["Predict"]
    if placement == "pre":
        return ["Embed", *first, "Q K V", "Attend", "Mix heads", "Add 1", *second, "Feed forward", "Add 2", *last]
    return ["Embed", "Q K V", "Attend", "Mix heads", "Add 1", *first, "Feed forward", "Add 2", *second, *last]


def cells(view: View, step: str) -> Cells:
    """The matrices of a step, inputs first, and the sum behind each cell."""
    return _STEPS[step](view)


def _named(view: View) -> dict[str, Any]:
    return {"rows": view.tokens, "columns": _numbered("d", view.x.shape[1]), "limit": 2}


def _numbered(letter: str, n: int) -> list[str]:
    return [f"{letter}{i}" for i in range(n)]


def _weight(values, title: str, symbol: str, rows: list[str] | None, columns: list[str]) -> tuple[Panel, sums.How]:
    panel = Panel(np.atleast_2d(values), title, rows, columns, limit=2, colour="weight", name=title)
    return panel, sums.given(symbol)


def _embed(view: View) -> Cells:
    trace, named = view.trace, _named(view)
    both = [trace.token_embeddings, trace.position_embeddings]
    row_of_word = sums.given("E", r"a parameter: the row of W\_E for this word")
    return [
        (Panel(both[0], "Rows of W_E", colour="weight", name="W_E", **named), row_of_word),
        (Panel(both[1], "Rows of W_P", colour="weight", name="W_P", **named), sums.given("W_P")),
        (Panel(trace.x, "x = token + position", name="x", **named), sums.added("x", both, trace.x)),
    ]


def _qkv(view: View) -> Cells:
    attention, head, h = view.block.attention, view.layer.heads[view.head], view.head
    dims, width = _numbered("d", view.x.shape[1]), head.W_Q.shape[1]
    made = [
        ("Q", head.W_Q, attention.q[h], "query", _numbered("q", width)),
        ("K", head.W_K, attention.k[h], "key", _numbered("k", width)),
        ("V", head.W_V, attention.v[h], "value", _numbered("v", width)),
    ]
    found = [(Panel(view.read, "x", name="x", **_named(view)), view.read_sum())]
    found += [_weight(W, f"W_{name}", f"W_{name}", dims, columns) for name, W, _, _, columns in made]
    for name, W, out, meaning, columns in made:
        panel = Panel(out, f"{name} = x·W_{name}", view.tokens, columns, limit=2, colour=meaning, name=name)
        found.append((panel, sums.product(name, view.read, W, out)))
    return found


def _attend(view: View) -> Cells:
    attention, h = view.block.attention, view.head
    head, q, k, v = attention.heads[h], attention.q[h], attention.k[h], attention.v[h]
    square: dict[str, Any] = {"rows": view.tokens, "columns": view.tokens, "axes": MAP}
    dims = _numbered("v", v.shape[1])
    factor, symbol = (q.shape[1] ** -0.5, r"1/\sqrt{d_k}") if view.settings["scale"] else (1.0, "1")
    scaled = "Scaled by 1/√d_k" if view.settings["scale"] else "Not scaled"
    values = sums.product("V", view.read, view.layer.heads[h].W_V, v)
    return [
        (Panel(head.scores, "Scores Q·Kᵀ", limit=1, name="S", **square), sums.product("S", q, k.T, head.scores)),
        (
            Panel(head.scaled, scaled, limit=1, name="Z", **square),
            sums.multiplied("Z", head.scores, factor, symbol, head.scaled),
        ),
        (
            Panel(head.masked, "Masked", limit=1, masked=~view.mask, name="M", **square),
            sums.masked("M", head.scaled, view.mask, head.masked),
        ),
        (
            Panel(head.weights, "Weights", kind="probability", name="A", **square),
            sums.softmaxed("A", head.masked, head.weights),
        ),
        (Panel(v, "V = x·W_V", view.tokens, dims, limit=2, colour="value", name="V"), values),
        (
            Panel(head.out, "Context: weights·V", view.tokens, dims, limit=2, name="C"),
            sums.product("C", head.weights, v, head.out),
        ),
    ]


def _mix(view: View) -> Cells:
    attention, layer = view.block.attention, view.layer
    width, n = attention.q.shape[2], len(layer.heads)
    bands = tuple((h * width, (h + 1) * width, theme.HEADS[h % 8]) for h in range(n))
    side = _numbered("c", n * width)
    beside = Panel(attention.concat, "Contexts side by side", view.tokens, side, limit=2, bands=bands, name="contexts")
    return [
        (beside, sums.side_by_side("C", attention, view.settings["active_heads"])),
        _weight(layer.W_O, "W_O", "W_O", side, _numbered("d", view.x.shape[1])),
        (Panel(attention.out, "Attention's output", name="O", **_named(view)), view.attended_sum()),
    ]


def _add_1(view: View) -> Cells:
    block, named = view.block, _named(view)
    return [
        (Panel(view.x, "The residual path", name="x", **named), view.x_sum()),
        (Panel(block.attention.out, "Attention's output", name="O", **named), view.attended_sum()),
        (Panel(block.after_attention, "Their sum", name="R", **named), view.after_attention_sum("R")),
    ]


def _add_2(view: View) -> Cells:
    block, named = view.block, _named(view)
    return [
        (Panel(view.middle, "The residual path", name="y", **named), view.middle_sum("y")),
        (Panel(block.feed_forward.out, "Feed-forward's output", name="F", **named), view.expanded_sum("F")),
        (Panel(block.after_feed_forward, "Their sum", name="R", **named), view.after_feed_forward_sum("R")),
    ]


def _norm(view: View, before: Any, how: sums.How, out: Any, made: sums.How) -> Cells:
    named = _named(view)
    return [
        (Panel(before, "Before the norm", name="before", **named), how),
        (Panel(out, "After: mean 0, variance 1, then γ and β", name="N", **named), made),
    ]


def _norm_1(view: View) -> Cells:
    post = view.placement == "post"
    before, how = (view.block.after_attention, view.after_attention_sum("R")) if post else (view.x, view.x_sum())
    return _norm(view, before, how, view.block.norm_1.out, view.norm_1_sum("N", before))


def _norm_2(view: View) -> Cells:
    post = view.placement == "post"
    before = view.block.after_feed_forward if post else view.middle
    how = view.after_feed_forward_sum("R") if post else view.middle_sum("y")
    return _norm(view, before, how, view.block.norm_2.out, view.norm_2_sum("N", before))


def _feed_forward(view: View) -> Cells:
    part, layer, name = view.block.feed_forward, view.layer, view.settings["activation"].replace("_", " ")
    hidden: dict[str, Any] = {"rows": view.tokens, "columns": _numbered("f", part.hidden.shape[1]), "limit": 2}
    made = sums.product("H", view.wide, layer.W_1, part.hidden, layer.b_1)
    applied = sums.applied("a", name, part.hidden, part.activated)
    dims, wide = _numbered("d", view.x.shape[1]), hidden["columns"]
    return [
        (Panel(view.wide, "y", name="y", **_named(view)), view.wide_sum("y")),
        _weight(layer.W_1, "W_1", "W_1", dims, wide),
        _weight(layer.b_1, "b_1", "b_1", ["b"], wide),
        (Panel(part.hidden, "Hidden: y·W_1 + b_1", name="H", **hidden), made),
        (Panel(part.activated, f"After {name}", name="a", **hidden), applied),
        _weight(layer.W_2, "W_2", "W_2", wide, dims),
        _weight(layer.b_2, "b_2", "b_2", ["b"], dims),
        (Panel(part.out, "Out: a·W_2 + b_2", name="F", **_named(view)), view.expanded_sum("F")),
    ]


def _last(view: View) -> View:
    return view._replace(at=len(view.layers) - 1)


def _final_norm(view: View) -> Cells:
    last, norm = _last(view), view.trace.final_norm
    ones, zeros = [1.0] * view.x.shape[1], [0.0] * view.x.shape[1]
    made = sums.normalised("N", last.block.out, norm, ones, zeros)
    return _norm(view, last.block.out, last.out_sum("y"), norm.out, made)


def _predict(view: View) -> Cells:
    trace, last, head = view.trace, _last(view), view.weights.W_LM_head
    over: dict[str, Any] = {"rows": view.tokens, "columns": list(view.weights.vocabulary)}
    if trace.final_norm is None:
        read, how = last.block.out, last.out_sum("y")
    else:
        read, how = trace.final_norm.out, _final_norm(view)[1][1]
    beside = max(len(head), len(view.weights.vocabulary) / 2)  # room for its numbers next to a wide head
    return [
        (Panel(read, "What the head reads", name="y", **_named(view), width=beside), how),
        _weight(head, "W_LM_head", r"W_{LM}", _numbered("d", len(head)), over["columns"]),
        (Panel(trace.logits, "Logits", limit=2, name="L", **over), sums.product("L", read, head, trace.logits)),
        (
            Panel(trace.probs, LAST, kind="probability", name="P", **over),
            sums.softmaxed("P", trace.logits, trace.probs),
        ),
    ]


_STEPS = {
    "Embed": _embed,
    "Q K V": _qkv,
    "Attend": _attend,
    "Mix heads": _mix,
    "Add 1": _add_1,
    "Norm 1": _norm_1,
    "Feed forward": _feed_forward,
    "Add 2": _add_2,
    "Norm 2": _norm_2,
    "Final norm": _final_norm,
    "Predict": _predict,
}
