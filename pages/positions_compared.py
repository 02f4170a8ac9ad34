"""Do the table, RoPE and ALiBi really score by the offset between two positions alone, and what breaks it?"""

import numpy as np

from engine.positions import (
    alibi_scores,
    example_contents,
    offset_curve,
    one_frequency_per_column,
    rope_scores,
    scores_by_offset,
    sinusoidal_table,
    spread_by_width,
    wavelengths,
)
from engine.vectors import dot, largest_difference, similarity_matrix
from ui import charts
from ui.labs.positions_compared import overlaid, pair_by_pair, score_matrices, spread_chart
from ui.page import controls, lab
from ui.words import told

BASES, WAYS = [10, 100, 1_000, 10_000, 100_000], ["PE·PEᵀ", "RoPE", "ALiBi"]
SLOPES = {"0": 0.0, "1/64": 1 / 64, "1/16": 1 / 16, "1/8": 1 / 8, "1/4": 1 / 4, "1/2": 1 / 2}

lab.begin(__file__)
with lab.panel():
    d = controls.slider("width", "d_model", 2, 32, 16, help="RoPE turns pairs and leaves out the last of an odd width.")
    asked_start = controls.slider("start", "Start at position", 0, 31, 8, help="A click on a matrix sets it.")
    asked_offset = controls.slider("offset", "Offset", 0, 31, 5, help="A click on a curve sets it.")
    n = controls.slider("positions", "Positions", 16, 32, 32)
    base = controls.stops("base", "Base", BASES, 10_000, show=lambda b: f"{b:,}")
    slope = SLOPES[controls.stops("slope", "ALiBi slope", list(SLOPES), "1/4")]
    about = "All alike: every entry of q and k is √½."
    content = controls.choice("content", "Query and key", ["drawn", "all alike"], help=about)
    seed = controls.seed("seed", "Seed of q and k", 3)

offset = min(asked_offset, n - 1)
start = min(asked_start, n - 1 - offset)
end, even, odd = start + offset, d - d % 2, d % 2 == 1
q, k = example_contents(even, np.random.default_rng(seed) if content == "drawn" else None)
turning = {"base": base, "scale": 1.0}
table, waves = sinusoidal_table(n, d, base=base), wavelengths(d, base=base)
pe, alibi = similarity_matrix(table, "dot"), alibi_scores(q, k, n, slope, scale=1.0)
rope = rope_scores(q, k, range(n), range(n), **turning).out
all_scores = [pe, rope, alibi]
spreads = [scores_by_offset(scores).out for scores in all_scores]
inexact = [way for way, spread in zip(WAYS, spreads, strict=True) if spread >= 1e-12]
widths = range(max(2, d - 5), d + 6)
by_width = spread_by_width(n, widths, base=base)
halves = similarity_matrix(sinusoidal_table(n, d, base=base, layout="halves"), "dot")
slip = similarity_matrix(one_frequency_per_column(n, d, base=base), "dot")
lowest = int(pe[0].argmin())
now = told(
    scores=[scores[start, end] for scores in all_scores],
    first=[scores[0, offset] for scores in all_scores],
    back=[scores[offset, 0] for scores in all_scores],
    last=pe[n - 1 - offset, n - 1],
    spreads=spreads,
    inexact=inexact,
    next_spread=by_width[widths.index(d + 1)],
    lowest=pe[0, lowest],
    farthest=pe[0, -1],
    apart=largest_difference(rope, pe),
    product=dot(q, k),
    halves=halves[start, end],
    slip=scores_by_offset(slip).out,
    other_pairs=rope_scores(q, k, range(n), range(n), layout="halves", **turning).out[start, end],
)

titled = dict(zip(["PE·PEᵀ", f"RoPE, d = {even}", f"ALiBi, slope {slope:.3g}"], all_scores, strict=True))
alt = f"Three {n} by {n} matrices of scores: along each diagonal one colour, because the score depends on the offset."
charts.show("matrices", score_matrices(titled, max(d / 2, 4), start), alt, start="row")
curves = {way: offset_curve(scores) for way, scores in zip(WAYS, all_scores, strict=True)}
alt = f"The scores of {n} starting positions against the offset, three methods; at offset {offset} they are "
picture = overlaid(curves, n, offset, now.scores, max(d, 16) * 0.75)
charts.show("curves", picture, f"{alt}{now.scores}.", offset=lambda click: abs(click["x"]))

