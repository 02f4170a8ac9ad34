"""How do sines and cosines of geometrically spaced frequencies give every position a row of its own?"""

from engine.positions import (
    column_kinds,
    library_table,
    one_frequency_per_column,
    row_gaps,
    sinusoidal_table,
    wavelengths,
    wavelengths_to_the_base,
)
from engine.vectors import similarity_matrix
from ui import charts
from ui.charts import Handle, Mark, Series
from ui.labs.sinusoidal_table import cell, library, wavelength_chart
from ui.page import controls, lab
from ui.questions.sinusoidal_table import QUESTIONS
from ui.words import agree, counted, told

BASES = [10, 100, 1_000, 10_000, 100_000]

lab.begin(__file__, QUESTIONS)
with lab.panel():
    n = controls.slider("positions", "Positions", 2, 64, 48)
    d = controls.slider("width", "d_model", 2, 64, 32, help="An odd width ends on a sine that has no cosine.")
    base = controls.stops("base", "Base", BASES, 10_000, show=lambda b: f"{b:,}", help="A larger base: slower waves.")
    p = controls.index("position", "Position", n, 7, help="A click on the table sets position and column.")
    q = controls.index("other_position", "Position beside it", n, 30)
    c = controls.index("column", "Column", d, 4)
    e = controls.index("other_column", "Column beside it", d, 12)
    about = "Sine and cosine in turn, or all sines first."
    layout = controls.choice("layout", "Order of the columns", ["pairs", "halves"], help=about)

table, paper = (sinusoidal_table(n, d, base=base, layout=order) for order in (layout, "pairs"))
slip, to_the_base = one_frequency_per_column(n, d, base=base), wavelengths_to_the_base(d, base=base)
there = library_table(n, d, library="tensor2tensor", base=base)
scores, between = similarity_matrix(table, "dot"), row_gaps(table, p, q)
waves, kinds = wavelengths(d, base=base), column_kinds(d, layout=layout)
pair, lengths, slow = kinds[c][0], scores.diagonal(), int((waves > n - 1).sum())
now = told(
    cell=table[p, c],
    wave=waves[pair],
    waves=waves,
    turns=360 / waves,
    slowest_there=to_the_base[-1],
    cell_there=there[p, c],
    product_there=similarity_matrix(there, "dot")[p, q],
    gap=between.gaps[between.widest],
    length=lengths[p],
    uneven=lengths.max() - lengths.min(),
    product=scores[p, q],
    second=paper[p, 1],
    slipped=slip[p, 1],
)
lab.shape(f"{n} positions × d_model = {d}")

called = [f"column {column}, {function} of pair {of}" for column, (of, function) in enumerate(kinds)]
left, right = lab.columns(2)
with left:
    rows, columns = ((p, p + 1, "today"), (q, q + 1, "ink")), ((c, c + 1, "today"), (e, e + 1, "ink"))
    chosen = {"row_bands": rows, "bands": columns, "digits": 2, "cell": 30 if n <= 12 else 10}
    order = "sine and cosine in turn" if layout == "pairs" else "all sines, then all cosines"
    alt = f"The table of {n} positions by {d} columns from −1 to 1, {order}; row {p} and column {c} meet in {now.cell}."
    picture = charts.matrix(table, "PE, a row per position", **chosen)
    beside = Handle({"other_position": "y", "other_column": "x"}, e, q)
    crossings = [beside, Handle({"position": "y", "column": "x"}, c, p)]
    charts.show("table", picture, alt, drags=crossings, position="row", column="column")
with right:
    both = [Series(called[e], table[:, e]), Series(called[c], table[:, c], "today")]
    axes = {"x_title": "position", "x_range": (0, n - 1), "y_range": (-1.35, 1.35), "height": 190}
    title = f"Columns as waves: PE[{p}, {c}] = {now.cell}"
    drawn = charts.lines(range(n), both, title=title, marks=[Mark(p, table[p, c])], **axes)
    alt = f"Two columns of the table against the position; {called[c]} is {now.cell} at position {p}."
    charts.show("waves", drawn, alt, position="x")
    places = f"position {p}, twice," if p == q else f"positions {p} and {q}"
    strips = {"rows": [f"pos {p}", f"pos {q}"], "row_bands": ((0, 1, "today"), (1, 2, "ink")), "digits": 2, "cell": 32}
    alt = f"The {'row' if p == q else 'rows'} of {places} as strips of colour, one cell for each of the {d} columns."
    picture = charts.matrix(table[[p, q]], "Rows as fingerprints", **strips)
    of_row = lambda row: lambda click: click["column"] if click["row"] == row else None
    charts.show("fingerprints", picture, alt, column=of_row(0), other_column=of_row(1))
    ends = f"{now.waves[0]:1} to {now.waves[-1]:1}"
    alt = f"Wavelengths on a log axis, from {ends} positions; pair {pair} has {now.wave:1}."
    charts.show("wavelengths", wavelength_chart(waves, pair, n - 1), alt)
lab.step(
    "The cell behind the point, and the one beside it",
    *(cell(i, j, kinds[j], (base, d), table[i, j]) for i, j in ((p, c), (q, e))),
)

turn, verb = f"Pair {pair} takes **{now.wave:1}** positions for a turn", agree(slow, "does", "do")
lab.notice(
    (waves[pair] > n - 1, f"{turn}: the last position is {n - 1}, so column {c} never comes round."),
    (waves[pair] <= n - 1, f"{turn}: column {c} comes round within the table."),
    (slow, f"{slow} of {counted(len(waves), 'pair', 'pairs')} {verb} not finish a turn by position {n - 1}."),
    (slow == 0, f"By position {n - 1} every pair has finished a turn."),
    (
        len(waves) > 1,
        f"From one position to the next pair 0 turns by {now.turns[0]:1}°, pair {len(waves) - 1} by {now.turns[-1]}°: "
        "the fast columns tell neighbours apart, the slow ones places far from each other.",
    ),
    (
        p != q,
        f"Positions {p} and {q} differ by less than 0.1 in **{between.close} of {d}** columns, and most in column "
        f"{between.widest}: {now.gap}.",
    ),
    (p == q, f"Both fingerprints are of position {p}: choose another beside it."),
    (0 in (p, q), "Position 0 needs no calculator: sin 0 = 0 and cos 0 = 1 in every pair."),
    (d % 2 == 0, f"Each pair adds sin² + cos² = 1, so every row has the squared length {now.length}."),
    (d % 2, f"The last sine has no cosine: the squared lengths of the rows differ by up to **{now.uneven}**."),
    f"The table is {n} × {d}: a whole row is added to the token's embedding, not the number of the position.",
)
lab.conventions(
    (
        "Order and frequencies of the columns",
        f"{layout}, the paper's frequencies: column {c} at {p} is {now.cell}; row {p} · row {q} = {now.product}",
        f"{library(d, base)}, all sines first and other frequencies: {now.cell_there}; {now.product_there}",
    ),
    (
        "The slowest wave",
        f"the paper, 2π·base^({2 * len(waves) - 2}/{d}): {now.waves[-1]:1} positions",
        f"{library(d, base)}, 2π·base{'' if d >= 4 else '^0, its only pair'}: {now.slowest_there:1} positions",
    ),
)
lab.slips(
    (
        f"Column 1 at position {p}",
        f"its pair's exponent, 0/{d}: {now.second:5}",
        f"an exponent of its own, 2/{d}: {now.slipped:5}",
    )
)
lab.take_away({"table": table, "waves": waves, "scores": scores}, n=n, d=d, base=base, layout=layout)
lab.source(sinusoidal_table, wavelengths)
