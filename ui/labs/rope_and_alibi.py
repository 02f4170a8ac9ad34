"""What the lab on RoPE and ALiBi alone draws: the plane of a pair, the score by offset, weights with a bias, slopes."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from ui.charts import links
from ui.charts.hands import Handle
from ui.charts.heatmaps import Panel, matrices
from ui.charts.parts import Arrow, Mark, Series
from ui.charts.plots import arrows, lines
from ui.words import bare, number, tex

AS = {"pairs": "RoFormer, GPT-J and Meta's Llama", "halves": "GPT-NeoX and Llama in Hugging Face transformers"}
POWERS = {1: "1", 1 / 4: "1/4", 1 / 16: "1/16", 1 / 64: "1/64", 1 / 256: "1/256"}


class Way(NamedTuple):
    """A vector in the plane of one pair: at position 0, before it was moved, now (2,) each; its way there (n, 2)."""

    start: Any
    before: Any
    now: Any
    trail: Any


def turned_to(at: dict, way: Way, wave: float, place: int) -> int:
    """The place of a vector that a hand has turned, the nearest one to where it was; `wave` is the places of a turn.

    >>> turned_to({"x": 0.0, "y": 1.0}, Way((1, 0), (1, 0), (1, 0), None), 8.0, 17)
    18
    """
    angle = math.atan2(at["y"], at["x"]) - math.atan2(way.start[1], way.start[0])
    there = wave * angle / (2 * math.pi)
    return round(there + wave * round((place - there) / wave))


def tips(wave: float, shift: int, **ways: tuple[Way, int]) -> list[Handle]:
    """The tips of query and key, to be turned to another place; each comes with its place before both are moved."""

    def place_of(way: Way, place: int) -> Callable[[dict], int]:
        return lambda at: turned_to(at, way, wave, place + shift) - shift

    return [
        Handle({name: place_of(way, place)}, float(way.now[0]), float(way.now[1]))
        for name, (way, place) in ways.items()
    ]


def plane(pair: int, columns: Sequence[int], wave: float, q: Way, k: Way, *, moved: bool) -> go.Figure:
    """The arrows of query and key in the plane of two columns; grey ones tell where they stood before they moved."""
    drawn, trails = [], []
    for name, colour, way in (("q", "query", q), ("k", "key", k)):
        x, y = way.trail.T
        trails.append(Series(f"way of {name}", y, colour, x, dash="dot"))
        drawn.append(Arrow(way.start[0], way.start[1], colour=colour, dash="dot", head=False))
        if moved:
            drawn.append(Arrow(way.before[0], way.before[1], colour="ghost"))
        drawn.append(Arrow(way.now[0], way.now[1], name, colour))
    return arrows(
        drawn,
        limit=2.2,
        title=f"Pair {pair}: a turn in {number(wave, 1)} places",
        x_title=f"d{columns[0]}",
        y_title=f"d{columns[1]}",
        paths=trails,
        height=270,
    )


def score_chart(offsets: Sequence[float], scores, offset: int, score: float) -> go.Figure:
    """The score against the offset of the key, and today's; the axis ends on a whole number."""
    top = float(math.ceil(abs(scores).max() + 0.25))
    return lines(
        offsets,
        [Series("score", scores)],
        title=f"RoPE: q·k = {number(score)}",
        x_title="key − query",
        x_range=(offsets[0], offsets[-1]),
        y_range=(-top, top),
        marks=[Mark(offset, score)],
        height=270,
    )


def bias_and_weights(bias, mask, without, biased, slope: float) -> go.Figure:
    """The bias of one head, and the weights without and with it, all (n, n); the last query is outlined."""
    row: dict[str, Any] = {"mark": (len(bias) - 1, None), "digits": 2, "axes": ("query", "key")}
    panels = [
        Panel(bias, f"ALiBi: −{slope:.3g} · distance", limit=4, masked=~mask, name="bias", **row),
        Panel(without, "Weights without it", kind="probability", name="without", **row),
        Panel(biased, "Weights with it", kind="probability", name="biased", **row),
    ]
    return matrices(panels, per_row=3, cell=25, links=[links.by_row("biased", "bias", "without")])


def slope_chart(slopes: Sequence[float], by_paper: Sequence[float], head: int) -> go.Figure:
    """The slope of each head on a log axis, by the released code and by the paper's rule, and that of one head."""
    return lines(
        range(len(slopes)),
        [Series("the paper's one rule", by_paper, "ghost", dash="dot"), Series("the released code", slopes)],
        title="Slope of each head",
        x_title="head",
        x_range=(-0.4, 15.4),
        y_range=(0.002, 1.6),
        y_ticks=POWERS,
        log_y=True,
        mode="lines+markers",
        marks=[Mark(head, slopes[head], number(slopes[head], 4))],
        height=230,
    )


def turn(name: str, start: Sequence[float], angle: float, out: Sequence[float]) -> str:
    r"""The first coordinate of a pair after a turn by `angle`, written out.

    >>> print(turn("q'_0", [1, -2], 1.5, [2.066, 0.856]))
    q'_0 = 1.000 \cos(1.5) - (-2.000) \sin(1.5) = 2.066
    """
    return rf"{name} = {tex(start[0])} \cos({angle:g}) - {tex(start[1])} \sin({angle:g}) = {bare(out[0])}"


