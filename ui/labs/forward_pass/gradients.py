"""The gradients of −log p(next) by every matrix of a step, in their order, and the chain behind each cell."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ui.charts.heatmaps import NUMBERS_UP_TO, Panel
from ui.labs.forward_pass import chains
from ui.labs.forward_pass.back import Back
from ui.labs.forward_pass.chains import Chain
from ui.words import number

Slopes = list[tuple[Any, Chain]]
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


MOST_CELLS = 4_096  # of a matrix whose gradient is drawn under it: 64 tokens by 64


def fit(cells: Sequence[tuple[Panel, Any]]) -> bool:
    """Whether a step's matrices are small enough to be sent twice."""
    return all(np.size(panel.values) <= MOST_CELLS for panel, _ in cells)


def largest(slopes: Slopes) -> str:
    """The largest number of all gradients that are finite, as it is written."""
    return number(max(map(_most, (d for d, _ in slopes))))


def _most(d: np.ndarray) -> float:
    return float(np.abs(d[np.isfinite(d)]).max(initial=0))


def _round_above(most: float) -> float:
    """1, 2 or 5 times a power of ten, so that a scale stands still for a while.

    >>> _round_above(0.0013), _round_above(1.001), _round_above(0.0)
    (0.002, 2.0, 1.0)
    """
    if most <= 1e-300:
        return 1.0
    below = 10.0 ** np.floor(np.log10(most))
    return float(next(n * below for n in (1, 2, 5, 10) if most <= n * below))


def panels(beside: Sequence[Panel], slopes: Slopes) -> list[Panel]:
    """A heatmap under each matrix: its gradient; a small one is written in units of a power of ten."""
    return [_panel(one, d) for one, (d, _) in zip(beside, slopes, strict=True)]


def _panel(one: Panel, d: np.ndarray) -> Panel:
    most = _most(d)
    power = int(np.ceil(np.log10(most))) if most > 1e-300 else 0
    title = f"∂L/∂ {one.title.split(':')[0].split(' = ')[0]}"
    written = power < 0 and max(np.shape(d)) <= NUMBERS_UP_TO
    return Panel(
        d,
        f"{title} in 10{str(power).translate(RAISED)}" if written else title,
        one.rows,
        one.columns,
        limit=_round_above(most),
        colour="gradient",
        bands=((0, np.shape(d)[1], "gradient"),),
        words=[[number(g) for g in row] for row in np.round(d / 10.0**power, 3) + 0.0] if written else None,
        mark=one.mark,
        width=one.width,
    )


def slopes(back: Back, step: str) -> Slopes:
    """The gradient of each matrix of a step and the chain behind each cell, in the order of `stages.cells`."""
    return _STEPS[step](back)


def _embed(back: Back) -> Slopes:
    first, n = back.at(0), len(back.ids)
    d, ids = back.trace.d_x, list(back.ids)
    rows = back.trace.grads.W_E[ids]
    return [
        (rows, chains.word_row("E", ids, d, rows)),
        (back.trace.grads.W_P[:n], chains.word_row("W_P", range(n), d, d)),
        first.x(),
    ]


def _qkv(back: Back) -> Slopes:
    h, attention = back.view.head, back.block.attention
    head, scores = back.view.block.attention, attention.heads[h].d_scores
    silent = back.silent_head()
    made: Slopes = []
    for kind in "QKV":
        uses = [(one.view.read, getattr(one.block.attention, f"d_{kind.lower()}")[h]) for one in back.users]
        d = getattr(back.grads.heads[h], f"W_{kind}")
        made.append((d, chains.nothing(f"W_{kind}", silent) if silent else chains.gathered(f"W_{kind}", uses, d)))
    q, k = attention.d_q[h], attention.d_k[h]
    return [
        back.read(),
        *made,
        (q, chains.through("Q", scores, head.k[h].T, q, silent)),
        (k, chains.through("K", scores.T, head.q[h].T, k, silent)),
        _value(back, silent),
    ]


def _value(back: Back, silent: str) -> tuple[Any, Chain]:
    h = back.view.head
    weights, d = back.view.block.attention.heads[h].weights, back.block.attention.d_v[h]
    behind = back.block.attention.heads[h].d_out
    return d, chains.through("V", np.transpose(weights), np.transpose(behind), d, silent)


