"""The forward pass as steps: for each step its matrices, and for each matrix the sum behind any of its cells."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ui.charts import theme
from ui.charts.heatmaps import Panel
from ui.labs.forward_pass import sums

Cells = list[tuple[Panel, sums.How]]


class View(NamedTuple):
    """What is looked at: one head of one layer of a trace. `mask` True = may attend; `settings` of `forward`."""

    trace: Any
    weights: Any
    layers: Sequence[Any]
    at: int
    head: int
    tokens: list[str]
    mask: Any
    settings: dict[str, Any]

    @property
    def layer(self) -> Any:
        """The layer's matrices."""
        return self.layers[self.at]

    @property
    def block(self) -> Any:
        """What the layer computed."""
        return self.trace.blocks[self.at]

    @property
    def x(self) -> Any:
        """What the layer reads."""
        return self.trace.blocks[self.at - 1].out if self.at else self.trace.x

    @property
    def placement(self) -> str:
        """Where the norms sit."""
        return self.settings["norm_placement"]


def names(placement: str) -> list[str]:
    """The steps in their order, which depends on where the norms sit.

    >>> names("pre")[:3], names("none")[-2:]
    (['Embed', 'Norm 1', 'Q K V'], ['Add 2', 'Predict'])
    """
    first, second = (["Norm 1"], ["Norm 2"]) if placement != "none" else ([], [])
    if placement == "pre":
        return ["Embed", *first, "Q K V", "Attend", "Mix heads", "Add 1", *second, "Feed forward", "Add 2", "Predict"]
    return ["Embed", "Q K V", "Attend", "Mix heads", "Add 1", *first, "Feed forward", "Add 2", *second, "Predict"]


def cells(view: View, step: str) -> Cells:
    """The matrices of a step, inputs first, and the sum behind each cell."""
    return _STEPS[step](view)


def _named(view: View) -> dict:
    return {"rows": view.tokens, "columns": _numbered("d", view.x.shape[1])}


def _numbered(letter: str, n: int) -> list[str]:
    return [f"{letter}{i}" for i in range(n)]


def _given(values, title: str, symbol: str, what: str, **panel) -> tuple[Panel, sums.How]:
    return Panel(values, title, **{"limit": 2.0, **panel}), sums.given(symbol, what)


def _weight(values, title: str, symbol: str, rows: list[str], columns: list[str]) -> tuple[Panel, sums.How]:
    return Panel(values, title, rows, columns, limit=2.0, colour="weight"), sums.given(symbol)


def _embed(view: View) -> Cells:
    trace, named = view.trace, _named(view)
    both = [trace.token_embeddings, trace.position_embeddings]
    return [
        (Panel(both[0], "Rows of W_E", limit=2, colour="weight", **named), sums.given("W_E")),
        (Panel(both[1], "Rows of W_P", limit=2, colour="weight", **named), sums.given("W_P")),
        (Panel(trace.x, "x = token + position", limit=2, **named), sums.added("x", both, trace.x)),
    ]


def _read(view: View):
    return view.block.norm_1.out if view.placement == "pre" else view.x


def _middle(view: View):
    return view.block.norm_1.out if view.placement == "post" else view.block.after_attention


def _qkv(view: View) -> Cells:
    attention, head, h, x = view.block.attention, view.layer.heads[view.head], view.head, _read(view)
    dims, widths = _numbered("d", x.shape[1]), _numbered("k", head.W_Q.shape[1])
    made = [
        ("Q", head.W_Q, attention.q[h], "query"),
        ("K", head.W_K, attention.k[h], "key"),
        ("V", head.W_V, attention.v[h], "value"),
    ]
    found = [_given(x, "x", "x", "what the sublayer reads", **_named(view))]
    found += [_weight(W, f"W_{name}", f"W_{name}", dims, widths) for name, W, _, _ in made]
    for name, W, out, meaning in made:
        panel = Panel(out, f"{name} = x·W_{name}", view.tokens, widths, limit=2, colour=meaning)
        found.append((panel, sums.product(name, x, W, out)))
    return found


