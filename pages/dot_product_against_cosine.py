"""Which vector is nearest, by dot product and by cosine, and what does an offset that all share do to the answer?"""

import numpy as np

from engine.vectors import (
    TWO_CLUSTERS,
    TWO_CLUSTERS_LABELS,
    add_offset,
    clusters_by_offset,
    mean_within_between,
    nearest_neighbours,
    norm,
    remove_mean,
    scale_row,
    similarity_matrix,
)
from ui import charts
from ui import words as worked
from ui.charts import Mark, Panel, Series
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import number

NAMES = [f"v{i}" for i in range(8)]
OFFSETS = np.linspace(0, 5, 41)
BANDS = ((0, 4, "head_0"), (4, 8, "head_6"))

lab.begin(__file__)
with lab.panel():
    offset = controls.slider(
        "offset", "Offset all vectors share", 0.0, 5.0, 1.0, step=0.125, help="Added to all 32 numbers alike."
    )
    centre = controls.toggle("centre", "Subtract the mean vector", help="The mean of the eight, from each of them.")
    row = NAMES.index(
        controls.choice("row", "Chosen vector", NAMES, "v3", help="Its row is outlined. A click on a row chooses it.")
    )
    factor = controls.slider(
        "factor", "Its length, times", 0.0, 5.0, 1.0, step=0.1, help="It is stretched before the offset is added."
    )
    with lab.folded("Edit the vectors"):
        vectors = edited.matrix("vectors", "Vectors", TWO_CLUSTERS, rows=NAMES, limit=10, help="v0 to v3, v4 to v7.")

stretched = scale_row(vectors, row, factor)
X = add_offset(stretched, offset)
X = remove_mean(X) if centre else X
dots, cosines = similarity_matrix(X, "dot"), similarity_matrix(X, "cosine")
by_dot, by_cosine = nearest_neighbours(dots), nearest_neighbours(cosines)
means = mean_within_between(cosines, TWO_CLUSTERS_LABELS)
sweep = clusters_by_offset(stretched, TWO_CLUSTERS_LABELS, OFFSETS, centre=centre)
changed = by_dot != by_cosine
zero = [name for name, x in zip(NAMES, X, strict=True) if not x.any()]

panels = [
    Panel(dots, "Dot products", NAMES, NAMES, limit=25, mark=(row, by_dot[row]), bands=BANDS, digits=2),
    Panel(cosines, "Cosines", NAMES, NAMES, limit=1, mark=(row, by_cosine[row]), bands=BANDS, digits=2),
]
charts.show(
    "similarity",
    charts.matrices(panels, per_row=2, cell=24),
    f"8 by 8 dot products beside 8 by 8 cosines; the nearest to {NAMES[row]} is outlined: {NAMES[by_dot[row]]} by dot product, {NAMES[by_cosine[row]]} by cosine.",
    row="row",
)
left, right = lab.columns(2)
with left:
    words = [[NAMES[i] for i in by_dot], [NAMES[i] for i in by_cosine], ["≠" if c else "=" for c in changed]]
    rows = ["by dot", "by cosine", "changed?"]
    table = Panel([changed] * 3, "Nearest neighbour of each", rows, NAMES, limit=2, mark=(None, row), words=words)
    charts.show(
        "neighbours",
        charts.matrices([table], per_row=1, cell=36),
        f"The nearest neighbour of each vector by dot product and by cosine; {sum(changed)} of 8 differ.",
        row="column",
    )
with right:
    lines = [
        Series("within a cluster", sweep.within, "head_3"),
        Series("between the two", sweep.between, "head_7", dash="dash"),
    ]
    marks = [Mark(offset, means.within), Mark(offset, means.between)]
    frame = {"x_title": "offset", "x_range": (-0.1, 5.2), "y_range": (-1.1, 1.15), "height": 265}
    charts.show(
        "offsets",
        charts.lines(OFFSETS, lines, title="Mean cosine", marks=marks, **frame),
        f"Mean cosine within and between the clusters against the offset; at {offset:g} they are {number(means.within)} and {number(means.between)}.",
        offset="x",
    )