lone = (table[start, -1], table[end, -1]) if odd else None
sum_of_pairs = pair_by_pair(start, end, waves[: d // 2], lone, pe[start, end])
lab.step(f"From position {start} to {end}: the table's score, pair by pair", sum_of_pairs)
kept = "Each pair adds the cosine of an angle that only the offset sets; the start drops out."
broken = "The last sine has no cosine: its product depends on **where** the two stand."
from_to = f"From 0 to {offset} the score is {now.first[0]}, from {n - 1 - offset} to {n - 1} it is {now.last}."
lab.say(f"{broken if odd else kept} {from_to}")
alt = f"The largest spread along a diagonal for widths {widths[0]} to {widths[-1]}: rounding at even widths, far more "
charts.show("spread", spread_chart(widths, by_width, d, spreads[0]), f"{alt}at odd ones; {now.spreads[0]} at {d}.")

each = ", ".join(f"{way} **{spread}**" for way, spread in zip(WAYS, now.spreads, strict=True))
verdict = f"More than rounding: {now.inexact}." if inexact else "All three depend on the offset alone, up to rounding."
lab.notice(
    f"Largest spread along any diagonal: {each}. {verdict}",
    f"d_model = {d} is {'odd' if odd else 'even'}; at {d + 1}, which is {'even' if odd else 'odd'}, the table's spread "
    f"is **{now.next_spread}**.",
    f"Before and after: at offsets {offset} and −{offset} RoPE scores {now.first[1]} and {now.back[1]}, the table "
    f"{now.first[0]} and {now.back[0]}, ALiBi {now.first[2]} and {now.back[2]}.",
    f"Seen from position 0, the table's lowest score is {now.lowest} at offset {lowest}, and at offset {n - 1} it is "
    f"{now.farthest}: "
    + ("it does not simply fall with distance." if lowest < n - 1 else "here the farthest is the lowest."),
    f"With q and k all alike, RoPE's scores differ from PE·PEᵀ by at most {now.apart}: they are the same cosines."
    if content == "all alike" and not odd
    else f"RoPE and ALiBi also depend on what q and k hold (q·k = {now.product}); the table's product does not.",
)
lab.try_this(
    (
        "An odd width",
        "15 columns: the last sine has no partner. Does the spread stay at rounding, about 1e−15?",
        {"width": 15},
    ),
    (
        "Odd, and made visible",
        "With base 10 the lone sine is fast. Which of the three overlaid curves falls apart into 32?",
        {"width": 7, "base": "10"},
    ),
    (
        "The same cosines",
        "If every entry of q and k is √½, how far is RoPE's curve from the table's?",
        {"content": "all alike"},
    ),
    (
        "A base of 10",
        "All waves are fast now. At which offset does the table lose a position from sight?",
        {"base": "10", "offset": 9},
    ),
)
lab.conventions(
    (
        "Columns of the table",
        f"sine and cosine in turn: PE·PEᵀ at ({start}, {end}) {now.scores[0]}",
        f"all sines first, as fairseq: the same, {now.halves}",
    ),
    ("Exponent of a cosine", f"its sine's: spread {now.spreads[0]}", f"the slip, one step further: spread {now.slip}"),
    (
        "Pairs of RoPE",
        f"neighbours, as in the paper: {now.scores[1]}",
        f"i with i + d/2, as Llama, same q and k: {now.other_pairs}",
    ),
)
numbers = {"table": table, "pe": pe, "rope": rope, "alibi": alibi, "spread": spreads[0]}
lab.take_away(numbers, n=n, d=d, base=base, q=q, k=k, slope=slope)
lab.source(sinusoidal_table, rope_scores, alibi_scores, scores_by_offset)