def _attend(view: View) -> Cells:
    attention, h = view.block.attention, view.head
    head, q, k, v = attention.heads[h], attention.q[h], attention.k[h], attention.v[h]
    square, dims = {"rows": view.tokens, "columns": view.tokens}, _numbered("k", v.shape[1])
    factor, symbol = (q.shape[1] ** -0.5, r"1/\sqrt{d_k}") if view.settings["scale"] else (1.0, "1")
    scaled = "Scaled by 1/√d_k" if view.settings["scale"] else "Not scaled"
    return [
        (Panel(head.scores, "Scores Q·Kᵀ", limit=1, **square), sums.product("S", q, k.T, head.scores)),
        (Panel(head.scaled, scaled, limit=1, **square), sums.multiplied("Z", head.scores, factor, symbol, head.scaled)),
        (
            Panel(head.masked, "Masked", limit=1, masked=~view.mask, **square),
            sums.masked("M", head.scaled, view.mask, head.masked),
        ),
        (Panel(head.weights, "Weights", kind="probability", **square), sums.softmaxed("A", head.masked, head.weights)),
        _given(v, "V", "V", "a value", rows=view.tokens, columns=dims, colour="value"),
        (
            Panel(head.out, "Context: weights·V", view.tokens, dims, limit=2),
            sums.product("C", head.weights, v, head.out),
        ),
    ]


def _mix(view: View) -> Cells:
    attention, layer = view.block.attention, view.layer
    width, n = attention.q.shape[2], len(layer.heads)
    bands = tuple((h * width, (h + 1) * width, theme.HEADS[h % 8]) for h in range(n))
    side = _numbered("c", n * width)
    silent = "of a head's context; a silent head gives 0"
    return [
        _given(attention.concat, "Contexts side by side", "C", silent, rows=view.tokens, columns=side, bands=bands),
        _weight(layer.W_O, "W_O", "W_O", side, _numbered("d", view.x.shape[1])),
        (
            Panel(attention.out, "Attention's output", limit=2, **_named(view)),
            sums.product("O", attention.concat, layer.W_O, attention.out),
        ),
    ]


def _add(view: View, kept, made, out, what: str) -> Cells:
    named = _named(view)
    return [
        _given(kept, "The residual path", "x", "what came in", **named),
        _given(made, f"{what}'s output", "O", f"what the {what.lower()} adds", **named),
        (Panel(out, "Their sum", limit=2, **named), sums.added("R", [kept, made], out)),
    ]


def _norm(view: View, before, trace, norm) -> Cells:
    named = _named(view)
    after = Panel(trace.out, "After: mean 0, variance 1, then γ and β", limit=2, **named)
    return [
        _given(before, "Before the norm", "x", "what comes in", **named),
        (after, sums.normalised("N", before, trace, norm.gamma, norm.beta)),
    ]


def _norm_1(view: View) -> Cells:
    before = view.block.after_attention if view.placement == "post" else view.x
    return _norm(view, before, view.block.norm_1, view.layer.norm_1)


def _norm_2(view: View) -> Cells:
    before = view.block.after_feed_forward if view.placement == "post" else _middle(view)
    return _norm(view, before, view.block.norm_2, view.layer.norm_2)


def _feed_forward(view: View) -> Cells:
    part, layer, name = view.block.feed_forward, view.layer, view.settings["activation"].replace("_", " ")
    y = view.block.norm_2.out if view.placement == "pre" else _middle(view)
    wide = {"rows": view.tokens, "columns": _numbered("f", part.hidden.shape[1])}
    return [
        (
            Panel(part.hidden, "Hidden: y·W_1 + b_1", limit=2, **wide),
            sums.product("H", y, layer.W_1, part.hidden, layer.b_1),
        ),
        (Panel(part.activated, f"After {name}", limit=2, **wide), sums.applied("A", name, part.hidden, part.activated)),
        (
            Panel(part.out, "Out: a·W_2 + b_2", limit=2, **_named(view)),
            sums.product("F", part.activated, layer.W_2, part.out, layer.b_2),
        ),
    ]


def _predict(view: View) -> Cells:
    trace, last, head = view.trace, view.trace.blocks[-1].out, view.weights.W_LM_head
    over = {"rows": view.tokens, "columns": list(view.weights.vocabulary)}
    return [
        _given(last, "Last output", "y", "what the last layer hands on", **_named(view)),
        _weight(head, "W_LM_head", r"W_{LM}", _numbered("d", len(head)), over["columns"]),
        (Panel(trace.logits, "Logits", limit=2, **over), sums.product("L", last, head, trace.logits)),
        (
            Panel(trace.probs, "Softmax of each row", kind="probability", **over),
            sums.softmaxed("P", trace.logits, trace.probs),
        ),
    ]


_STEPS = {
    "Embed": _embed,
    "Q K V": _qkv,
    "Attend": _attend,
    "Mix heads": _mix,
    "Add 1": lambda v: _add(v, v.x, v.block.attention.out, v.block.after_attention, "Attention"),
    "Norm 1": _norm_1,
    "Feed forward": _feed_forward,
    "Add 2": lambda v: _add(v, _middle(v), v.block.feed_forward.out, v.block.after_feed_forward, "Feed-forward"),
    "Norm 2": _norm_2,
    "Predict": _predict,
}
