"""How do sines and cosines of geometrically spaced frequencies give every position a row of its own?"""

from engine.positions import (
    column_kinds,
    one_frequency_per_column,
    row_gaps,
    sinusoidal_table,
    wavelengths,
    wavelengths_to_the_base,
)
from engine.vectors import similarity_matrix
from ui import charts
from ui.charts import Mark, Series
from ui.labs.sinusoidal_table import cell, wavelength_chart
from ui.page import controls, lab
from ui.words import told

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
    about = "Sine and cosine in turn, or all sines first."
    layout = controls.choice("layout", "Order of the columns", ["pairs", "halves"], help=about)

p, q, c, e = min(asked_p, n - 1), min(asked_q, n - 1), min(asked_c, d - 1), min(asked_e, d - 1)
table, paper = (sinusoidal_table(n, d, base=base, layout=order) for order in (layout, "pairs"))
turned = sinusoidal_table(n, d, base=base, layout="halves" if layout == "pairs" else "pairs")
slip, to_the_base = one_frequency_per_column(n, d, base=base), wavelengths_to_the_base(d, base=base)
scores, between = similarity_matrix(table, "dot"), row_gaps(table, p, q)
waves, kinds = wavelengths(d, base=base), column_kinds(d, layout=layout)
pair, lengths, slow = kinds[c][0], scores.diagonal(), int((waves > n).sum())
now = told(
    cell=table[p, c],
    wave=waves[pair],
    fastest=waves[0],
    slowest=waves[-1],
    slowest_elsewhere=to_the_base[-1],
    gap=between.gaps[between.widest],
    length=lengths[p],
    uneven=lengths.max() - lengths.min(),
    product=scores[p, q],
    turned_cell=turned[p, c],
    turned_product=similarity_matrix(turned, "dot")[p, q],
    second=paper[p, 1],
    slipped=slip[p, 1],
)

called = [f"column {column}, {function} of pair {of}" for column, (of, function) in enumerate(kinds)]
left, right = lab.columns(2)
with left:
    rows, columns = ((p, p + 1, "today"), (q, q + 1, "ink")), ((c, c + 1, "today"), (e, e + 1, "ink"))
    chosen = {"row_bands": rows, "bands": columns, "digits": 2, "cell": 30 if n <= 12 else 10}
    alt = f"The table of {n} positions by {d} columns from −1 to 1: waves that slow down from left to right."
    picture = charts.matrix(table, "PE, a row per position", **chosen)
    charts.show("table", picture, alt, position="row", column="column")
with right:
    both = [Series(called[e], table[:, e]), Series(called[c], table[:, c], "today")]
    axes = {"x_title": "position", "x_range": (0, n - 1), "y_range": (-1.35, 1.35), "height": 250}
    title = f"Columns as waves: PE[{p}, {c}] = {now.cell}"
    drawn = charts.lines(range(n), both, title=title, marks=[Mark(p, table[p, c])], **axes)
    alt = f"Two columns of the table against the position; {called[c]} is {now.cell} at position {p}."
    charts.show("waves", drawn, alt, position="x")
    strips = {"rows": [f"pos {p}", f"pos {q}"], "row_bands": ((0, 1, "today"), (1, 2, "ink")), "digits": 2, "cell": 32}
    alt = f"The rows of positions {p} and {q} as strips of colour, one cell for each of the {d} columns."
    charts.show("fingerprints", charts.matrix(table[[p, q]], "Rows as fingerprints", **strips), alt, column="column")
alt = f"Wavelengths on a log axis, from {now.fastest:1} to {now.slowest:1} positions; pair {pair} has {now.wave:1}."
charts.show("wavelengths", wavelength_chart(waves, pair, n), alt)
lab.step(
    "The cell behind the point, and the one beside it",
    *(cell(i, j, kinds[j], (base, d), waves[kinds[j][0]], table[i, j]) for i, j in ((p, c), (q, e))),
)

outside = (asked_p, asked_q, asked_c, asked_e) != (p, q, c, e)
never = f"The table ends after {n}: column {c} never comes round."
lab.notice(
    f"Pair {pair} takes **{now.wave:1}** positions for a turn. "
    + (never if waves[pair] > n else "Within the table, its values come back."),
    f"{slow} of {len(waves)} pairs do not finish a turn in {n} positions. Fast columns tell neighbours apart, slow "
    "ones places far from each other.",
    f"Positions {p} and {q} differ by less than 0.1 in **{between.close} of {d}** columns, and most in column "
    f"{between.widest}: {now.gap}."
    if p != q
    else f"Both fingerprints are of position {p}: choose another beside it.",
    f"Each pair adds sin² + cos² = 1, so every row has the squared length {now.length}."
    if d % 2 == 0
    else f"The last sine has no cosine: the squared lengths of the rows differ by up to **{now.uneven}**.",
    f"The table is {n} × {d}: a whole row is added to the token's embedding, not the number of the position."
    + (f" It ends at position {n - 1} and column {d - 1}: what lies beyond is shown there." if outside else ""),
)
lab.try_this(
    (
        "Seven turns later",
        "Column 0 looks the same at positions 0 and 44. Which columns tell the two apart?",
        {"positions": 64, "position": 0, "other_position": 44, "column": 0, "other_column": 8},
    ),
    (
        "An odd width",
        "With 15 columns, one sine stays without its cosine. Are all rows still equally long?",
        {"width": 15, "base": "10", "column": 14, "other_column": 13},
    ),
    (
        "A base of 10",
        "All wavelengths now lie between 2π and 63. How many of the 16 pairs still finish no turn in 48 positions?",
        {"base": "10", "column": 30, "other_column": 16},
    ),
    (
        "Small enough to check",
        "Four positions, four columns: which entries can you write down without a calculator?",
        {"positions": 4, "width": 4, "position": 1, "other_position": 0, "column": 2, "other_column": 1},
    ),
)
elsewhere = "fairseq, all sines first" if layout == "pairs" else "the paper, in turn"
lab.conventions(
    (
        "Order of the columns",
        f"{layout}: column {c} is {now.cell}; row {p} · row {q} = {now.product}",
        f"{elsewhere}: column {c} is {now.turned_cell}; the same product, {now.turned_product}",
    ),
    ("Exponent of column 1", f"its pair's, 0/{d}: {now.second:5}", f"the slip, its own, 2/{d}: {now.slipped:5}"),
    (
        "The slowest wave",
        f"the paper, base^({2 * len(waves) - 2}/{d}): {now.slowest:1} positions",
        f"tensor2tensor and fairseq reach the base itself: {now.slowest_elsewhere:1}",
    ),
)
lab.take_away({"table": table, "waves": waves, "scores": scores}, n=n, d=d, base=base, layout=layout)
lab.source(sinusoidal_table, wavelengths)
