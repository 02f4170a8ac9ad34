"""What does a norm even out: rows or columns? And where does ε matter?"""

import numpy as np

from engine import normalization
from engine.normalization import batch_norm, layer_norm, moments, rms_norm, variance_after, with_moments
from engine.vectors import scale_row
from ui import charts
from ui.labs.rows_normalised import against_eps, differ, evened, framed, kept, others
from ui.page import controls, lab
from ui.page.matrices import matrices, shown_as
from ui.questions.rows_normalised import QUESTIONS
from ui.words import power, told

X = [
    [1.2, -0.4, 0.8, -1.1, 0.3, 1.9, -0.7, 0.4],
    [2.1, 1.2, 3.3, 0.9, 2.5, 1.8, 3.0, 1.4],
    [0.01, -0.01, 0.01, 0.0, -0.01, 0.0, 0.02, -0.01],
    [-2.6, 3.1, 0.5, -1.9, 2.2, -0.8, -3.0, 1.1],
]
TOKENS, FEATURES = [f"t{r}" for r in range(4)], [f"f{c}" for c in range(8)]
SCALES, EPS = [0.001, 0.01, 0.1, 1.0, 10.0], [0.0, *(10.0**k for k in range(-8, 1))]
NORMS = ["Layer", "Batch", "RMS"]
CURVE = np.geomspace(1e-8, 10**-0.01, 33)

lab.begin(__file__, QUESTIONS)
with lab.panel():
    r = controls.slider("row", "Row to follow", 0, 3, 2, help="A click on a cell sets row and column.")
    about = "The row is multiplied by it before any norm."
    scale = controls.stops("scale", "Scale of that row", SCALES, 1.0, show="{:g}".format, help=about)
    eps = controls.stops("eps", "ε", EPS, 1e-5, show=power, help="Added under the root by all three norms.")
    c = controls.slider("column", "Column to follow", 0, 7, 0)
    name = controls.choice("norm", "Norm to look into", NORMS)
    gamma = controls.slider("gamma", "γ of every feature", 0.0, 2.0, 1.0, step=0.1)
    beta = controls.slider("beta", "β of every feature", -1.0, 1.0, 0.0, step=0.1, help="RMS norm has no β.")
    (x,) = matrices("Edit the matrix", X=("X", X), limit=100, rows=TOKENS, columns=FEATURES)

typed = x
x = scale_row(typed, r, scale)
layer = lab.attempt(layer_norm, x, [gamma] * 8, [beta] * 8, eps=eps)
batch = lab.attempt(batch_norm, x, [gamma] * 8, [beta] * 8, eps=eps)
rms = lab.attempt(rms_norm, x, [gamma] * 8, eps=eps)
unscaled = batch_norm(typed, [gamma] * 8, [beta] * 8, eps=eps or 1e-300)
(left,) = lab.attempt(variance_after, x, [eps])
trace = {"Layer": layer, "Batch": batch, "RMS": rms}[name]
before, by_layer, by_batch, by_rms = (moments(values) for values in (x, layer.out, batch.out, rms.out))
after = {"Layer": by_layer, "Batch": by_batch, "RMS": by_rms}[name]
mean, variance = normalization.moments_at(trace, r, c)
now = told(
    gamma=gamma,
    beta=beta,
    eps=eps,
    x=x[r, c],
    mean=mean,
    variance=variance,
    out=trace.out[r, c],
    row=before.row_variance[r, 0],
    row_after=[m.row_variance[r, 0] for m in (by_layer, by_batch, by_rms)],
    row_mean=after.row_mean[r, 0],
    variance_after=after.row_variance[r, 0],
    left=left[r],
)

