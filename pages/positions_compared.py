"""Do the table, RoPE and ALiBi really score by the offset between two positions alone, and what breaks it?"""

import numpy as np

from engine.positions import (
    alibi_scores,
    one_frequency_per_column,
    rope_scores,
    scores_by_offset,
    sinusoidal_table,
    wavelengths,
)
from engine.vectors import dot, similarity_matrix
from ui import charts
from ui import words as worked
from ui.charts import Mark, Panel, Series
from ui.page import controls, lab
from ui.words import number

BASES = [10, 100, 1_000, 10_000, 100_000]
SLOPES = {"0": 0.0, "1/64": 1 / 64, "1/16": 1 / 16, "1/8": 1 / 8, "1/4": 1 / 4, "1/2": 1 / 2}
WAYS = ["PE·PEᵀ", "RoPE", "ALiBi"]
COLOURS = ["way_0", "way_1", "way_2"]

lab.begin(__file__)
with lab.panel():
    d = controls.slider("width", "d_model", 2, 32, 16, help="RoPE turns pairs and leaves out the last of an odd width.")
    asked_start = controls.slider("start", "Start at position", 0, 31, 8, help="A click on a matrix sets it.")
    asked_offset = controls.slider("offset", "Offset", 0, 31, 5, help="A click on a curve sets it.")
    n = controls.slider("positions", "Positions", 16, 32, 32)
    base = controls.stops("base", "Base", BASES, 10_000, show=lambda b: f"{b:,}")
    slope = SLOPES[controls.stops("slope", "ALiBi slope", list(SLOPES), "1/4")]
    content = controls.choice("content", "Query and key", ["drawn", "all alike"], help="All alike: every entry of q and k is √½.")  # fmt: skip
    seed = controls.seed("seed", "Seed of q and k", 3)

offset = min(asked_offset, n - 1)
start = min(asked_start, n - 1 - offset)
end = start + offset
even = d - d % 2
places = np.arange(n)
q, k = (
    np.random.default_rng(seed).normal(size=(2, 32))[:, :even] if content == "drawn" else np.full((2, even), 0.5**0.5)
)
table = sinusoidal_table(n, d, base=base)
scores = [
    similarity_matrix(table, "dot"),
    rope_scores(q, k, places, places, base=base, scale=1.0).out,
    alibi_scores(q, k, n, slope, scale=1.0),
]
traces = [scores_by_offset(one) for one in scores]
spreads = [trace.out for trace in traces]
exact = [spread < 1e-12 for spread in spreads]

limit = max(d / 2, 4)
titles = ["PE·PEᵀ", f"RoPE, d = {even}", f"ALiBi, slope {slope:.3g}"]
panels = [
    Panel(one, title, limit=limit, mark=(start, None), colour=colour)
    for one, title, colour in zip(scores, titles, COLOURS, strict=True)
]
charts.show(
    "matrices",
    charts.matrices(panels, per_row=3, cell=6),
    f"Three {n} by {n} matrices of scores: along each diagonal one colour, because the score depends on the offset.",
    start="row",
)
gap = ((0, 0), (0, 1))  # a gap after each start's curve
x = np.pad(traces[0].offsets, gap).ravel()
curves = [np.pad(one, gap, constant_values=np.nan).ravel() for one in scores]
curves = [Series(f"{way}, {n} starts", curve, colour) for way, curve, colour in zip(WAYS, curves, COLOURS, strict=True)]
marks = [Mark(offset, one[start, end]) for one in scores] + [Mark(offset, None, f"offset {offset}")]
charts.show("curves", charts.lines(x, curves, title="Score against offset, all starts overlaid", x_title="offset: key − query", x_range=(-31, 31), y_range=(-16, max(d, 16) * 0.75), marks=marks, height=285), f"The scores of {n} starting positions against the offset, three methods; at offset {offset} they are {', '.join(number(one[start, end]) for one in scores)}.", offset=lambda click: abs(click["x"]))  # fmt: skip

