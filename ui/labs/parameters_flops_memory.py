"""A language model's account: its dials, and its parameters, FLOPs and bytes as charts, sums and tables."""

from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go

from ui.charts import BarPanel, Mark, Series, bar_rows, lines, treemap
from ui.page import controls
from ui.words import plain, short, size

COLOUR = {
    "token embedding": "key",
    "position embedding": "head_5",
    "segment embedding": "head_4",
    "attention matrices": "query",
    "scores and mixing": "head_6",
    "feed-forward matrices": "weight",
    "feed-forward": "weight",
    "output head": "value",
    "pooler": "head_2",
    "pooler matrices": "head_2",
}
BY_LENGTH = {  # both charts against the tokens of a sequence
    "log_x": True,
    "log_y": True,
    "x_range": (1, 2**21),
    "x_ticks": {4**i: f"{4**i:,}" for i in range(0, 9, 2)},
}

SIZES = {  # dial: (least, most, help)
    "vocab_size": (1, 10**6, None),
    "d_model": (1, 65_536, None),
    "n_layers": (1, 200, None),
    "n_heads": (1, 512, None),
    "n_kv_heads": (0, 512, "Heads that keep keys and values; 0: as many as n_heads."),
    "head_dim": (0, 1_024, "0: d_model / n_heads."),
    "d_ff": (1, 10**6, None),
    "context": (1, 10**6, "Rows of the position table, where there is one."),
    "token_types": (0, 16, "Rows of the segment table: 2 in BERT."),
}
SWITCHES = {
    "gated": "A third feed-forward matrix, W_gate.",
    "tied": "The output head is the token table again.",
    "final_norm": "A norm after the last layer.",
    "embedding_norm": "A norm before the first layer.",
    "pooler": "A dense layer over the first token, no output head.",
}


def model_dials(own: str, start: dict, kinds: dict[str, Sequence[str]]) -> dict:
    """All dials, first set as in `start`; `own` keeps those of one model apart from another's.

    `kinds` are the dials with named options. n_kv_heads and head_dim are None, shown as 0, where they follow from the
    others.
    """
    sizes = {
        name: controls.whole(f"{own}.{name}", name, least, most, start[name] or 0, help=words)
        for name, (least, most, words) in SIZES.items()
    }
    return (
        {name: value if value or name == "token_types" else None for name, value in sizes.items()}
        | {name: controls.choice(f"{own}.{name}", name, options, start[name]) for name, options in kinds.items()}
        | {name: controls.toggle(f"{own}.{name}", name, start[name], help=words) for name, words in SWITCHES.items()}
    )


def areas(trace: Any, name: str, n_layers: int) -> go.Figure:
    """Every matrix of the model as an area inside its block; the layers, all alike, are told once."""
    block = {"each layer": f"{n_layers} × layer" if n_layers > 1 else "1 layer"}
    blocks = [block.get(of, of) for of in trace.blocks]
    matrices = [folded.row for folded in trace.rows]
    labels = [name, *blocks, *(matrix.name for matrix in matrices)]
    parents = ["", *[name] * len(blocks), *(block.get(matrix.block, matrix.block) for matrix in matrices)]
    values = [trace.parameters, *trace.blocks.values(), *(folded.total for folded in trace.rows)]
    colours = ["line", *["panel"] * len(blocks), *(COLOUR.get(matrix.part, "ghost") for matrix in matrices)]
    return treemap(labels, parents, values, colours=colours, title=f"{trace.parameters:,} parameters", height=350)


def flops_by_length(trace: Any, contexts: list[int], sequence: int) -> go.Figure:
    """What a token costs against the length of its sequence, by part; today's in all is marked."""
    total, parts = trace.sweep.total, trace.sweep.parts
    curves = [Series("in all", total, "ink", dash="dot")]
    curves += [Series(part, costs, COLOUR[part]) for part, costs in parts.items()]
    return lines(
        contexts,
        curves,
        y_title="FLOPs a token",
        x_title="tokens in the sequence",
        y_range=(min(map(min, parts.values())), 4 * total[-1]),
        height=350,
        marks=[Mark(sequence, trace.forward_total, short(trace.forward_total))],
        **BY_LENGTH,
    )


