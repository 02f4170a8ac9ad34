"""Do the table, RoPE and ALiBi really score by the offset between two positions alone, and what breaks it?"""

import numpy as np

from engine.positions import (
    alibi_scores,
    example_contents,
    library_table,
    offset_curve,
    one_frequency_per_column,
    rope_scores,
    scores_by_offset,
    sinusoidal_table,
    spread_by_width,
)
from engine.vectors import dot, largest_difference, similarity_matrix
from ui import charts
from ui.charts import Handle
from ui.labs.positions_compared import WAYS, overlaid, pair_by_pair, placed, score_matrices, signed, small, spread_chart
from ui.labs.sinusoidal_table import library
from ui.page import controls, lab
from ui.page.recall import recall
from ui.questions.positions_compared import QUESTIONS
from ui.words import noise, told

BASES = [10, 100, 1_000, 10_000, 100_000]
SLOPES = {"0": 0.0, "1/64": 1 / 64, "1/16": 1 / 16, "1/8": 1 / 8, "1/4": 1 / 4, "1/2": 1 / 2}

lab.begin(__file__, QUESTIONS)
with lab.panel():
    d = controls.slider("width", "d_model", 2, 32, 16, help="RoPE turns pairs and leaves out the last of an odd width.")
    n = controls.slider("positions", "Positions", 16, 32, 32)
    start = controls.index("start", "From position", n, 8, help="A click on a matrix sets both positions.")
    end = controls.index("end", "To position", n, 13, help="A click on a curve sets the offset between the two.")
    base = controls.stops("base", "Base", BASES, 10_000, show=lambda b: f"{b:,}")
    slope = SLOPES[controls.stops("slope", "ALiBi slope", list(SLOPES), "1/4")]
    about = "All alike: every entry of q and k is √½."
    content = controls.choice("content", "Query and key", ["drawn", "all alike"], help=about)
    seed = controls.seed("seed", "Seed of q and k", 3)

offset, even, odd, alike = end - start, d - d % 2, d % 2 == 1, content == "all alike"
q, k = example_contents(even, None if alike else np.random.default_rng(seed))
table, turning = sinusoidal_table(n, d, base=base), {"base": base, "scale": 1.0}
pe, alibi = similarity_matrix(table, "dot"), alibi_scores(q, k, n, slope, scale=1.0)
rotated = lambda way: recall(rope_scores, q, k, range(n), range(n), layout=way, **turning).out
rope = rotated("pairs")
all_scores = [pe, rope, alibi]
spreads = [recall(scores_by_offset, scores).out for scores in all_scores]
by_width = recall(spread_by_width, n, (widths := range(max(2, d - 5), d + 6)), base=base)
first, last, lowest = max(0, -offset), n - 1 - max(0, offset), int(pe[0].argmin())
negative = [place for place in range(n) if pe[0, place] < -1e-9]
told_apart, inexact = abs(rope[start, end] - rope[end, start]) > 1e-9, [spread >= 1e-12 for spread in spreads]
now = told(
    scores=[scores[start, end] for scores in all_scores],
    back=[scores[end, start] for scores in all_scores],
    first=pe[first, first + offset],
    last=pe[last, last + offset],
    apart=noise(pe[last, last + offset] - pe[first, first + offset]),
    spreads=[small(spread) for spread in spreads],
    next_spread=small(by_width[widths.index(d + 1)]),
    inexact=[way for way, more in zip(WAYS, inexact, strict=True) if more],
    lowest=pe[0, lowest],
    farthest=pe[0, -1],
    rope_apart=noise(largest_difference(rope, pe), d),
    product=dot(q, k),
)
lab.shape(f"{n} positions × d_model = {d}")

titles = ["PE·PEᵀ", f"RoPE, d = {even}", f"ALiBi, slope {slope:.3g}"]
alt = f"Scores of every two of {n} positions, by three methods; from {start} to {end} they are {now.scores}."
picture, held = score_matrices(all_scores, titles, d, (start, end)), {"start": "y", "end": "x"}
cells = [Handle(held, end, start, panel) for panel in range(3)]
charts.show("matrices", picture, alt, drags=cells, start="row", end="column")
picture = overlaid([offset_curve(scores) for scores in all_scores], n, d, offset, now.scores)
alt = f"The scores of {n} starting positions against the offset, three methods; at offset {signed(offset)} they are "
moved = {name: lambda click, i=i: placed(start, click, n)[i] for i, name in enumerate(("start", "end"))}
charts.show("curves", picture, f"{alt}{now.scores}.", drags=[Handle(moved, x=offset)], **moved)
alt = f"The largest spread along a diagonal for widths {widths[0]} to {widths[-1]}: rounding at even widths, far more "
charts.show("spread", spread_chart(widths, by_width, d, spreads[0]), f"{alt}at odd ones; {now.spreads[0]!s} at {d}.")