held = shown_as("x", [scale if row == r else 1.0 for row in range(4)])
tables = [with_moments(values) for values in (x, layer.out, batch.out, rms.out)]
charts.show(
    "norms",
    framed(tables, rows=TOKENS, columns=FEATURES, mark=(r, c), held=held),
    f"The matrix and its layer, batch and RMS norm with means and variances; row {r} has variance {now.row} before "
    f"and {now.row_after[0]} after layer norm.",
    row=lambda clicked: clicked["row"] if clicked["row"] < 4 else None,
    column=lambda clicked: clicked["column"] if clicked["column"] < 8 else None,
    norm=lambda clicked: NORMS[clicked["panel"] - 1] if clicked["panel"] else None,
)
one, two = lab.columns(2)
with one:
    figure = against_eps(CURVE, variance_after(x, CURVE), TOKENS, r, eps, left[r])
    alt = (
        f"The variance layer norm leaves in each row against ε on a log axis; row {r} keeps {now.left} at {power(eps)}."
    )
    charts.show("eps", figure, alt, eps="x")
with two:
    shown = {"means": after.row_mean, "variances": after.row_variance, "columns": FEATURES, "chosen": c}
    title = f"The rows after {name} norm"
    figure = charts.strips(TOKENS, trace.out, x_range=(-6.5, 6.5), title=title, height=384, **shown)
    alt = f"Each row after {name} norm as points on a line, with its mean and one deviation to each side; "
    alt += f"row {r} has mean {now.row_mean} and variance {now.variance_after}."
    charts.show("strips", figure, alt, column="point")

over = {"Layer": f"row {r}", "Batch": f"column {c}", "RMS": f"the squares of row {r}"}[name]
centred, shift = ("", "") if name == "RMS" else (f" - {now.mean:tex}", f" + {now.beta:tex}")
lab.step(
    f"The sum behind row {r}, column {c} under {name} norm",
    rf"y = {now.gamma:tex} \cdot \frac{{{now.x:tex}{centred}}}{{\sqrt{{{now.variance:tex} + {now.eps:tex}}}}}{shift}"
    rf" = {now.out:bare}",
)
lab.say(
    f"Under the root stands the mean of {over}, {now.variance}; nothing is subtracted."
    if name == "RMS"
    else f"Mean {now.mean} and variance {now.variance} are those of {over}."
)

lab.notice(
    *evened(by_layer, by_batch, by_rms, gamma),
    f"Row {r} comes in with variance {now.row} and leaves layer norm with **{now.row_after[0]}**, batch norm with "
    f"**{now.row_after[1]}**, RMS norm with **{now.row_after[2]}**.",
    *kept(left, before.row_variance[:, 0], r, eps),
    others(batch.out, unscaled.out, r, c),
)


def elsewhere():
    """The same number by other libraries' rules."""
    by_torch = normalization.running_statistics(x, momentum=0.1)
    by_keras = normalization.running_statistics(x, momentum=0.99, library="keras")
    others = told(
        gamma=gamma,
        kept=variance_after(x, [1e-5, 1e-3, 1e-12])[:, r],
        rms_kept=[rms_norm(x, eps=e).normalized[r, c] for e in (1e-6, 1e-5, 2**-23)],
        training=batch.normalized[r, c],
        later=normalization.batch_norm_inference(x, by_torch, eps=eps).out[r, c],
        by_torch=by_torch.mean[0, c],
        by_keras=by_keras.mean[0, c],
        rms=rms.out[r, c],
        gemma=rms_norm(x, [gamma] * 8, eps=eps, one_plus=True).out[r, c],
        alone=abs(batch_norm(x[:1]).out).max(),
    )
    return differ(others, r, c, eps)


def one_feature():
    """The slip of the wrong axis, where it shows most."""
    by_layer, by_batch = (norm([[5.0], [9.0]]).out[:, 0] for norm in (layer_norm, batch_norm))
    two = told(layer=by_layer, batch=by_batch)
    return [
        (
            "One feature only: the column 5, 9, normed as a row each",
            f"layer norm: {two.layer[0]} and {two.layer[1]}, each row is its own mean",
            f"batch norm in its place: {two.batch[0]} and {two.batch[1]}",
        )
    ]


lab.conventions(elsewhere)
lab.slips(one_feature)
numbers = {"x": x, "layer": layer.out, "batch": batch.out, "rms": rms.out, "left": left, **before._asdict()}
lab.take_away(numbers, x=x, gamma=gamma, beta=beta, eps=eps)
lab.source(layer_norm, batch_norm, rms_norm, variance_after)