def memory_beside_cards(trace: Any) -> go.Figure:
    """What a training step holds, by part, beside the memory of one card of each kind."""
    in_all, gpus = size(trace.memory_total, binary=True), trace.gpus
    held = zip(trace.memory.values(), trace.memory_share, strict=True)
    step = BarPanel(
        "One training step",
        (0, 1),
        trace.memory_share,
        ["weight", "gradient", "weight", "key", "value", "value", "query"],
        [f"{size(part, binary=True)} · {share:.1%}" for part, share in held],
        f"{in_all} in all",
        list(trace.memory),
    )
    needed = [f"{gpu.gib} GiB · {'holds it' if gpu.cards == 1 else f'{gpu.cards:,} needed'}" for gpu in gpus]
    cards = BarPanel(
        "Memory of one GPU",
        (0, 290),
        [trace.memory_gib, *(gpu.gib for gpu in gpus)],
        ["today", *("query" if gpu.cards == 1 else "ghost" for gpu in gpus)],
        [in_all, *needed],
        "the dotted line is this step",
        ["this step", *(gpu.name for gpu in gpus)],
        mark=trace.memory_gib,
        x_title="GiB",
    )
    return bar_rows([step, cards])


def caches(sweep: dict[int, Any], contexts: list[int], sequence: int, n_kv_heads: int) -> go.Figure:
    """The KV cache against the tokens read, for every number of KV heads in `sweep`, this model's coloured."""
    curves = [
        Series(f"{heads} (this model)", cache, "today")
        if heads == n_kv_heads
        else Series(str(heads), cache, "ghost", dash="dash" if heads == 1 else "dot")
        for heads, cache in sweep.items()
    ]
    today = sweep[n_kv_heads][contexts.index(sequence)]
    return lines(
        contexts,
        curves,
        title="KV cache of one sequence, by KV heads",
        x_title="tokens read",
        y_range=(min(map(min, sweep.values())), 4 * max(map(max, sweep.values()))),
        y_ticks={2**i: size(2**i, binary=True) for i in range(0, 50, 5)},
        height=320,
        marks=[Mark(sequence, today, size(today, binary=True))],
        **BY_LENGTH,
    )


def exact(n: float) -> str:
    """A count with all its digits, for a formula.

    >>> exact(1234567), exact(1234.0)
    ('1{,}234{,}567', '1{,}234')
    """
    return f"{n:,}".removesuffix(".0").replace(",", "{,}")


def cost_of_a_token(trace: Any, config: Any, sequence: int) -> str:
    """The sum behind a token's way through the model, with the numbers of `config`."""
    pooled, pooling = (r" + 2 d^2 / s", rf" + 2 \cdot {config.d_model}^2 / {sequence}") if config.pooler else ("", "")
    names = rf"2 N + 4 \cdot \text{{layers}} \cdot s \cdot \text{{heads}} \cdot d_\text{{head}}{pooled}"
    sizes = [config.n_layers, sequence, config.n_heads, config.head_dim]
    mixing = r" \cdot ".join(map(str, [4, *sizes]))
    return rf"{names} = 2 \cdot {exact(trace.multiplying)} + {mixing}{pooling} = {exact(trace.forward_total)}"


def cached(trace: Any, config: Any, sequence: int, batch: int, width: int) -> str:
    """The product behind the KV cache; `width` is the bytes of a number."""
    names = [r"\text{layers}", r"\text{KV heads}", r"d_\text{head}", "s", r"\text{batch}", r"\text{bytes}"]
    sizes = [config.n_layers, config.n_kv_heads, config.head_dim, sequence, batch, width]
    product, numbers = (r" \cdot ".join(["2", *map(str, parts)]) for parts in (names, sizes))
    return rf"{product} = {numbers} = {exact(trace.kv_cache)}\text{{ bytes}}"


def parameter_sums(trace: Any) -> str:
    """A table of every matrix and the sum behind its count."""
    table = ["| Matrix | Sum |", "|---|---|"]
    for row, times, total in trace.rows:
        folded = f", times {times} layers = {total:,}" if times > 1 else ""
        table.append(f"| {plain(row.name)}, {row.part} | {plain(row.formula)}{folded} |")
    return "\n".join([*table, f"| **parameters in all** | **{trace.parameters:,}** |"])


def bytes_held(trace: Any) -> str:
    """A table of what a training step holds: in bytes, and in both kinds of units."""
    three = lambda held: f"{held:,} bytes = {size(held)} = {size(held, binary=True)}"
    table = [f"| {part} | {three(held)} |" for part, held in trace.memory.items()]
    in_all = f"| **a training step in all** | **{three(trace.memory_total)}** |"
    return "\n".join(["| In training | Held |", "|---|---|", *table, in_all])


def ways_of_counting(ways: Sequence[Any], show: Callable[[float], str] = "{:,}".format) -> str:
    """Ways of counting, each with its number."""
    return "; ".join(f"{way.name}: {show(way.value)}" for way in ways)
