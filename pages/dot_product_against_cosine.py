"""Which vector is nearest, by dot product and by cosine, and what does an offset that all share do to the answer?"""

import numpy as np

from engine.vectors import (
    TWO_CLUSTERS,
    TWO_CLUSTERS_LABELS,
    add_offset,
    clusters_by_offset,
    finds_itself,
    least_alike,
    mean_within_between,
    most_popular,
    nearest_neighbours,
    norm,
    remove_mean,
    remove_own_mean,
    scale_row,
    similarity_matrix,
)
from ui import charts
from ui.charts import Panel
from ui.labs.dot_product_against_cosine import cosine, cosines_by_offset, neighbours
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.words import dot, told

NAMES, BANDS = [f"v{i}" for i in range(8)], ((0, 4, "head_0"), (4, 8, "head_6"))
OFFSETS = np.linspace(0, 5, 41)

lab.begin(__file__)
with lab.panel():
    about = "Added to all 32 numbers alike."
    offset = controls.slider("offset", "Offset all vectors share", 0.0, 5.0, 1.0, step=0.125, help=about)
    centre = controls.toggle("centre", "Subtract the mean vector", help="The mean of the eight, from each of them.")
    about = "Its row is outlined. A click on a row chooses it."
    row = controls.which("row", "Chosen vector", NAMES, "v3", help=about)
    about = "It is stretched before the offset is added."
    factor = controls.slider("factor", "Its length, times", 0.0, 5.0, 1.0, step=0.1, help=about)
    with lab.folded("Edit the vectors"):
        vectors = matrix("vectors", "Vectors", TWO_CLUSTERS, rows=NAMES, limit=10, help="v0 to v3, v4 to v7.")

stretched = scale_row(vectors, row, factor)
moved = add_offset(stretched, offset)
X = remove_mean(moved) if centre else moved
dots, cosines = similarity_matrix(X, "dot"), similarity_matrix(X, "cosine")
by_dot, by_cosine = nearest_neighbours(dots), nearest_neighbours(cosines)
means = mean_within_between(cosines, TWO_CLUSTERS_LABELS)
sweep = clusters_by_offset(stretched, TWO_CLUSTERS_LABELS, OFFSETS, centre=centre)
changed, lengths, zero = by_dot != by_cosine, [norm(x) for x in X], [not x.any() for x in X]
nearest, popular, low = by_dot[row], most_popular(by_dot), least_alike(cosines)
longest = lengths.index(max(lengths))
now = told(
    changed=[name for name, differs in zip(NAMES, changed, strict=True) if differs],
    zero=[name for name, has_no_direction in zip(NAMES, zero, strict=True) if has_no_direction],
    within=means.within,
    between=means.between,
    sweep=sweep.between,
    lowest=cosines[low],
    longest=lengths[longest],
    of_all=similarity_matrix(remove_mean(moved), "cosine")[row, nearest],
    of_own=similarity_matrix(remove_own_mean(moved), "cosine")[row, nearest],
    undefined=similarity_matrix([[0, 0, 0, 0], X[row]], "cosine")[0, 1],
)

panels = [
    Panel(dots, "Dot products", NAMES, NAMES, limit=25, mark=(row, nearest), bands=BANDS, digits=2),
    Panel(cosines, "Cosines", NAMES, NAMES, limit=1, mark=(row, by_cosine[row]), bands=BANDS, digits=2),
]
alt = f"8 by 8 dot products beside 8 by 8 cosines; the nearest to {NAMES[row]} is outlined: {NAMES[nearest]} by dot "
alt += f"product, {NAMES[by_cosine[row]]} by cosine."
charts.show("similarity", charts.matrices(panels, per_row=2, cell=24), alt, row="row")
left, right = lab.columns(2)
with left:
    alt = f"The nearest neighbour of each vector by dot product and by cosine; {changed.sum()} of 8 differ."
    charts.show("neighbours", neighbours(NAMES, by_dot, by_cosine, row), alt, row="column")
with right:
    alt = f"Mean cosine within and between the clusters against the offset; at {offset:g} they are {now.within} and "
    charts.show("offsets", cosines_by_offset(sweep, offset, means), f"{alt}{now.between}.", offset="x")
a, b = rf"v_{{{row}}}", rf"v_{{{nearest}}}"
undefined = zero[row] or zero[nearest]
lab.step(
    f"{NAMES[row]} and its nearest by dot product, {NAMES[nearest]}",
    dot(rf"{a} \cdot {b}", X[row], X[nearest], dots[row, nearest]),
    cosine(a, b, dots[row, nearest], (lengths[row], lengths[nearest]), None if undefined else cosines[row, nearest]),
)

lab.notice(
    f"**{changed.sum()} of 8** vectors have another nearest neighbour by cosine than by dot product"
    + (f": {now.changed}." if changed.any() else "."),
    f"Mean cosine within a cluster **{now.within}**, between the two **{now.between}**. From offset 0 to 5 the second "
    f"goes from {now.sweep[0]} to {now.sweep[-1]}{': the mean takes the offset with it' if centre else ''}.",
    f"The lowest of all cosines is {now.lowest}, {NAMES[low[0]]} against {NAMES[low[1]]}"
    + (": even the least alike two look alike." if now.lowest > 0.5 else "."),
    f"By dot product {NAMES[popular]} is the nearest neighbour of {(by_dot == popular).sum()} out of 8, by cosine of "
    f"{(by_cosine == popular).sum()}. No vector is longer than {NAMES[longest]}: {now.longest}.",
    *[f"{now.zero}: a zero vector has no direction. Its cosines are undefined, shown as 0." for _ in now.zero[:1]],
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
itself = f"{finds_itself(dots).sum()} of 8 by dot product, {finds_itself(cosines).sum()} by cosine"
lab.conventions(
    (
        "Which mean is subtracted",
        f"that of all vectors: cos({NAMES[row]}, {NAMES[nearest]}) = {now.of_all}",
        f"each vector's own, which makes it Pearson's correlation: {now.of_own}",
    ),
    ("Is a vector its own nearest", "no, the diagonal is left out", f"a search may find it: {itself}"),
    ("Cosine with a zero vector", f"undefined, shown as {now.undefined}", "the plain formula divides 0 by 0: NaN"),
)
numbers = {"X": X, "dots": dots, "cosines": cosines, "by_dot": by_dot, "by_cosine": by_cosine, **means._asdict()}
lab.take_away(numbers, vectors=vectors, offset=offset, row=row, factor=factor, centre=centre)
lab.source(similarity_matrix, nearest_neighbours, remove_mean, clusters_by_offset)
