"""The gradient of one weight written out: what it is multiplied with, and the way of the loss back to it."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ui.words import Words, bare, dot, terms, tex, told

LAYER = re.compile(r"layers\[(\d+)\]\.(?:heads\[(\d+)\]\.)?(.+)")


class Pass(NamedTuple):
    """One sentence: its ids, the engine's backward trace, and the share of all predicted tokens that are its own."""

    line: Sequence[int]
    back: Any
    share: float


class Factors(NamedTuple):
    """A gradient as a sum over tokens: what the weight is multiplied with (None: 1) times δ, what is behind it.

    The most telling token is at (sentence, position).
    """

    inputs: np.ndarray | None
    deltas: np.ndarray
    sentence: int
    position: int


def symbol(name: str) -> str:
    r"""A matrix as a formula writes it.

    >>> symbol("layers[0].heads[1].W_Q"), symbol("W_LM_head"), symbol("layers[0].norm_2.gamma")
    ('W_Q', 'W_{LM}', '\\gamma_2')
    """
    match = LAYER.fullmatch(name)
    last = match[3] if match else name
    norms = {f"norm_{i}.{part}": rf"\{part}_{i}" for i in (1, 2) for part in ("gamma", "beta")}
    return norms.get(last, last.replace("W_LM_head", "W_{LM}"))


def factors(name: str, cell: tuple[int, int], passes: list[Pass], placement: str) -> Factors:
    """The terms of d loss / d name[cell], one a token of every sentence; a word's row is met where the word stands."""
    r, c = cell
    inputs, deltas = [], []
    for one in passes:
        read, delta = _both(name, one, placement)
        ids = one.line[:-1]
        if name in ("W_E", "W_P"):
            met = np.equal(ids if name == "W_E" else range(len(ids)), r)
            deltas.append(np.where(met, delta[:, c], 0.0) * one.share)
        else:
            deltas.append(delta[:, c] * one.share)
            inputs += [] if read is None else [read[:, c if "gamma" in name else r]]
    every = np.concatenate(deltas)
    shares = np.abs(every * np.concatenate(inputs) if inputs else every)
    at = int(shares.argmax())
    ends = np.cumsum([len(part) for part in deltas])
    sentence = int(np.searchsorted(ends, at, side="right"))
    return Factors(
        np.concatenate(inputs) if inputs else None, every, sentence, at - int(ends[sentence] - len(deltas[sentence]))
    )


def written(name: str, cell: tuple[int, int], found: Factors, gradient: float) -> str:
    """The sum over tokens as a formula, terms that are exactly 0 left out where a row is met at some tokens only."""
    left = rf"\frac{{\partial L}}{{\partial {_cell(name, cell)}}}"
    if found.inputs is not None:
        return dot(left, found.inputs, found.deltas, gradient)
    met = [tex(delta) for delta in found.deltas if delta] or ["0"]
    return f"{left} = {terms(met)} = {bare(gradient)}"


def definition(name: str, cell: tuple[int, int], difference: Any, gradient: float, h: float) -> str:
    """The central difference beside the gradient."""
    short = rf"\frac{{L({_cell(name, cell)} + h) - L({_cell(name, cell)} - h)}}{{2h}}"
    return rf"{short} \approx {bare(difference.out, 8)} \quad\text{{against}}\quad {bare(gradient, 8)}"


def looking(name: str, one: Pass, position: int) -> int:
    """The token through whose row a gradient comes: keys and values are read by others, so one of those."""
    if not name.endswith(("W_K", "W_V")):
        return position
    layer, head, part = _parts(name)
    behind = one.back.blocks[layer].attention.heads[head]
    weights = one.back.forward.blocks[layer].attention.heads[head].weights[:, position]
    by = behind.d_scores[:, position] if part == "W_K" else weights * np.abs(behind.d_out).sum(axis=1)
    return int(np.abs(by).argmax())


def where(name: str, passes: list[Pass], found: Factors, words: Sequence[Words]) -> str:
    """A heading: the token at which the way back is shown."""
    one = passes[found.sentence]
    at = looking(name, one, found.position)
    now = told(token=words[one.line[at]])
    return f"The way of the loss to it, at “{now.token}” (position {at} of sentence {found.sentence + 1})"


def way_back(name: str, one: Pass, position: int, placement: str) -> str:
    """d loss / d every array that the loss passes on its way to a matrix: rows of the token that is `looking`."""
    stations = [(label, values * one.share) for label, values in _stations(name, one, position, placement)]
    return r" \to ".join(rf"\underbrace{{{_near_one(values)}}}_{{\text{{{label}}}}}" for label, values in stations)