def _attend(back: Back) -> Slopes:
    h, view, silent = back.view.head, back.view, back.silent_head()
    forward, behind, v = view.block.attention.heads[h], back.block.attention.heads[h], view.block.attention.v[h]
    d_k = view.block.attention.q[h].shape[1]
    factor, symbol = (d_k**-0.5, r"1/\sqrt{d_k}") if view.settings["scale"] else (1.0, "1")
    own = slice(h * d_k, (h + 1) * d_k)
    softmax = chains.softmaxed("M", forward.weights, behind.d_weights, behind.d_scaled)
    if silent:
        softmax = chains.nothing("M", silent)
    return [
        (behind.d_scores, chains.times("S", factor, symbol, behind.d_scaled, behind.d_scores)),
        (behind.d_scaled, chains.unmasked("Z", view.mask, behind.d_scaled)),
        (behind.d_scaled, softmax),
        (behind.d_weights, chains.through("A", behind.d_out, v, behind.d_weights, silent)),
        _value(back, silent),
        (
            behind.d_out,
            chains.through("C", back.block.attention.d_out, view.layer.W_O[own], behind.d_out, silent),
        ),
    ]


def _mix(back: Back) -> Slopes:
    attention, W_O = back.block.attention, back.view.layer.W_O
    uses = [(one.view.block.attention.concat, one.block.attention.d_out) for one in back.users]
    return [
        (attention.d_concat, chains.through("C", attention.d_out, W_O, attention.d_concat)),
        _of_weight(back, "W_O", uses),
        back.attended(),
    ]


def _norm_1(back: Back) -> Slopes:
    if back.view.placement == "post":
        return [back.after_attention("R"), back.middle("N")]
    return [back.x(), back.read("N")]


def _norm_2(back: Back) -> Slopes:
    if back.view.placement == "post":
        return [back.after_feed_forward("R"), back.out("N")]
    return [back.middle("y"), back.wide("N")]


def _feed_forward(back: Back) -> Slopes:
    part, d, name = back.view.block.feed_forward, back.block.feed_forward, back.view.settings["activation"]
    function = chains.applied(
        "H", name.replace("_", " "), part.hidden, back.derivative(part.hidden), d.d_activated, d.d_hidden
    )
    both = [(one.view, one.block.feed_forward) for one in back.users]
    wide, narrow = (
        [(view.wide, dense.d_hidden) for view, dense in both],
        [(view.block.feed_forward.activated, dense.d_out) for view, dense in both],
    )
    return [
        back.wide("y"),
        _of_weight(back, "W_1", wide),
        _of_bias(back, "b_1", wide),
        (d.d_hidden, function),
        (d.d_activated, chains.through("a", d.d_out, back.view.layer.W_2, d.d_activated)),
        _of_weight(back, "W_2", narrow),
        _of_bias(back, "b_2", narrow),
        back.expanded(),
    ]


def _of_weight(back: Back, name: str, uses: list[chains.Use]) -> tuple[Any, Chain]:
    d = getattr(back.grads, name)
    return d, chains.gathered(name, uses, d)


def _of_bias(back: Back, name: str, uses: list[chains.Use]) -> tuple[Any, Chain]:
    """A bias meets 1 at every token."""
    d = getattr(back.grads, name)[None]
    return d, chains.gathered(name, [(np.ones((len(out), 1)), out) for _, out in uses], d)


def _final_norm(back: Back) -> Slopes:
    return [back.last.out("y"), back.final("N")]


def _predict(back: Back) -> Slopes:
    probs, d, head = back.trace.forward.probs, back.trace.d_logits, back.trace.grads.W_LM_head
    last = back.last.view.block.out
    read = last if back.trace.final_norm is None else back.view.trace.final_norm.out
    of_probs = np.zeros_like(probs)
    with np.errstate(divide="ignore"):
        of_probs[-1, back.right] = -1 / probs[-1, back.right]
    return [
        back.final("y"),
        (head, chains.gathered("W_{LM}", [(read, d)], head)),
        (d, chains.of_logits("L", probs, back.right, d)),
        (of_probs, chains.of_probs("P", probs, back.right, of_probs)),
    ]


_STEPS = {
    "Embed": _embed,
    "Q K V": _qkv,
    "Attend": _attend,
    "Mix heads": _mix,
    "Add 1": lambda back: [back.x(), back.attended(), back.after_attention("R")],
    "Norm 1": _norm_1,
    "Feed forward": _feed_forward,
    "Add 2": lambda back: [back.middle("y"), back.expanded(), back.after_feed_forward("R")],
    "Norm 2": _norm_2,
    "Final norm": _final_norm,
    "Predict": _predict,
}