lone = (table[start, -1], table[end, -1]) if odd else None
products = pair_by_pair((start, end), (base, d), lone, pe[start, end])
lab.step(f"From position {start} to {end}: the table's score, pair by pair", products)
kept = "Each pair adds the cosine of an angle that only the offset sets; the start drops out."
broken = "The last sine has no cosine: its product depends on **where** the two stand."
both = f"From {first} to {first + offset} the score is {now.first}, from {last} to {last + offset} it is {now.last}: "
lab.say(f"{broken if odd else kept} " + (f"{both}they differ by {now.apart}." if first < last else ""))

each = ", ".join(f"{way} **{spread}**" for way, spread in zip(WAYS, now.spreads, strict=True))
parity, other = ("odd", "even") if odd else ("even", "odd")
lab.notice(
    f"Largest spread along any diagonal: {each}.",
    (not any(inexact), "All three depend on the offset alone, up to rounding."),
    (any(inexact), f"More than rounding: {now.inexact} depends on where the two stand."),
    f"d_model = {d} is {parity}; at {d + 1}, which is {other}, the table's spread is **{now.next_spread}**.",
    (
        told_apart,
        f"RoPE tells a later key from an earlier one: at offset {signed(offset)} it scores {now.scores[1]}, at "
        f"{signed(-offset)} {now.back[1]}. The table scores {now.scores[0]} at both, ALiBi {now.scores[2]}.",
    ),
    (
        offset and not told_apart,
        f"No method tells offset {signed(offset)} from {signed(-offset)}: {now.scores} at both.",
    ),
    (
        lowest < n - 1,
        "Seen from position 0, the table's score does not simply fall with the offset: it is lowest at offset "
        f"{lowest}, {now.lowest}, and {now.farthest} at offset {n - 1}.",
    ),
    (lowest == n - 1, f"Seen from position 0, the table's score is lowest farthest away: {now.lowest} at {n - 1}."),
    (negative, f"Seen from position 0, it first falls below 0 at offset {min(negative, default=0)}."),
    (
        alike and not odd,
        f"With q and k all alike RoPE's scores are the table's, the same cosines: they differ by {now.rope_apart}.",
    ),
    (not alike, f"RoPE and ALiBi also depend on what q and k hold (q·k = {now.product}); the table does not."),
)


def elsewhere():
    """The same two positions by the other layouts of both."""
    there = similarity_matrix(library_table(n, d, library="tensor2tensor", base=base), "dot")
    other = told(there=there[start, end], halves=rotated("halves")[start, end])
    return (
        (
            "Columns of the table",
            f"the paper's, sine and cosine in turn: PE·PEᵀ from {start} to {end} is {now.scores[0]}",
            f"{library(d, base)}, all sines first and other frequencies: {other.there}",
        ),
        (
            "Pairs of RoPE",
            f"neighbours, as in RoFormer, GPT-J and Meta's Llama: {now.scores[1]}",
            "i with i + d/2, as in GPT-NeoX and Hugging Face transformers' Llama, from the same q and k: "
            f"{other.halves}",
        ),
    )


def one_step_on():
    """The slip: each column has a frequency of its own."""
    slip = scores_by_offset(similarity_matrix(one_frequency_per_column(n, d, base=base), "dot")).out
    other = told(slip=small(slip)).slip
    return [("The exponent of a cosine", f"its sine's: spread {now.spreads[0]}", f"one step on: spread {other}")]


lab.conventions(elsewhere)
lab.slips(one_step_on)
numbers = {"table": table, "pe": pe, "rope": rope, "alibi": alibi, "spread": spreads[0]}
lab.take_away(numbers, n=n, d=d, base=base, q=q, k=k, slope=slope)
lab.source(sinusoidal_table, rope_scores, alibi_scores, scores_by_offset)
