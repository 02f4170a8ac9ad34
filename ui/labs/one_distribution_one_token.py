"""One distribution as five ways of choosing leave it: their bars, the mass that top-p keeps, and draws that count."""

from typing import Any

import plotly.graph_objects as go

from ui.charts import BarPanel, Mark, Series, bar_rows, lines
from ui.words import listed, told


def ways_compared(traces: dict[str, Any], titles: list[str], words: list[str], model: Any, way: str) -> go.Figure:
    """A panel for each way, the model's own probabilities in grey behind its bars, the way drawn from coloured.

    Shapes: every trace has out and kept (n,), as `model`, for n words.
    """
    most = float(model.out.max())
    widest = next(x for x in (0.2, 0.4, 0.7, 1.0) if x == 1 or most <= 0.75 * x)
    panels = [
        BarPanel(
            title,
            (0, 1.3 * widest),
            one.out,
            "today" if name == way else "query",
            ghost=model.out,
            text=[f"{out}" if kept else "cut" for out, kept in zip(listed(one.out), one.kept, strict=True)],
            note=f"{one.kept.sum()} kept · {told(entropy=one.entropy).entropy:2} nats",
            rows=words if name == "greedy" else None,
        )
        for title, (name, one) in zip(titles, traces.items(), strict=True)
    ]
    return bar_rows(panels, phone=2)


def mass_kept(alone: Any, late: Any, words: list[str], p: float) -> go.Figure:
    """The running mass that top-p sees on its own and as one of three, and where it crosses p.

    `alone` and `late` are the stages: order and cumulative hold the words they saw, most likely first.
    """
    last, n = int(alone.kept.sum()), len(words)
    curves = [
        Series("top-p alone", [0, *alone.cumulative], "query"),
        Series("all three", [0, *late.cumulative], "head_3", range(len(late.order) + 1), "dash"),
        Series(f"p = {p:g}", [p, p], "today", [0, n], "dot", size=1),
    ]
    crossing = words[alone.order[last - 1]]
    return lines(
        range(n + 1),
        curves,
        title="Mass kept",
        x_title="words kept, most likely first",
        x_range=(0, n + 1),
        y_range=(0, 1.12),
        marks=[Mark(last, alone.cumulative[last - 1], crossing, at="top left" if last > 3 else "")],
        height=364,
        mode="lines+markers",
    )


def counted(draws: Any, kept, words: list[str], way: str) -> go.Figure:
    """How often each word came, over where its count should lie; those outside stand out. Shapes: all (n,)."""
    limit = next(limit for limit in (150, 350, 600, 1005) if draws.high.max() <= limit)
    ends = [
        f"{count} · {mean:.0f} ± {high - mean:.0f}" if stays else "cut"
        for count, mean, high, stays in zip(draws.counts, draws.mean, draws.high, kept, strict=True)
    ]
    panel = BarPanel(
        f"1,000 draws from {way}",
        (0, 1.3 * limit),
        note="dot: drawn · line and band: expected ± 2σ",
        rows=words,
        band=(draws.low, draws.high),
        ticks=draws.mean,
        dots=draws.counts,
        ends=ends,
        x_title="times drawn",
        dot_colour=["today" if out else "query" for out in draws.outside],
    )
    return bar_rows([panel])


def below_the_line(now: Any, *, heated: bool) -> str:
    """What the sum behind one word runs over; `now` tells how many are `left`, the word and its probability.

    >>> now = told(left=2, top="mat", before=0.5, out=0.75)
    >>> below_the_line(now, heated=True)
    '2 of 12 words are in the sum below the line; the model itself gives mat 0.500.'
    """
    if heated or f"{now.out}" == f"{now.before}":
        return f"{now.left} of 12 words are in the sum below the line; the model itself gives {now.top} {now.before}."
    return (
        f"The sum below the line runs over the {now.left} kept: what is cut is shared out among them in proportion, "
        f"so {now.top} rises from {now.before} to {now.out}."
    )
