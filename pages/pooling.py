"""What do padding rows do to a sentence's vector, unless the mask keeps them out?"""

import numpy as np

from engine.pooling import FILLS, METHODS, SIDES, add_padding, drift_by_method, drift_by_padding, padding_rows, pool
from engine.vectors import norm
from ui import charts
from ui import words as worked
from ui.charts import Mark, Panel, Series
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import number

ROWS = [[1.5, -1.0, 0.5, 2.0], [0.5, -2.0, 1.0, 1.0], [2.0, -0.5, -1.0, 0.5], [1.0, -1.5, 0.0, 2.5], [-0.5, -1.0, 2.0, 1.5], [1.5, -2.5, 0.5, 0.5]]  # fmt: skip
STYLES = {"cls": ("[CLS]", "head_0", "solid"), "mean": ("mean", "head_2", "dash"), "max": ("max", "head_6", "dot")}
MOST = 6

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
        rows = edited.matrix("rows", "Token rows", ROWS, shape=(None, 4), most=(6, 4), limit=10, help=about)

padding = padding_rows(MOST, 4, fill=fill, rng=np.random.default_rng(seed))
hidden, real = add_padding(rows, padding[:n_padding], side=side)
mask = real & (not nothing)
curves = {name: drift_by_padding(rows, padding, method=name, side=side) for name in METHODS}

tokens = iter(["[CLS]", *(f"t{i}" for i in range(1, len(rows)))])
names = [next(tokens) if is_real else "pad" for is_real in real]
labels = [STYLES[name][0] for name in METHODS]
chosen = METHODS.index(method)
drifts = lab.attempt_or_none(drift_by_method, hidden, mask)
unmasked = {name: pool(hidden, method=name) for name in METHODS}

band = ((len(rows), len(hidden), "ghost") if side == "right" else (0, n_padding, "ghost"),) if n_padding else ()
columns = [f"dim {c}" for c in range(4)]
pooled = {"With the mask": [d.masked for d in (drifts or {}).values()], "Without it": [*unmasked.values()]}
panels = [Panel(hidden, "The rows", names, columns, limit=4, digits=2, row_bands=band)] + [
    Panel(vectors, title, labels, columns, limit=4, mark=(chosen, None), digits=2)
    for title, vectors in pooled.items()
    if vectors
]
charts.show(
    "pooled",
    charts.matrices(panels, per_row=len(panels), cell=25 if len(hidden) <= 9 else 19),
    f"{len(hidden)} rows, {n_padding} of them padding, beside the vectors that three methods pool from them, "
    + ("with and without the mask." if drifts else "without the mask only."),
    method=lambda at: at["row"] if at["panel"] else None,
)
furthest = max(curve.distance.max() for curve in curves.values())
lines = [
    ("cosine", "Cosine with the masked vector", (-1.1, 1.15)),
    ("distance", "Distance from the masked vector", (0, np.ceil(1.1 * furthest) or 1)),
]
for column, (name, title, y_range) in zip(lab.columns(2), lines, strict=True):
    with column:
        by_method = {m: getattr(curves[m], name) for m in METHODS}
        series = [Series(label, by_method[m], colour, dash=dash) for m, (label, colour, dash) in STYLES.items()]
        marks = [Mark(n_padding, by_method[m][n_padding], colour=STYLES[m][1]) for m in METHODS if drifts]
        frame = {"x_title": "padding rows", "x_range": (-0.3, MOST + 0.3), "y_range": y_range, "height": 265}
        charts.show(
            name,
            charts.lines(range(MOST + 1), series, title=title, marks=marks, **frame),
            f"{title} against the padding rows; at {n_padding}: "
            + ", ".join(f"{STYLES[m][0]} {number(v[n_padding])}" for m, v in by_method.items()),
            n_padding="x",
        )

