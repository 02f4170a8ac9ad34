"""The formulas, sentences and rows of the lab on heads, from the numbers that were computed for it."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from ui import words
from ui.labs.heads_split_and_mixed.drawn import slices
from ui.words import agree, bare, counted, number, terms, tex


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


def weight(trace, head: int, at: int, key: int) -> list[str]:
    """How a head comes to one weight: the score of its own columns, divided, then softmax."""
    one, width = trace.heads[head], trace.q.shape[2]
    q, k = (row.round(12) for row in (trace.q[head, at], trace.k[trace.key_heads[head], key]))
    score, place = round(float(one.scores[at, key]), 12), f"{{{at},{key}}}"
    scaled = rf"z_{place} = \frac{{{bare(score)}}}{{\sqrt{{{width}}}}} = {bare(round(float(one.scaled[at, key]), 12))}"
    return [
        words.dot(f"s_{place}", q, k, score),
        scaled,
        words.softmax(f"w_{place}", one.masked[at].round(12), key, one.weights[at, key]),
    ]


def total(trace, W_O, head: int, at: int, column: int) -> list[str]:
    """One cell of the output as the sum of what each head adds, then how one head comes to its share."""
    shares = trace.contributions[:, at, column]
    parts = [rf"\underbrace{{{tex(share)}}}_{{\text{{head {h}}}}}" for h, share in enumerate(shares)]
    start, stop, _ = slices(trace)[head]
    name, context = rf"\text{{head {head}}}", trace.concat[at, start:stop]
    return [
        rf"o_{{{column}}} = {terms(parts)} = {bare(trace.out[at, column])}",
        words.dot(name, context, W_O[start:stop, column], shares[head]),
    ]


def looks(trace, tokens: list[str], at: int, best: list[Any], n_seen: int) -> str:
    """Where each head looks most from one row; `best` are its favourites of the keys, of which it sees `n_seen`."""
    found = []
    for h, (head, first) in enumerate(zip(trace.heads, best, strict=True)):
        where = "all alike" if len(first) == n_seen > 1 else words.together(tokens[key] for key in first)
        found.append(f"head {h}: {where} ({number(head.weights[at].max(), 2)})")
    return "; ".join(found)


def slip(trace, head: int, held: list[str], strangers: int, leak: str) -> str:
    """What the reshape without a transpose hands a head; `leak` is whose numbers reach token 0 past the causal mask."""
    n_heads, n, width = trace.q.shape
    own = columns(head * width, width)
    past = f" Row 0 of head {n_heads - 1} holds “{leak}”: joined to the other heads, it tells token 0 what the causal "
    return (
        f"`Q.reshape({n_heads}, {n}, {width})` keeps the order in memory, so it cuts Q by rows: row 1 of head {head} "
        f"should be “cat”, {own}, and holds “{held[1]}”. **{strangers} of {n}** rows "
        f"{agree(strangers, 'holds', 'hold')} another token. "
        f"Right is `Q.reshape({n}, {n_heads}, {width}).transpose(1, 0, 2)`." + (f"{past}mask hides." if leak else "")
    )


def idle_heads(trace, names: list[str], active: Sequence[bool]) -> list[tuple[Any, str]]:
    """Which heads add nothing without being silent, by the reason: the context is 0, or it meets only zeros in W_O."""
    found: dict[str, list[str]] = {"W_O holds only 0 there": [], "the context is 0 already": []}
    each = zip(slices(trace), names, trace.largest_shares, active, strict=True)
    for (start, stop, _), name, largest, speaks in each:
        if speaks and largest == 0:
            found[list(found)[0 if trace.concat[:, start:stop].any() else 1]].append(name)
    return [
        (some, f"Not silent, yet adding **exactly 0**: {words.together(some)}. The reason: {why}.")
        for why, some in found.items()
    ]


def empty_columns(trace, names: list[str], active: Sequence[bool]) -> list[tuple[bool, str]]:
    """Which columns of the output are 0 because the head that owns them is silent."""
    each = zip(slices(trace), names, active, strict=True)
    return [
        (
            not speaks and not trace.out[:, start:stop].any(),
            f"{columns(start, stop - start).capitalize()} of the output: all **0**, for {name} is silent.",
        )
        for (start, stop, _), name, speaks in each
    ]


def sharing(key_heads: Sequence[int]) -> str:
    """Which key head each head reads, head by head.

    >>> sharing([0, 0, 1, 1])
    '0 0 1 1'
    """
    return " ".join(map(str, key_heads))


def shared_keys(trace, full_size: int, now: SimpleNamespace) -> str:
    """What sharing keys and values changes, and what it saves; `full_size` are the numbers of a W_K for every head."""
    n_heads, n_kv = len(trace.q), len(trace.k)
    size = 2 * full_size * n_kv // n_heads
    return (
        f"{counted(n_heads, 'head reads', 'heads read')} {counted(n_kv, 'key head', 'key heads')}, head by head "
        f"{sharing(trace.key_heads)}. W_K and W_V are the means of those that share: {size} numbers in place of "
        f"{2 * full_size}; the output changes by up to **{now.change_shared}**."
    )


def conventions(trace, head: int, now: SimpleNamespace) -> list[tuple[str, str, str]]:
    """Where libraries and models differ, with both numbers."""
    n_heads, n_kv, width = len(trace.q), len(trace.k), trace.q.shape[2]
    own = columns(head * width, width)
    returned = (
        f"The weights that are handed out: {now.query} → {now.key}",
        f"a map for each head; head {head}: {now.weight}",
        f"PyTorch's nn.MultiheadAttention, unless told otherwise: their mean, {now.average}",
    )
    return [
        (
            f"Where W_Q of head {head} stands",
            f"X·W_Q: {own}",
            f"PyTorch's in_proj_weight, X·Wᵀ: {own.replace('column', 'row')}",
        ),
        *([returned] if f"{now.weight}" != f"{now.average}" else []),
        (
            "Key heads",
            f"{n_kv} for {counted(n_heads, 'head', 'heads')}",
            "Vaswani et al. 2017: as many as heads; Mistral-7B: 8 for 32",
        ),
    ]


def slips(trace, head: int, held: list[str], layout: tuple[int, int], now: SimpleNamespace) -> list[tuple]:
    """Mistakes that are easily made, with both numbers; `layout` are heads and key heads to share them out.

    `held` is what the rows hold after the wrong reshape. A slip that makes no difference now is left out.
    """
    n_heads, n_kv, width = len(trace.q), len(trace.k), trace.q.shape[2]
    own = f"cat {columns(head * width, width).split()[1]}"
    off = f", and an output that is off by up to {now.change_tiled}" if layout == (n_heads, n_kv) else ""
    rows = [
        (
            f"{now.weight}" != f"{now.by_model}",
            f"Scale: {now.query} → {now.key} in head {head}",
            f"1/√d_k = 1/√{width}: {now.weight}",
            f"1/√d_model = 1/√8: {now.by_model}",
        ),
        (
            held[1] != own,
            f"Row 1 of head {head}",
            f"split: {own}, its first number {now.split}",
            f"reshape alone: {held[1]}, its first number {now.reshaped}",
        ),
        (
            n_heads > 1,
            f"Numbers in W_Q of {n_heads} heads",
            f"8 × {width} each: {8 * width * n_heads}",
            f"{width} × {width} each: {width * width * n_heads}",
        ),
        (
            True,
            f"Which of {layout[1]} key heads each of {layout[0]} heads reads",
            f"neighbours share: {now.in_order}",
            f"dealt out in turn: {now.in_turn}{off}",
        ),
    ]
    return [tuple(row) for makes_a_difference, *row in rows if makes_a_difference]