nearest = by_dot[row]
divisor = rf"{number(norm(X[row]))} \cdot {number(norm(X[nearest]))}"
undefined = {NAMES[row], NAMES[nearest]} & {*zero}
a, b = rf"v_{{{row}}}", rf"v_{{{nearest}}}"
lab.step(
    f"{NAMES[row]} and its nearest by dot product, {NAMES[nearest]}",
    worked.dot(rf"{a} \cdot {b}", X[row], X[nearest], dots[row, nearest]),
    rf"\cos = \frac{{{a} \cdot {b}}}{{\|{a}\| \, \|{b}\|}} = \frac{{{worked.bare(dots[row, nearest])}}}{{{divisor}}} = "
    + (r"\frac{0}{0}\text{, undefined: shown as }0" if undefined else worked.bare(cosines[row, nearest])),
)
lengths = [norm(x) for x in X]
longest, popular = int(np.argmax(lengths)), int(np.bincount(by_dot).argmax())
low = np.unravel_index(cosines.argmin(), cosines.shape)
lab.notice(
    f"**{changed.sum()} of 8** vectors have another nearest neighbour by cosine than by dot product"
    + (f": {', '.join(np.array(NAMES)[changed])}." if changed.any() else "."),
    f"Mean cosine within a cluster **{number(means.within)}**, between the two **{number(means.between)}**. From offset 0 to 5 the second goes from {number(sweep.between[0])} to {number(sweep.between[-1])}"
    + (": the mean takes the offset with it." if centre else "."),
    f"The lowest of all cosines is {number(cosines.min())}, {NAMES[low[0]]} against {NAMES[low[1]]}"
    + (": even the least alike two look alike." if cosines.min() > 0.5 else "."),
    f"By dot product {NAMES[popular]} is the nearest neighbour of {(by_dot == popular).sum()} out of 8, by cosine of {(by_cosine == popular).sum()}. No vector is longer than {NAMES[longest]}: {number(lengths[longest])}.",
    *[f"{', '.join(zero)}: a zero vector has no direction. Its cosines are undefined, shown as 0." for _ in zero[:1]],
)
lab.try_this(
    ("No offset", "Which sign have the cosines between the two clusters now?", {"offset": 0.0}),
    ("A large offset", "How low can any cosine still get when all share an offset of 5?", {"offset": 5.0}),
    (
        "The mean subtracted",
        "The same offset of 5, then the mean taken out: what is left of the offset?",
        {"offset": 5.0, "centre": True},
    ),
    (
        "One long vector",
        "v1 five times as long: whose nearest does it become, by which measure?",
        {"offset": 0.0, "row": "v1", "factor": 5.0},
    ),
)
moved = add_offset(stretched, offset)
over_all, own = (similarity_matrix(x, "cosine")[row, nearest] for x in (remove_mean(moved), remove_mean(moved.T).T))
pair, selves = f"cos({NAMES[row]}, {NAMES[nearest]})", np.arange(8)
lab.conventions(
    (
        "Which mean is subtracted",
        f"that of all vectors: {pair} = {number(over_all)}",
        f"each vector's own, which makes it Pearson's correlation: {number(own)}",
    ),
    (
        "Is a vector its own nearest",
        "no, the diagonal is left out",
        f"a search may find it: {(dots.argmax(axis=1) == selves).sum()} of 8 by dot product, {(cosines.argmax(axis=1) == selves).sum()} by cosine",
    ),
    (
        "Cosine with a zero vector",
        f"undefined, shown as {number(similarity_matrix([[0, 0, 0, 0], X[row]], 'cosine')[0, 1])}",
        "the plain formula divides 0 by 0: NaN",
    ),
)
lab.take_away({"X": X, "dots": dots, "cosines": cosines, "by_dot": by_dot, "by_cosine": by_cosine}
    | {"within": means.within, "between": means.between}, code="""
X = vectors.copy()
X[row] *= factor
X += offset
X -= (X[0] + (X - X[0]).mean(axis=0)) * centre
dots = X @ X.T
cosines = dots / np.maximum(np.outer(*[np.linalg.norm(X, axis=1)] * 2), 1e-300)
others = ~np.eye(8, dtype=bool)
def nearest(scores):  # the first of those that tie but for rounding
    best = np.where(others, scores, -np.inf).max(axis=1, keepdims=True)
    return (others & (scores >= best - 1e-12 * abs(best))).argmax(axis=1)
by_dot, by_cosine = nearest(dots), nearest(cosines)
same = np.arange(8)[:, None] // 4 == np.arange(8) // 4
within, between = cosines[same & others].mean(), cosines[~same].mean()
""", vectors=vectors, offset=offset, row=row, factor=factor, centre=centre)  # fmt: skip
lab.source(similarity_matrix, nearest_neighbours, remove_mean, clusters_by_offset)