kept, every = (list(map(worked.tex, hidden[part, 1])) for part in (mask, slice(None)))
write = {
    "cls": lambda parts: parts[0],
    "mean": lambda parts: rf"\tfrac{{1}}{{{len(parts)}}}\,({worked.terms(parts)})",
    "max": lambda parts: rf"\max({worked.terms(parts, ', ')})",
}[method]
lab.step(
    f"Dimension 1, {STYLES[method][0]}",
    rf"\text{{with the mask: }} {write(kept)} = {worked.bare(drifts[method].masked[1])}"
    if drifts
    else r"\text{with the mask: no row is left}",
    rf"\text{{without it: }} {write(every)} = {worked.bare(unmasked[method][1])}",
)
if drifts:
    most = max(d.distance for d in drifts.values())
    worst = [STYLES[m][0] for m in METHODS if drifts[m].distance >= most - 1e-9]
    flat = [STYLES[m][0] for m in METHODS if not (drifts[m].masked.any() and drifts[m].unmasked.any())]
    lost = (drifts["max"].masked != drifts["max"].unmasked).sum()
    before, after = norm(drifts["mean"].masked), norm(drifts["mean"].unmasked)
    lab.notice(
        "Without the mask "
        + "; ".join(
            f"{STYLES[m][0]} lands **{number(d.distance)}** away, cosine {number(d.cosine)}" for m, d in drifts.items()
        )
        + (f". Furthest off: {' and '.join(worst)}." if most > 1e-9 else ". Nothing drifts."),
        "Row 0 is [CLS] itself: padding after the tokens never touches it."
        if real[0]
        else f"Row 0 is padding: taken for [CLS], it lies {number(drifts['cls'].distance)} from the real one.",
        "There is no padding: with the mask or without it, all three methods agree."
        if not n_padding
        else f"The mean over all rows divides by {len(hidden)} instead of {mask.sum()}: its length goes from {number(before)} to {number(after)}"
        + (
            "."
            if "mean" in flat
            else ", its direction stays."
            if drifts["mean"].cosine > 1 - 1e-9
            else ", and its direction turns."
        ),
        f"In {lost} of 4 dimensions a padding row takes over the maximum.",
        *[f"{name}: one of the two vectors is zero. The cosine is undefined, shown as 0." for name in flat],
    )
else:
    lab.notice(
        f"All {len(hidden)} rows are masked, so no method has a row to pool: not a zero vector, but **no vector at all**.",
        f"Pooling without the mask still gives numbers; its mean has length {number(norm(unmasked['mean']))}. Nobody asked for them.",
    )
lab.try_this(
    ("Harmless zeros", "Zeros add nothing to a sum: which methods move all the same?", {"fill": "zeros"}),
    ("Padding on the left", "Which method did not care so far, and why does it now?", {"side": "left"}),
    ("Half noise", "Six rows of small noise: which method is worst off?", {"fill": "noise", "n_padding": 6}),
    ("Nothing to pool", "What is the mean of no rows: zero, an error, something else?", {"nothing": True}),
)
zeroed = pool(np.where(real[:, None], hidden, 0.0), method="max")
lab.conventions(
    (
        "Which row is [CLS]",
        f"the first real token: dimension 1 is {number(pool(hidden, real, method='cls')[1])}",
        f"row 0 of the batch, whatever it is: {number(hidden[0, 1])}",
    ),
    (
        "Maximum with a mask",
        f"padding left out: dimension 1 is {number(pool(hidden, real, method='max')[1])}",
        f"rows multiplied by the mask, so zeros join in: {number(zeroed[1])}",
    ),
    (
        "Every row masked",
        "refused: there is nothing to pool",
        "a plain mean divides 0 by 0: NaN; with its denominator kept above 1e−9, as in sentence-transformers: 0",
    ),
)
lab.take_away({"hidden": hidden, "mask": mask}
    | {f"unmasked_{name}": v for name, v in unmasked.items()}
    | {f"{what}_{m}": getattr(d, what) for m, d in (drifts or {}).items() for what in ("masked", "cosine", "distance")}, code="""
def cosine(a, b):
    return (a / (np.hypot.reduce(a) or 1)) @ (b / (np.hypot.reduce(b) or 1))

unmasked_cls, unmasked_mean, unmasked_max = hidden[0], hidden.mean(axis=0), hidden.max(axis=0)
if mask.any():
    real = hidden[mask]
    masked_cls, masked_mean, masked_max = real[0], real.mean(axis=0), real.max(axis=0)
    cosine_cls, distance_cls = cosine(masked_cls, unmasked_cls), np.linalg.norm(masked_cls - unmasked_cls)
    cosine_mean, distance_mean = cosine(masked_mean, unmasked_mean), np.linalg.norm(masked_mean - unmasked_mean)
    cosine_max, distance_max = cosine(masked_max, unmasked_max), np.linalg.norm(masked_max - unmasked_max)
""", hidden=hidden, mask=mask)  # fmt: skip
lab.source(pool, add_padding, drift_by_padding)
