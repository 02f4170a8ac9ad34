"""A language model's account as charts: its parameters, FLOPs, bytes in training, and the cache of keys and values."""

from typing import Any

import plotly.graph_objects as go

from ui.charts import BarPanel, Mark, Series, bar_rows, lines, treemap
from ui.words import short, size

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
    "router": "head_3",
}
DASH = {"scores and mixing": "dash", "feed-forward": "dashdot"}  # whose colours are others' to colour-blind eyes
BY_LENGTH: dict[str, Any] = {  # both charts against the tokens of a sequence
    "log_x": True,
    "log_y": True,
    "x_range": (1, 2**21),
    "x_ticks": {4**i: f"{4**i:,}" for i in range(0, 9, 2)},
}


def areas(trace: Any, name: str, n_layers: int) -> go.Figure:
    """Every matrix of the model as an area inside its block; the layers, all alike, are told once."""
    block = {"each layer": f"{n_layers} × layer" if n_layers > 1 else "1 layer"}
    blocks = [block.get(of, of) for of in trace.blocks]
    matrices = [folded.row for folded in trace.rows]
    labels = [name, *blocks, *(matrix.name for matrix in matrices)]
    parents = ["", *[name] * len(blocks), *(block.get(matrix.block, matrix.block) for matrix in matrices)]
    values = [trace.parameters, *trace.blocks.values(), *(folded.total for folded in trace.rows)]
    colours = ["line", *["panel"] * len(blocks), *(COLOUR.get(matrix.part, "ghost") for matrix in matrices)]
    return treemap(labels, parents, values, colours=colours, title=f"{trace.parameters:,} parameters", height=230)


def flops_by_length(trace: Any, contexts: list[int], sequence: int) -> go.Figure:
    """What a token costs against the length of its sequence, by part; today's in all is marked."""
    total, parts = trace.sweep.total, trace.sweep.parts
    curves = [Series("in all", total, "ink", dash="dot")]
    curves += [Series(part, costs, COLOUR[part], dash=DASH.get(part, "solid")) for part, costs in parts.items()]
    return lines(
        contexts,
        curves,
        y_title="FLOPs a token",
        x_title="tokens in the sequence",
        y_range=(min(map(min, parts.values())), 4 * total[-1]),
        height=230,
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
    needed = [
        f"{round(gpu.gib, 1):g} GiB · {'holds it' if gpu.cards == 1 else f'{gpu.cards:,} needed'}" for gpu in gpus
    ]
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
    return bar_rows([step, cards], row=18)


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