def penalised(logit: float, slope: float, distance: int, out: float) -> str:
    r"""A scaled score less what ALiBi takes, written out, for a key of width 4.

    >>> print(penalised(1.0, 0.25, 6, -0.5))
    \frac{q \cdot k_1}{\sqrt{4}} - m \cdot 6 = 1.000 - 0.250 \cdot 6 = -0.500
    """
    written = rf"{bare(logit)} - {bare(slope)} \cdot {distance} = {bare(out)}"
    return rf"\frac{{q \cdot k_1}}{{\sqrt{{4}}}} - m \cdot {distance} = {written}"


def rope_said(now: Any, shift: int, offset: int, least: int, layouts: tuple[str, str]) -> list[tuple[Any, str]]:
    """What the turned pairs show, each sentence with its claim; `least`: the distance of the lowest score so far."""
    home = " and ".join(f"pair {i}" for i in range(2) if now.back[i] < 3)
    lower = now.least < now.score - 1e-9
    return [
        (
            True,
            f"Since position 0 the query has made {now.turns[0]:2} turns in pair 0 and {now.turns[1]:2} in pair 1: the "
            "fast pair tells neighbours apart, the slow one places far from each other.",
        ),
        (not shift, "Nothing has been moved yet: grey arrows will show where q and k were before."),
        (
            shift,
            f"Moving both by {shift} leaves pair 0 **{now.back[0]:1}°** and pair 1 **{now.back[1]:1}°** from where "
            "they were.",
        ),
        (shift and home, f"Back on itself: {home}, which alone could not tell the two places apart."),
        (
            lower,
            f"RoPE's score need not fall with the distance: {now.score} at distance {abs(offset)}, but only "
            f"{now.least} nearer, at distance {least}.",
        ),
        (
            offset and not lower,
            f"At no smaller distance is RoPE's score below the {now.score} of distance {abs(offset)}.",
        ),
        (
            abs(now.score - now.swapped) > 1e-9,
            f"The layout “{layouts[0]}” gives {now.score}, “{layouts[1]}” from the same q and k {now.swapped}.",
        ),
        (
            abs(now.lengths[0] - now.lengths[1]) < 1e-9,
            f"A rotation keeps lengths: ‖q‖ is {now.lengths[0]} before and {now.lengths[1]} after.",
        ),
    ]


def alibi_said(now: Any, head: int) -> list[tuple[Any, str]]:
    """What the penalty shows, each sentence with its claim."""
    steepest, flattest = (now.slopes.index(end(now.slopes)) for end in (max, min))
    loud, own = now.without[1], now.without[7]
    key = "Key 1 is three times as long as each of the others, and q·k is"
    return [
        (loud > own + 1e-9, f"{key} positive: from query 7 it gets {loud}, more than the {own} of key 7."),
        (loud < own - 1e-9, f"{key} negative: from query 7 it gets {loud}, less than the {own} of key 7."),
        (
            True,
            f"With the slope {now.slope:.3g} of head {head}, key 1, six places away, gets **{now.biased[1]}** and key "
            f"7, the query's own place, {now.biased[7]}.",
        ),
        (
            len(now.slopes) > 1,
            f"Of {len(now.slopes)} heads, head {steepest} is the steepest with {max(now.slopes):4} and looks near, "
            f"head {flattest} the flattest with {min(now.slopes):4} and looks far. The slopes are fixed, not learned.",
        ),
        (len(now.slopes) == 1, f"The slope of the only head is {now.slope:4}. It is fixed, not learned."),
    ]


def elsewhere(now: Any, others: Any, layouts: tuple[str, str], head: int) -> list[tuple[str, str, str]]:
    """Where libraries and papers differ: the question, what holds here, what elsewhere, by the `others`' scores."""
    here, there = layouts
    return [
        (
            "Which dimensions RoPE joins",
            f"{here}, as {AS[here]}: score {now.score}",
            f"{there}, as {AS[there]}, from the same weights: {now.swapped}",
        ),
        (
            "How much of a head turns",
            f"all 4 dimensions, as in RoFormer and Llama: score {now.score}",
            f"a part, as in GPT-J (64 of 256) and GPT-NeoX (a quarter); the first 2 of these 4: {others.half_turned}",
        ),
        (
            "Texts twice as long as in training",
            f"nothing changed: score {now.score}",
            f"position interpolation (Chen et al. 2023), positions halved: {others.squeezed}; NTK-aware scaling, "
            f"the base times 2^(d/(d − 2)) = 4: {others.stretched}",
        ),
        (
            f"ALiBi slope of head {head} of {len(now.slopes)}",
            f"the released code, as in BLOOM: {now.slope:5}",
            f"the paper's one rule, 2^(−8(h + 1)/n) with heads counted from 0: {now.paper:5}",
        ),
        (
            "What ALiBi adds for query 7 and key 4",
            f"the paper's −slope · distance: {now.adds[0]:4}",
            f"BLOOM in Hugging Face transformers, slope · place of the key, with the same weights in the end: "
            f"{now.adds[1]:4}",
        ),
    ]
