"""What do padding rows do to a sentence's vector, unless the mask keeps them out?"""

import numpy as np

from engine import pooling
from engine.pooling import FILLS, METHODS, SIDES, pool
from engine.vectors import norm
from ui import charts
from ui.charts import Panel
from ui.charts.links import Link
from ui.labs.pooling import STYLES, at, ceiling, curves, noticed, pooled
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.questions.pooling import QUESTIONS
from ui.words import bare, counted, told

ROWS = [[1.5, -1.0, 0.5, 2.0], [0.5, -2.0, 1.0, 1.0], [2.0, -0.5, -1.0, 0.5],
        [1.0, -1.5, 0.0, 2.5], [-0.5, -1.0, 2.0, 1.5], [1.5, -2.5, 0.5, 0.5]]  # fmt: skip
MOST, DIMS = 6, ["dim 0", "dim 1", "dim 2", "dim 3"]

lab.begin(__file__, QUESTIONS)
with lab.panel():
    n_padding = controls.slider("n_padding", "Padding rows", 0, MOST, 2, help="A click on a curve sets it too.")
    fill = controls.choice("fill", "Their value", FILLS, "large", help="0, small normal noise, or 9 in every place.")
    side = controls.choice("side", "Padding side", SIDES, help="After the tokens, or before them.")
    method = controls.choice("method", "Method to write out", METHODS, "mean")
    nothing = controls.toggle("nothing", "Mask every row", help="As if the whole sequence were padding.")
    dim = controls.slider("dim", "Dimension to write out", 0, 3, 1, help="A click on a column sets it.")
    seed = controls.seed("seed", "Seed of the noise")
    with lab.folded("Edit the token rows"):
        about = "The first is [CLS]."
        rows = matrix("rows", "Token rows", ROWS, shape=(None, 4), most=(6, 4), limit=10, help=about)

padding = pooling.padding_rows(MOST, 4, fill=fill, rng=np.random.default_rng(seed))
hidden, real = pooling.add_padding(rows, padding[:n_padding], side=side)
mask = real & (not nothing)
drifts = lab.attempt_or_none(pooling.drift_by_method, hidden, mask)
unmasked = {name: pool(hidden, method=name) for name in METHODS}
by_padding = {name: pooling.drift_by_padding(rows, padding, method=name, side=side) for name in METHODS}
flipped = pooling.add_padding(rows, padding[:n_padding], side="left" if side == "right" else "right")
now = told(
    rows=len(hidden),
    padding=n_padding,
    ends=[bool(real[0]), bool(real[-1])],
    real=mask.sum(),
    length=norm(unmasked["mean"]),
    first=pool(hidden, real, method="cls")[dim],
    row_0=hidden[0, dim],
    largest=pool(hidden, real, method="max")[dim],
    zeroed=pooling.pool_zeroed(hidden, real)[dim],
    last=pool(hidden, real, method="last")[dim],
    counted=pooling.last_by_count(hidden, real)[dim],
)
lab.shape(f"{counted(len(hidden), 'row', 'rows')} × 4 dims · {n_padding} of them padding")

tokens = iter(["[CLS]", *(f"t{i}" for i in range(1, len(rows)))])
names = [next(tokens) if is_real else "pad" for is_real in real]
start, first = (len(rows), 0) if side == "right" else (0, n_padding)
own = (first, first + len(rows))
band = ((start, start + n_padding, "ghost"),) if n_padding else ()
options = {"rows": [style.label for style in STYLES.values()], "columns": DIMS, "limit": 4, "digits": 2}
chosen = {"mark": (METHODS.index(method), dim), **options}
held = {"name": "rows", "held": "rows", "own": own}
panels = [Panel(hidden, "The rows", names, DIMS, limit=4, digits=2, row_bands=band, **held)]
way = [Link("unmasked", "", (("rows", "*", "c"),))]
if drifts:
    panels.append(Panel([drift.masked for drift in drifts.values()], "With the mask", name="masked", **chosen))
    way.append(Link("masked", "", (("rows", f"{own[0]}:{own[1]}", "c"),)))
panels.append(Panel([*unmasked.values()], "Without it", name="unmasked", **chosen))
charts.show(
    "pooled",
    charts.matrices(panels, per_row=len(panels), cell=23, room=len(rows) + MOST, links=way),
    f"{now.rows} rows, {n_padding} of them padding, beside the vectors that four methods pool from them, "
    + ("with and without the mask." if drifts else "without the mask only."),
    method=lambda clicked: clicked["row"] if clicked["panel"] else None,
    dim="column",
)
measures = [
    ("cosine", "Cosine with the masked vector", (-1.1, 1.15)),
    ("distance", "Distance from the masked vector", (0, ceiling(by_padding))),
]
for column, (name, title, y_range) in zip(lab.columns(2), measures, strict=True):
    with column:
        measured = {m: getattr(curve, name) for m, curve in by_padding.items()}
        figure = curves(measured, n_padding, title=title, y_range=y_range, marked=bool(drifts))
        alt = f"{title} against the padding rows; at {n_padding}: {at(measured, n_padding)}"
        charts.show(name, figure, alt, n_padding="x")
places = [place for place, takes_part in enumerate(mask) if takes_part]
lab.step(
    f"Dimension {dim}, {STYLES[method].label}",
    rf"\text{{with the mask}} = {pooled(method, hidden, places, dim)} = {bare(drifts[method].masked[dim])}"
    if drifts
    else r"\text{with the mask no row is left}",
    rf"\text{{without it}} = {pooled(method, hidden, range(len(hidden)), dim)} = {bare(unmasked[method][dim])}",
)

if drifts:
    lab.notice(*noticed(drifts, pooling.drift_by_method(*flipped), side, norm(drifts["mean"].masked), now))
else:
    lab.notice(
        f"Every row is masked ({counted(now.rows, 'row', 'rows')}), so no method has one to pool: not a zero vector, "
        "but **no vector at all**.",
        f"Pooling without the mask still gives numbers, a mean of length {now.length}, but of rows that do not count.",
    )
lab.conventions(
    (
        f"Which row is [CLS], dimension {dim}",
        f"the first real token: {now.first}",
        f"BERT in transformers: position 0 of the sequence, whatever stands there: {now.row_0}",
    ),
    (
        "Every row masked",
        "refused: there is nothing to pool",
        "sentence-transformers: a mean of 0, its denominator kept above 1e−9, and a maximum of −1e9, which it writes "
        "into the padding first; a plain mean divides 0 by 0: NaN in PyTorch",
    ),
)
lab.slips(
    (
        f"Maximum with a mask, dimension {dim}",
        f"padding left out: {now.largest}",
        f"rows multiplied by the mask, so zeros join in: {now.zeroed}",
    ),
    (
        f"Last token, dimension {dim}",
        f"the last real one, whichever side the padding is on: {now.last}",
        f"row Σ mask − 1, right only with padding on the right: {now.counted}",
    ),
)
numbers = {"hidden": hidden, "mask": mask, "unmasked": unmasked}
for what in ("masked", "cosine", "distance"):
    numbers[what] = {name: getattr(drift, what) for name, drift in (drifts or {}).items()}
for what in ("cosine", "distance"):
    numbers[f"{what}_by_padding"] = {name: list(getattr(curve, what)) for name, curve in by_padding.items()}
lab.take_away(numbers, rows=rows, padding=padding, n_padding=n_padding, side=side, nothing=nothing)
lab.source(pool, pooling.add_padding, pooling.drift_by_padding)
