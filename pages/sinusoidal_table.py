"""How do sines and cosines of geometrically spaced frequencies give every position a row of its own?"""

import numpy as np

from engine.positions import one_frequency_per_column, sinusoidal_table, wavelengths, wavelengths_to_the_base
from engine.vectors import similarity_matrix
from ui import charts
from ui import words as worked
from ui.charts import Mark, Series
from ui.page import controls, lab
from ui.words import number

BASES = [10, 100, 1_000, 10_000, 100_000]

lab.begin(__file__)
with lab.panel():
    n = controls.slider("positions", "Positions", 2, 64, 48)
    d = controls.slider("width", "d_model", 2, 64, 32, help="An odd width ends on a sine that has no cosine.")
    base = controls.stops("base", "Base", BASES, 10_000, show=lambda b: f"{b:,}", help="A larger base: slower waves.")
    asked_p = controls.slider("position", "Position", 0, 63, 7, help="A click on the table sets position and column.")
    asked_q = controls.slider("other_position", "Position beside it", 0, 63, 30)
    asked_c = controls.slider("column", "Column", 0, 63, 4)
    asked_e = controls.slider("other_column", "Column beside it", 0, 63, 12)
    layout = controls.choice("layout", "Order of the columns", ["pairs", "halves"], help="Sine and cosine in turn, or all sines first.")  # fmt: skip

