"""What do padding rows do to a sentence's vector, unless the mask keeps them out?"""

import numpy as np

from engine import pooling
from engine.pooling import FILLS, METHODS, SIDES, pool
from engine.vectors import norm
from ui import charts
from ui.charts import Panel
from ui.labs.pooling import STYLES, at, ceiling, curves, drifting, pooled, without_direction
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.words import bare, told

ROWS = [[1.5, -1.0, 0.5, 2.0], [0.5, -2.0, 1.0, 1.0], [2.0, -0.5, -1.0, 0.5],
        [1.0, -1.5, 0.0, 2.5], [-0.5, -1.0, 2.0, 1.5], [1.5, -2.5, 0.5, 0.5]]  # fmt: skip
MOST, DIMS = 6, ["dim 0", "dim 1", "dim 2", "dim 3"]

lab.begin(__file__)
with lab.panel():
    n_padding = controls.slider("n_padding", "Padding rows", 0, MOST, 2, help="A click on a curve sets it too.")
    fill = controls.choice("fill", "Their value", FILLS, "large", help="0, small normal noise, or 9 in every place.")
    side = controls.choice("side", "Padding side", SIDES, help="After the tokens, or before them.")
    method = controls.choice("method", "Method to write out", METHODS, "mean")
    nothing = controls.toggle("nothing", "Mask every row", help="As if the whole row of the batch were padding.")
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
now = told(
    rows=len(hidden),
    real=mask.sum(),
    length=norm(unmasked["mean"]),
    first=pool(hidden, real, method="cls")[1],
    row_0=hidden[0, 1],
    largest=pool(hidden, real, method="max")[1],
    zeroed=pooling.pool_zeroed(hidden, real)[1],
)

tokens = iter(["[CLS]", *(f"t{i}" for i in range(1, len(rows)))])
names = [next(tokens) if is_real else "pad" for is_real in real]
start = len(rows) if side == "right" else 0
band = ((start, start + n_padding, "ghost"),) if n_padding else ()
options = {"rows": [style.label for style in STYLES.values()], "columns": DIMS, "limit": 4, "digits": 2}
chosen = {"mark": (METHODS.index(method), None), **options}
panels = [Panel(hidden, "The rows", names, DIMS, limit=4, digits=2, row_bands=band)]
if drifts:
    panels.append(Panel([drift.masked for drift in drifts.values()], "With the mask", **chosen))
panels.append(Panel([*unmasked.values()], "Without it", **chosen))
charts.show(
    "pooled",
    charts.matrices(panels, per_row=len(panels), cell=25 if len(hidden) <= 9 else 19),
    f"{now.rows} rows, {n_padding} of them padding, beside the vectors that three methods pool from them, "
    + ("with and without the mask." if drifts else "without the mask only."),
    method=lambda clicked: clicked["row"] if clicked["panel"] else None,
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
lab.step(
    f"Dimension 1, {STYLES[method].label}",
    rf"\text{{with the mask: }} {pooled(method, hidden[mask, 1])} = {bare(drifts[method].masked[1])}"
    if drifts
    else r"\text{with the mask: no row is left}",
    rf"\text{{without it: }} {pooled(method, hidden[:, 1])} = {bare(unmasked[method][1])}",
)

if drifts:
    flat, lost = without_direction(drifts), (drifts["max"].masked != drifts["max"].unmasked).sum()
    turned = told(before=norm(drifts["mean"].masked), away=drifts["cls"].distance)
    kept = ", its direction stays." if drifts["mean"].cosine > 1 - 1e-9 else ", and its direction turns."
    lab.notice(
        drifting(drifts),
        "Row 0 is [CLS] itself: padding after the tokens never touches it."
        if real[0]
        else f"Row 0 is padding: taken for [CLS], it lies {turned.away} from the real one.",
        f"The mean over all rows divides by {now.rows} instead of {now.real}: its length goes from {turned.before} to "
        f"{now.length}{'.' if 'mean' in flat else kept}"
        if n_padding
        else "There is no padding: with the mask or without it, all three methods agree.",
        f"In {lost} of 4 dimensions a padding row takes over the maximum.",
        *(f"{name}: one of the two vectors is zero. The cosine is undefined, shown as 0." for name in flat),
    )
else:
    lab.notice(
        f"All {now.rows} rows are masked, so no method has a row to pool: not a zero vector, but **no vector at all**.",
        f"Pooling without the mask still gives numbers; its mean has length {now.length}. Nobody asked for them.",
    )
lab.try_this(
    ("Harmless zeros", "Zeros add nothing to a sum: which methods move all the same?", {"fill": "zeros"}),
    ("Padding on the left", "Which method did not care so far, and why does it now?", {"side": "left"}),
    ("Half noise", "Six rows of small noise: which method is worst off?", {"fill": "noise", "n_padding": 6}),
    ("Nothing to pool", "What is the mean of no rows: zero, an error, something else?", {"nothing": True}),
)
lab.conventions(
    (
        "Which row is [CLS]",
        f"the first real token: dimension 1 is {now.first}",
        f"row 0 of the batch, whatever it is: {now.row_0}",
    ),
    (
        "Maximum with a mask",
        f"padding left out: dimension 1 is {now.largest}",
        f"rows multiplied by the mask, so zeros join in: {now.zeroed}",
    ),
    (
        "Every row masked",
        "refused: there is nothing to pool",
        "a plain mean divides 0 by 0: NaN; with its denominator kept above 1e−9, as in sentence-transformers: 0",
    ),
)
numbers = {"hidden": hidden, "mask": mask, **{f"unmasked_{name}": vector for name, vector in unmasked.items()}}
for name, drift in (drifts or {}).items():
    numbers |= {f"{what}_{name}": getattr(drift, what) for what in ("masked", "cosine", "distance")}
lab.take_away(numbers, hidden=hidden, mask=mask)
lab.source(pool, pooling.add_padding, pooling.drift_by_padding)
