"""One distribution as six ways of choosing leave it: their bars, the mass that top-p keeps, and draws that count."""

from typing import Any

import plotly.graph_objects as go

from ui.charts import BarPanel, Mark, Series, bar_rows, lines
from ui.words import agree, counted, listed, number, softmax, told


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
            note=f"{one.kept.sum()} kept · {number(one.entropy, 2)} nats",
            rows=words if name == "greedy" else None,
        )
        for title, (name, one) in zip(titles, traces.items(), strict=True)
    ]
    return bar_rows(panels, row=18, phone=2)


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
        height=310,
        mode="lines+markers",
    )


def drawn(draws: Any, kept, words: list[str], way: str) -> go.Figure:
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
    return bar_rows([panel], row=18)


def noticed(now: Any, in_order: dict[str, int], seats: list[tuple]) -> list[str | tuple[Any, str]]:
    """What to notice, each sentence with its claim; `now` tells the numbers, `in_order` how many each order keeps.

    `seats` are (word, whether it ties for the last place of top-k, whether top-k keeps it), one for each word.
    """
    words, n, same = lambda n: counted(n, "word", "words"), len(seats), len(set(in_order.values())) == 1
    seated = listed(word for word, ties, stays in seats if ties and stays)
    cut = listed(word for word, ties, stays in seats if ties and not stays)
    return [
        (now.first == 1, f"Greedy always says **{now.best}**."),
        (
            now.first > 1,
            f"Greedy always says **{now.best}**: {now.first} words tie for the first place, and the first in the list "
            "wins, as in NumPy and PyTorch.",
        ),
        f"Top-k keeps **{words(now.k)}** whatever the shape; the least likely of them, {now.edge}, has probability "
        f"**{now.edge_out}**. Top-p keeps **{words(now.kept)}** here, which {agree(now.kept, 'holds', 'hold')} "
        f"{now.held} of the mass, and cuts {now.cut}; the least likely, {now.last}, has probability "
        f"**{now.last_out}**.",
        (
            len(cut) > 0,
            f"**{len(seated) + len(cut)} words tie for place {now.k}** of top-k: {seated} "
            f"{agree(len(seated), 'stays', 'stay')}, as the first in the list; {cut} {agree(len(cut), 'is', 'are')} "
            "cut.",
        ),
        f"Min-p keeps **{words(now.kept_by_min)}**: all with a probability of at least {now.min_p:g} · {now.largest}, "
        "its share of the largest.",
        (
            now.temperature == 0,
            f"Temperature 0 leaves one word: the entropy goes from {now.entropy} to **{now.heated}** nats.",
        ),
        (
            now.temperature == 1,
            f"Temperature 1 changes nothing: the entropy stays {now.entropy} of at most {now.most} nats.",
        ),
        (
            now.temperature not in (0, 1),
            f"Temperature {now.temperature:g} moves the entropy from {now.entropy} to **{now.heated}** of at most "
            f"{now.most} nats, and cuts nothing.",
        ),
        (
            same,
            f"All three together keep **{in_order[min(in_order)]} of {n}** in any of the four orders: here the order "
            "does not matter.",
        ),
        (
            not same,
            "The order matters here: all three together keep "
            + ", ".join(f"**{kept}** ({name})" for name, kept in in_order.items())
            + ".",
        ),
        (now.left == 1, f"Only one word can come under {now.way}, so it comes every time."),
        (
            now.left > 1,
            f"Of the {now.left} words that can come under {now.way}, **{now.outside}** "
            f"{agree(now.outside, 'lies', 'lie')} outside ± 2σ in these 1,000 draws; on average about one in twenty "
            "would.",
        ),
    ]


def libraries_differ(now: Any, order: str, in_order: dict[str, int]) -> list[tuple[str, str, str]]:
    """Where libraries choose in another way, with what it comes to now: rows of a table."""
    first, last = in_order["T, top-k, top-p"], in_order["top-k, top-p, T"]
    return [
        (
            f"Top-k when words tie for place {now.k}",
            f"exactly k, lowest index first, as jax.lax.top_k: {now.k} kept",
            f"transformers, and vLLM's PyTorch code, keep all that tie with the k-th: {now.kept_by_k} kept",
        ),
        (
            "Top-p when words tie at its edge",
            f"the first in the list stays: {now.last} is the last one kept",
            f"transformers sorts upwards, so the last in the list stays: {now.later}",
        ),
        (
            "When the temperature acts",
            f"{order}: {in_order[order]} kept",
            f"first (transformers, vLLM): {first} kept; last (llama.cpp): {last} kept",
        ),
        (
            "Temperature 0",
            f"greedy, as in vLLM: {now.best} with probability 1",
            "transformers refuses it: its greedy is do_sample=False",
        ),
        (
            f"If {now.word} was said before: a penalty of 1.2",
            f"none: {now.before}",
            f"transformers (after CTRL), z / 1.2 or, below 0, z · 1.2: {now.divided}; OpenAI's presence penalty, "
            f"z − 1.2: {now.lowered}",
        ),
    ]


def sum_behind(now: Any, z, at: int, trace: Any, heat: float, way: str) -> tuple[list[str], str]:
    """The sum behind one word's probability as formulas, none if it is cut, and a sentence about it.

    `now` tells the word, what the model gives it and how many are left. Shapes: z (n,) logits, trace.kept (n,).
    """
    if not trace.kept[at]:
        return [], f"{now.word} is cut by {way}: it never comes. The model itself gives it {now.before}."
    summed, out = z[trace.survivors], told(out=trace.out[at]).out
    divisor = "" if heat in (0, 1) else f" / {heat:g}"
    formula = softmax("p", summed, trace.survivors.tolist().index(at), trace.out[at], divisor)
    if now.left == len(z):
        said = f"All {len(z)} words are in the sum below the line"
        return [formula], said + (
            f"; the model itself, at T = 1, gives {now.word} {now.before}." if divisor else ": nothing is cut."
        )
    said = f"The sum below the line runs over the {now.left} kept" if now.left > 1 else "Only this word is left"
    return [formula], (
        f"{said}: the probability of what is cut goes to the kept in proportion, so {now.word} goes from {now.before} "
        f"to {out}."
    )