p, q, c, e = min(asked_p, n - 1), min(asked_q, n - 1), min(asked_c, d - 1), min(asked_e, d - 1)
table = sinusoidal_table(n, d, base=base, layout=layout)
waves = wavelengths(d, base=base)
scores = similarity_matrix(table, "dot")
kinds = [(i // 2, "sin" if i % 2 == 0 else "cos") for i in range(d)]
kinds = kinds if layout == "pairs" else kinds[::2] + kinds[1::2]  # column: its pair, its function
pair = kinds[c][0]
called = lambda column: f"column {column}, {kinds[column][1]} of pair {kinds[column][0]}"

left, right = lab.columns(2)
with left:
    chosen = {"row_bands": ((p, p + 1, "today"), (q, q + 1, "ink")), "bands": ((c, c + 1, "today"), (e, e + 1, "ink"))}  # fmt: skip
    charts.show(
        "table",
        charts.matrix(table, "PE, a row per position", digits=2, cell=30 if n <= 12 else 10, **chosen),
        f"The table of {n} positions by {d} columns from −1 to 1: waves that slow down from left to right.",
        position="row",
        column="column",
    )
with right:
    charts.show(
        "waves",
        charts.lines(
            np.arange(n),
            [Series(called(e), table[:, e]), Series(called(c), table[:, c], "today")],
            title=f"Columns as waves: PE[{p}, {c}] = {number(table[p, c])}",
            x_title="position",
            x_range=(0, n - 1),
            y_range=(-1.35, 1.35),
            marks=[Mark(p, table[p, c])],
            height=250,
        ),
        f"Two columns of the table against the position; {called(c)} is {number(table[p, c])} at position {p}.",
        position="x",
    )
    outline = ((0, 1, "today"), (1, 2, "ink"))
    charts.show("fingerprints", charts.matrix(table[[p, q]], "Rows as fingerprints", rows=[f"pos {p}", f"pos {q}"], digits=2, cell=32, row_bands=outline), f"The rows of positions {p} and {q} as strips of colour, one cell for each of the {d} columns.", column="column")  # fmt: skip
slow, beside = int((waves > n).sum()), "bottom right" if pair < 0.85 * len(waves) else "top left"
edge = [Mark(len(waves) - slow - 0.5, None, f"from here no full turn in {n} positions", "soft_ink")] if slow else []
charts.show(
    "wavelengths",
    charts.lines(
        np.arange(len(waves)),
        [Series("wavelength", waves, "soft_ink")],
        title="Wavelength of each pair, in positions",
        x_title="pair",
        x_range=(-0.6, len(waves) - 0.4),
        y_range=(1.5, 4e6),
        log_y=True,
        mode="lines+markers",
        marks=[Mark(pair, waves[pair], number(waves[pair], 1), at=beside), *edge],
        height=230,
    ),
    f"Wavelengths on a log axis, from {number(waves[0], 1)} to {number(waves[-1], 1)} positions; pair {pair} has {number(waves[pair], 1)}.",
)
trig = lambda at, column: (
    rf"\{kinds[column][1]}\left(\frac{{{at}}}{{{base}^{{{2 * kinds[column][0]}/{d}}}}}\right) = \{kinds[column][1]}\left(2\pi\,\frac{{{at}}}{{{number(waves[kinds[column][0]])}}}\right) = {worked.bare(table[at, column])}"
)
lab.step(
    "The cell behind the point, and the one beside it",
    rf"PE_{{{p},{c}}} = {trig(p, c)}",
    rf"PE_{{{q},{e}}} = {trig(q, e)}",
)

gaps = abs(table[p] - table[q])
close, widest, lengths = int((gaps < 0.1).sum()), int(gaps.argmax()), scores.diagonal()
outside = (asked_p, asked_q, asked_c, asked_e) != (p, q, c, e)
lab.notice(
    f"Pair {pair} takes **{number(waves[pair], 1)}** positions for a turn. "
    + (f"The table ends after {n}: column {c} never comes round." if waves[pair] > n else "Within the table, its values come back."),
    f"{slow} of {len(waves)} pairs do not finish a turn in {n} positions. Fast columns tell neighbours apart, slow ones places far from each other.",
    f"Positions {p} and {q} differ by less than 0.1 in **{close} of {d}** columns, and most in column {widest}: {number(gaps[widest])}."
    if p != q
    else f"Both fingerprints are of position {p}: choose another beside it.",
    f"Each pair adds sin² + cos² = 1, so every row has the squared length {number(lengths[p])}."
    if d % 2 == 0
    else f"The last sine has no cosine: the squared lengths of the rows differ by up to **{number(lengths.max() - lengths.min())}**.",
    f"The table is {n} × {d}: a whole row is added to the token's embedding, not the number of the position."
    + (f" It ends at position {n - 1} and column {d - 1}: what lies beyond is shown there." if outside else ""),
)  # fmt: skip
lab.try_this(
    ("Seven turns later", "Column 0 looks the same at positions 0 and 44. Which columns tell the two apart?", {"positions": 64, "position": 0, "other_position": 44, "column": 0, "other_column": 8}),
    ("An odd width", "With 15 columns, one sine stays without its cosine. Are all rows still equally long?", {"width": 15, "base": "10", "column": 14, "other_column": 13}),
    ("A base of 10", "All wavelengths now lie between 2π and 63. How many of the 16 pairs still finish no turn in 48 positions?", {"base": "10", "column": 30, "other_column": 16}),
    ("Small enough to check", "Four positions, four columns: which entries can you write down without a calculator?", {"positions": 4, "width": 4, "position": 1, "other_position": 0, "column": 2, "other_column": 1}),
)  # fmt: skip
turned = sinusoidal_table(n, d, base=base, layout="halves" if layout == "pairs" else "pairs")
slip = one_frequency_per_column(n, d, base=base)
lab.conventions(
    ("Order of the columns", f"{layout}: column {c} is {number(table[p, c])}; row {p} · row {q} = {number(scores[p, q])}", f"{'fairseq, all sines first' if layout == 'pairs' else 'the paper, in turn'}: column {c} is {number(turned[p, c])}; the same product, {number(similarity_matrix(turned, 'dot')[p, q])}"),
    ("Exponent of column 1", f"its pair's, 0/{d}: {number(sinusoidal_table(n, d, base=base)[p, 1], 5)}", f"the slip, its own, 2/{d}: {number(slip[p, 1], 5)}"),
    ("The slowest wave", f"the paper, base^({2 * len(waves) - 2}/{d}): {number(waves[-1], 1)} positions", f"tensor2tensor and fairseq reach the base itself: {number(wavelengths_to_the_base(d, base=base)[-1], 1)}"),
)  # fmt: skip
lab.take_away({"table": table, "waves": waves, "scores": scores}, code="""
frequencies = base ** (-np.arange(0, d, 2) / d)
angles = np.outer(np.arange(n), frequencies)
sines, cosines = np.sin(angles), np.cos(angles[:, : d // 2])
table = np.hstack([sines, cosines])
if layout == "pairs":
    table[:, 0::2], table[:, 1::2] = sines, cosines
waves = 2 * np.pi / frequencies
scores = table @ table.T
""", n=n, d=d, base=base, layout=layout)  # fmt: skip
lab.source(sinusoidal_table, wavelengths)
