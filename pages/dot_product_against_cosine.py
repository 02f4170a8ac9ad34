"""Which vector is nearest, by dot product and by cosine, and what does an offset that all share do to the answer?"""

import numpy as np

from engine.vectors import (
    TWO_CLUSTERS,
    TWO_CLUSTERS_LABELS,
    add_offset,
    clusters_by_offset,
    finds_itself,
    has_direction,
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
from ui.charts import Panel, links
from ui.labs.dot_product_against_cosine import COSINES, cosine, cosines_by_offset, neighbours, said
from ui.page import controls, lab
from ui.page.matrices import matrix, shown_as
from ui.questions.dot_product_against_cosine import QUESTIONS
from ui.words import agree, dot, told

NAMES, BANDS = [f"v{i}" for i in range(8)], ((0, 4, "head_0"), (4, 8, "head_6"))
OFFSETS = np.linspace(0, 5, 41)

lab.begin(__file__, QUESTIONS)
with lab.panel():
    about = "Added to all 32 numbers alike."
    offset = controls.slider("offset", "Offset all vectors share", 0.0, 5.0, 1.0, step=0.125, help=about)
    centre = controls.toggle("centre", "Subtract the mean vector", help="The mean of the eight, from each of them.")
    row = controls.which("row", "Chosen vector", NAMES, "v3", help="A click on a cell chooses its row and its column.")
    other = controls.which("column", "Compared with", NAMES, "v2")
    about = "It is stretched before the offset is added."
    factor = controls.slider("factor", "Length of the chosen one, times", 0.0, 5.0, 1.0, step=0.1, help=about)
    with lab.folded("Edit the vectors"):
        vectors = matrix("vectors", "Vectors", TWO_CLUSTERS, rows=NAMES, limit=10, help="v0 to v3, v4 to v7.")

stretched, labels = scale_row(vectors, row, factor), TWO_CLUSTERS_LABELS
moved, own_length = add_offset(stretched, offset), add_offset(vectors, offset)
X, before = (remove_mean(moved), remove_mean(own_length)) if centre else (moved, own_length)
dots, cosines, directed = similarity_matrix(X, "dot"), similarity_matrix(X, "cosine"), has_direction(X)
by_both = lambda x: [nearest_neighbours(similarity_matrix(x, by), defined=has_direction(x)) for by in ("dot", "cosine")]
(by_dot, by_cosine), was = by_both(X), by_both(before)
bare, bare_centred = (by_both(x) for x in (stretched, remove_mean(stretched)))  # without any offset
means, sweep = mean_within_between(cosines, labels), clusters_by_offset(stretched, labels, OFFSETS, centre=centre)
raw, centred = (clusters_by_offset(stretched, labels, [0], centre=subtract).between[0] for subtract in (False, True))
changed, lengths, own = by_dot != by_cosine, [norm(x) for x in X], remove_own_mean(moved)
popular, low = most_popular(by_dot), least_alike(cosines, defined=directed)
rest = remove_mean(moved)
now = told(
    chosen=NAMES[row],
    changed=[name for name, differs in zip(NAMES, changed, strict=True) if differs],
    zero=[name for name, points in zip(NAMES, directed, strict=True) if not points],
    within=means.within,
    between=means.between,
    negative=(cosines[:4, 4:] < -1e-12).sum(),
    ends=[sweep.between[0], sweep.between[-1]],
    steady=sweep.between.max() - sweep.between.min() < 1e-9,
    raw=raw,
    centred=centred,
    differ=[(by_dot != by_cosine).sum() for by_dot, by_cosine in (bare, bare_centred)],
    lowest=cosines[low] if low else 0.0,
    least_alike=[NAMES[i] for i in low or ()],
    popular="" if popular is None else NAMES[popular],
    takers=[(nearest == popular).sum() for nearest in (by_dot, by_cosine)],
    longest=NAMES[lengths.index(max(lengths))],
    length=max(lengths),
    to_chosen=[", ".join(NAMES[i] for i in range(8) if near[i] == row) or "none" for near in (by_dot, by_cosine, *was)],
    of_all=similarity_matrix(rest, "cosine")[row, other] if has_direction(rest)[[row, other]].all() else float("nan"),
    of_own=similarity_matrix(own, "cosine")[row, other] if has_direction(own)[[row, other]].all() else float("nan"),
)

held = "" if centre else shown_as("vectors", [factor if i == row else 1.0 for i in range(8)], offset)
pairs = {"rows": NAMES, "columns": NAMES, "mark": (row, other), "bands": BANDS, "digits": 2}
panels = [
    Panel(X, "Vectors", NAMES, limit=5, mark=(row, None), row_bands=BANDS, digits=2, name="X", held=held),
    Panel(dots, "Dot products", limit=25, name="dots", **pairs),
    Panel(cosines, "Cosines", limit=1, name="cosines", **pairs),
]
way = (links.product("dots", "X", "X", turned=True), COSINES)
names = [*NAMES, "none"]  # the last one, −1, stands for no neighbour
alt = "Eight vectors of four numbers, their 8 by 8 dot products and 8 by 8 cosines; the nearest to "
alt += f"{NAMES[row]} is {names[by_dot[row]]} by dot product, {names[by_cosine[row]]} by cosine."
compared = lambda at: at["column"] if at["panel"] else None
picture = charts.matrices(panels, per_row=3, cell=30, links=way)
charts.show("similarity", picture, alt, row="row", column=compared)
left, right = lab.columns(2)
with left:
    alt = f"The nearest neighbour of each vector by dot product and by cosine; {changed.sum()} of 8 differ."
    charts.show("neighbours", neighbours(names, by_dot, by_cosine, row), alt, row="column")
with right:
    alt = f"Mean cosine within and between the clusters against the offset; at {offset:g} they are {now.within} and "
    charts.show("offsets", cosines_by_offset(sweep, offset, means), f"{alt}{now.between}.", offset="x")
a, b = rf"v_{{{row}}}", rf"v_{{{other}}}"
lab.step(
    f"{NAMES[row]} and {NAMES[other]}",
    dot(rf"{a} \cdot {b}", X[row], X[other], dots[row, other]),
    cosine(
        a,
        b,
        dots[row, other],
        (lengths[row], lengths[other]),
        cosines[row, other] if directed[[row, other]].all() else None,
    ),
)

lab.notice(*said(now, offset, factor, centre))
found = finds_itself(dots).sum()
itself = f"{found} of 8 vectors {agree(found, 'finds itself', 'find themselves')} by dot product"
lab.conventions(
    (
        "Which mean is subtracted",
        f"with the switch on, that of all vectors: cos({NAMES[row]}, {NAMES[other]}) = {now.of_all}",
        f"each vector's own, as NumPy's corrcoef, which is Pearson's correlation: {now.of_own}",
    ),
    (
        "Is a vector its own nearest",
        "no, as in scikit-learn's kneighbors() without an argument",
        f"FAISS's IndexFlatIP, searched with the vectors it holds, leaves it in: {itself}",
    ),
    (
        "Cosine with a zero vector",
        "undefined, shown as 0, which PyTorch and scikit-learn give",
        "SciPy's distance.cosine: NaN",
    ),
)
numbers = {"X": X, "dots": dots, "cosines": cosines, "by_dot": by_dot, "by_cosine": by_cosine, **means._asdict()}
lab.take_away(numbers, vectors=vectors, offset=offset, row=row, factor=factor, centre=centre)
lab.source(similarity_matrix, nearest_neighbours, remove_mean, clusters_by_offset)