def _near_one(values: np.ndarray) -> str:
    r"""A row as a power of ten times numbers near 1, its middle left out where it is long.

    >>> _near_one(np.array([0.00015, -0.0006])), _near_one(np.zeros(7))
    ('10^{-4} \\left[1.50,\\; -6.00\\right]', '\\left[0.00,\\; 0.00,\\; 0.00,\\; \\dots,\\; 0.00,\\; 0.00\\right]')
    """
    largest = float(np.abs(values).max())
    power = int(np.floor(np.log10(largest))) if largest else 0
    texts = [f"{value / 10.0**power + 0.0:.2f}".replace("-0.00", "0.00") for value in values]
    texts = texts if len(texts) <= 6 else [*texts[:3], r"\dots", *texts[-2:]]
    return (f"10^{{{power}}} " if power else "") + r"\left[" + r",\; ".join(texts) + r"\right]"


def _cell(name: str, cell: tuple[int, int]) -> str:
    vector = re.search(r"b_\d$|gamma$|beta$", name)
    return f"{symbol(name)}[{cell[1]}]" if vector else f"{symbol(name)}[{cell[0]},{cell[1]}]"


def _both(name: str, one: Pass, placement: str) -> tuple[np.ndarray | None, np.ndarray]:
    """What a matrix is multiplied with and d loss / d what comes out, (n, …) each."""
    back, forward = one.back, one.back.forward
    if name in ("W_E", "W_P"):
        return None, back.d_x
    if name == "W_LM_head":
        return forward.blocks[-1].out, back.d_logits
    layer, head, part = _parts(name)
    block, behind = forward.blocks[layer], back.blocks[layer]
    before = forward.blocks[layer - 1].out if layer else forward.x
    middle = block.norm_1.out if placement == "post" else block.after_attention
    if head is not None:
        read = block.norm_1.out if placement == "pre" else before
        return read, getattr(behind.attention, f"d_{part[-1].lower()}")[head]
    if part.startswith("norm"):
        norm = getattr(behind, part[:6])
        if norm is None:
            return None, np.zeros_like(back.d_x)
        return getattr(block, part[:6]).normalized if "gamma" in part else None, norm.d_out
    wide = block.norm_2.out if placement == "pre" else middle
    return {
        "W_O": (block.attention.concat, behind.attention.d_out),
        "W_1": (wide, behind.feed_forward.d_hidden),
        "b_1": (None, behind.feed_forward.d_hidden),
        "W_2": (block.feed_forward.activated, behind.feed_forward.d_out),
        "b_2": (None, behind.feed_forward.d_out),
    }[part]


def _parts(name: str) -> tuple[int, Any, str]:
    """Layer, head (None outside the heads) and the rest of a name."""
    layer, head, part = LAYER.findall(name)[0]
    return int(layer), int(head) if head else None, part


def _stations(name: str, one: Pass, position: int, placement: str) -> list[tuple[str, np.ndarray]]:
    """The arrays on the way in the order of the way back, up to what the matrix hands on."""
    back, at = one.back, looking(name, one, position)
    found = [("logits", back.d_logits[at])]
    layer, head, part = (0, None, "") if not name.startswith("layers") else _parts(name)
    if name == "W_LM_head":
        return found
    for above in range(len(back.blocks) - 1, layer, -1):
        found.append((f"out of layer {above}", back.blocks[above].d_out[at]))
    block = back.blocks[layer]
    dense, attention = block.feed_forward, block.attention
    post = placement == "post"
    found.append(("out of the block", block.d_out[at]))
    if part.startswith("norm_2") and post:
        return found
    found += [("before norm 2", block.d_after_feed_forward[at])] if post else []
    if part in ("W_2", "b_2"):
        return found
    if part in ("W_1", "b_1") or part.startswith("norm_2"):
        found += [("activated", dense.d_activated[at]), ("hidden", dense.d_hidden[at])]
        return found + (
            [("after norm 2", block.norm_2.d_out[at])] if part.startswith("norm_2") and block.norm_2 else []
        )
    found += [("after norm 1", block.norm_1.d_out[at])] if post else []
    if part.startswith("norm_1") and post:
        return found
    found.append(("after attention", block.d_after_attention[at]))
    if part == "W_O":
        return found
    if head is not None:
        kind, behind = {"W_Q": "query", "W_K": "key", "W_V": "value"}[part], attention.heads[head]
        found.append((f"context of head {head}", behind.d_out[at]))
        found += [("scores", behind.d_scores[at])] if part != "W_V" else []
        return [*found, (f"{kind} of token {position}", getattr(attention, f"d_{kind[0]}")[head][position])]
    if part.startswith("norm_1"):
        return found + ([("after norm 1", block.norm_1.d_out[at])] if block.norm_1 else [])
    return [*found, ("embedding", back.d_x[at])]