waves = wavelengths(d, base=base)
parts = [rf"\cos\tfrac{{2\pi \cdot {offset}}}{{{number(wave, 1)}}}" for wave in waves[: d // 2]]
parts += (
    [rf"\underbrace{{{worked.tex(table[start, -1])} \cdot {worked.tex(table[end, -1])}}}_{{\text{{no partner}}}}"]
    if d % 2
    else []
)
lab.step(
    f"From position {start} to {end}: the table's score, pair by pair",
    rf"PE_{{{start}}} \cdot PE_{{{end}}} = {worked.terms(parts)} = {worked.bare(scores[0][start, end])}",
)
first, last = [one[0, offset] for one in scores], [one[n - 1 - offset, n - 1] for one in scores]
lab.say(
    ("Each pair adds the cosine of an angle that only the offset sets; the start drops out. " if d % 2 == 0 else "The last sine has no cosine: its product depends on **where** the two stand. ")
    + f"From 0 to {offset} the score is {number(first[0])}, from {n - 1 - offset} to {n - 1} it is {number(last[0])}."
)  # fmt: skip

widths = np.arange(max(2, d - 5), d + 6)
by_width = [scores_by_offset(similarity_matrix(sinusoidal_table(n, w, base=base), "dot")).out for w in widths.tolist()]
charts.show("spread", charts.lines(widths, [Series("spread", by_width, "way_0")], title="PE·PEᵀ: largest spread, by width", x_title="d_model", x_range=(widths[0] - 0.5, widths[-1] + 0.9), y_range=(1e-19, 1e3), y_ticks={1e-15: "10⁻¹⁵", 1e-10: "10⁻¹⁰", 1e-5: "10⁻⁵", 1: "1"}, log_y=True, mode="lines+markers", marks=[Mark(d, spreads[0], number(spreads[0]), at="" if d % 2 else "bottom center")], height=230), f"The largest spread along a diagonal for widths {widths[0]} to {widths[-1]}: rounding at even widths, far more at odd ones; {number(spreads[0])} at {d}.")  # fmt: skip

neighbour = int(widths.searchsorted(d + 1))
lowest = int(scores[0][0].argmin())
lab.notice(
    "Largest spread along any diagonal: " + ", ".join(f"{way} **{number(spread)}**" for way, spread in zip(WAYS, spreads, strict=True)) + ". "
    + ("All three depend on the offset alone, up to rounding." if all(exact) else f"More than rounding: {', '.join(way for way, fits in zip(WAYS, exact, strict=True) if not fits)}."),
    f"d_model = {d} is {'odd' if d % 2 else 'even'}; at {d + 1}, which is {'even' if d % 2 else 'odd'}, the table's spread is **{number(by_width[neighbour])}**.",
    f"Before and after: at offsets {offset} and −{offset} RoPE scores {number(first[1])} and {number(scores[1][offset, 0])}, the table {number(first[0])} and {number(scores[0][offset, 0])}, ALiBi {number(first[2])} and {number(scores[2][offset, 0])}.",
    f"Seen from position 0, the table's lowest score is {number(scores[0][0, lowest])} at offset {lowest}, and at offset {n - 1} it is {number(scores[0][0, -1])}: "
    + ("it does not simply fall with distance." if lowest < n - 1 else "here the farthest is the lowest."),
    f"With q and k all alike, RoPE's scores differ from PE·PEᵀ by at most {number(abs(scores[1] - scores[0]).max())}: they are the same cosines."
    if content == "all alike" and d % 2 == 0
    else f"RoPE and ALiBi also depend on what q and k hold (q·k = {number(dot(q, k))}); the table's product does not.",
)  # fmt: skip
lab.try_this(
    ("An odd width", "15 columns: the last sine has no partner. Does the spread stay at rounding, about 1e−15?", {"width": 15}),
    ("Odd, and made visible", "With base 10 the lone sine is fast. Which of the three overlaid curves falls apart into 32?", {"width": 7, "base": "10"}),
    ("The same cosines", "If every entry of q and k is √½, how far is RoPE's curve from the table's?", {"content": "all alike"}),
    ("A base of 10", "All waves are fast now. At which offset does the table lose a position from sight?", {"base": "10", "offset": 9}),
)  # fmt: skip
halves = similarity_matrix(sinusoidal_table(n, d, base=base, layout="halves"), "dot")
slip = scores_by_offset(similarity_matrix(one_frequency_per_column(n, d, base=base), "dot")).out
other = rope_scores(q, k, places, places, base=base, layout="halves", scale=1.0).out
lab.conventions(
    ("Columns of the table", f"sine and cosine in turn: PE·PEᵀ at ({start}, {end}) {number(scores[0][start, end])}", f"all sines first, as fairseq: the same, {number(halves[start, end])}"),
    ("Exponent of a cosine", f"its sine's: spread {number(spreads[0])}", f"the slip, one step further: spread {number(slip)}"),
    ("Pairs of RoPE", f"neighbours, as in the paper: {number(scores[1][start, end])}", f"i with i + d/2, as Llama, same q and k: {number(other[start, end])}"),
)  # fmt: skip
lab.take_away({"table": table, "pe": scores[0], "rope": scores[1], "alibi": scores[2], "spread": spreads[0]}, code="""
places = np.arange(n)
angles = np.outer(places, base ** (-np.arange(0, d, 2) / d))
table = np.empty((n, d))
table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles[:, : d // 2])
pe = table @ table.T

turns = np.outer(places, base ** (-np.arange(0, len(q), 2) / len(q)))
cos, sin = np.cos(turns), np.sin(turns)
rotate = lambda x: np.hstack([x[0::2] * cos - x[1::2] * sin, x[0::2] * sin + x[1::2] * cos])
rope = rotate(q) @ rotate(k).T
alibi = q @ k - slope * abs(places[:, None] - places)
spread = max(np.ptp(np.diagonal(pe, offset)) for offset in range(1 - n, n))
""", n=n, d=d, base=base, q=q, k=k, slope=slope)  # fmt: skip
lab.source(sinusoidal_table, rope_scores, alibi_scores, scores_by_offset)
