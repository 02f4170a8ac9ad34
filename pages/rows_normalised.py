"""What does a norm even out: rows or columns? And where does ε matter?"""

import numpy as np

from engine.normalization import (
    batch_norm,
    batch_norm_inference,
    layer_norm,
    moments,
    rms_norm,
    running_statistics,
    variance_after,
)
from ui import charts
from ui.charts import Mark, Panel, Series
from ui.charts.strips import strips
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import bare, number, tex

X = [
    [1.2, -0.4, 0.8, -1.1, 0.3, 1.9, -0.7, 0.4],
    [2.1, 1.2, 3.3, 0.9, 2.5, 1.8, 3.0, 1.4],
    [0.01, -0.01, 0.01, 0.0, -0.01, 0.0, 0.02, -0.01],
    [-2.6, 3.1, 0.5, -1.9, 2.2, -0.8, -3.0, 1.1],
]
TOKENS, FEATURES = [f"t{r}" for r in range(4)], [f"f{c}" for c in range(8)]
EPS = [0.0, *(10.0**k for k in range(-8, 1))]
CURVE = 10.0 ** np.linspace(-8, -0.01, 33)
DASHES = ["longdash", "dash", "dot", "dashdot"]

power = lambda e: f"{e:g}".replace("e-0", "e-")
between = lambda v: f"{number(round(float(v.min()), 12))} to {number(round(float(v.max()), 12))}"

lab.begin(__file__)
with lab.panel():
    r = controls.slider("row", "Row to follow", 0, 3, 2, help="A click on a cell sets row and column.")
    scale = controls.stops("scale", "Scale of that row", [0.001, 0.01, 0.1, 1.0, 10.0], 1.0, show="{:g}".format, help="The row is multiplied by it before any norm.")  # fmt: skip
    eps = controls.stops("eps", "ε", EPS, 1e-5, show=power, help="Added under the root by all three norms.")
    c = controls.slider("column", "Column to follow", 0, 7, 0)
    name = controls.choice("norm", "Norm to look into", ["Layer", "Batch", "RMS"], "Layer")
    gamma = controls.slider("gamma", "γ of every feature", 0.0, 2.0, 1.0, step=0.1)
    beta = controls.slider("beta", "β of every feature", -1.0, 1.0, 0.0, step=0.1, help="RMS norm has no β.")
    with lab.folded("Edit the matrix"):
        x = edited.matrix("x", "X", X, limit=100, rows=TOKENS, columns=FEATURES)
    (x,) = edited.nudge(X=x)

x[r] = x[r] * scale
g, b = np.full(8, gamma), np.full(8, beta)
layer = lab.attempt(layer_norm, x, g, b, eps=eps)
batch = lab.attempt(batch_norm, x, g, b, eps=eps)
rms = lab.attempt(rms_norm, x, g, eps=eps)
left = lab.attempt(variance_after, x, [eps])[0]
trace = {"Layer": layer, "Batch": batch, "RMS": rms}[name]
before, after = moments(x), {"Layer": moments(layer.out), "Batch": moments(batch.out), "RMS": moments(rms.out)}

panels = [
    Panel(
        np.block([[values, m.row_mean, m.row_variance], [np.vstack([m.column_mean, m.column_variance]), np.full((2, 2), np.nan)]]),
        title, [*TOKENS, "mean", "var"], [*FEATURES, "mean", "var"], limit=3, digits=2, mark=(r, c), margins=(2, 2),
    )
    for title, values, m in [
        ("X, before", x, before), ("Layer norm: each row", layer.out, after["Layer"]),
        ("Batch norm: each column", batch.out, after["Batch"]), ("RMS norm: each row, not centred", rms.out, after["RMS"]),
    ]
]  # fmt: skip
charts.show(
    "norms",
    charts.matrices(panels, per_row=2, cell=29),
    f"The matrix and its layer, batch and RMS norm with means and variances; row {r} has variance {number(before.row_variance[r, 0])} before and {number(after['Layer'].row_variance[r, 0])} after layer norm.",
    row="row",
    column="column",
)

one, two = lab.columns(2)
with one:
    curves = variance_after(x, CURVE)
    charts.show(
        "eps",
        charts.lines(
            CURVE,
            [
                Series(TOKENS[k], curves[:, k], "today" if k == r else "ghost", dash="solid" if k == r else DASHES[k])
                for k in range(4)
            ],
            title="Variance after layer norm",
            x_title="ε",
            x_range=(5e-9, 4),
            y_range=(-0.03, 1.12),
            log_x=True,
            height=340,
            marks=[Mark(eps or np.nan, left[r], number(left[r]), at="bottom left" if 0.8 < left[r] < 0.97 else "")],
        ),
        f"The variance layer norm leaves in each row against ε on a log axis; row {r} keeps {number(left[r])} at {power(eps)}.",
        eps="x",
    )
with two:
    charts.show(
        "strips",
        strips(
            TOKENS,
            trace.out,
            means=after[name].row_mean,
            variances=after[name].row_variance,
            columns=FEATURES,
            x_range=(-6.5, 6.5),
            chosen=c,
            title=f"The rows after {name} norm",
            height=384,
        ),
        f"Each row after {name} norm as points on a line, with its mean and one deviation to each side.",
        column="point",
    )

mean, variance = (np.broadcast_to(moment, x.shape)[r, c] for moment in (trace.mean, trace.variance))
over = {"Layer": f"row {r}", "Batch": f"column {c}", "RMS": f"the squares of row {r}"}[name]
centred = tex(x[r, c]) if name == "RMS" else f"{tex(x[r, c])} - {tex(mean)}"
lab.step(
    f"The sum behind row {r}, column {c} under {name} norm",
    rf"y = {tex(gamma)} \cdot \frac{{{centred}}}{{\sqrt{{{tex(variance)} + {tex(eps)}}}}}"
    + ("" if name == "RMS" else f" + {tex(beta)}")
    + f" = {bare(trace.out[r, c])}",
)
lab.say(
    f"Under the root stands the mean of {over}, {number(variance)}; nothing is subtracted." if name == "RMS" else f"Mean {number(mean)} and variance {number(variance)} are those of {over}."
)  # fmt: skip

lab.notice(
    f"Layer norm: row means **{between(after['Layer'].row_mean)}**, row variances **{between(after['Layer'].row_variance)}**; the columns' variances are {between(after['Layer'].column_variance)}.",
    f"Batch norm: column means **{between(after['Batch'].column_mean)}**, column variances **{between(after['Batch'].column_variance)}**; the rows' variances are {between(after['Batch'].row_variance)}.",
    f"RMS norm does not centre: the row means are **{between(after['RMS'].row_mean)}**.",
    f"Row {r} comes in with variance {number(before.row_variance[r, 0])}, and ε is {power(eps)}: before γ, layer norm leaves it **{number(left[r])}**"
    + (", with no ε in the way." if eps == 0 else ", so ε goes unnoticed." if left[r] > 0.99 else ", so ε is part of the answer."),
)  # fmt: skip
lab.try_this(
    ("A faint row", "Row 0 shrinks to a thousandth. Which of the norms brings it back to variance 1?", {"row": 0, "scale": "0.001"}),
    ("Faint, without ε", "The same faint row with ε = 0. What is its variance now?", {"row": 0, "scale": "0.001", "eps": "0"}),
    ("ε = 1", "Which row loses most of its variance to so large an ε, and which least?", {"eps": "1"}),
    ("One loud row", "Row 3 gets ten times louder. What is left of the other three under batch norm?", {"row": 3, "scale": "10", "norm": "Batch"}),
)  # fmt: skip
alone, two_rows = batch_norm(x[:1]).out, np.array([[5.0], [9.0]])
later = batch_norm_inference(x, running_statistics(x)).out
kept = variance_after(x, [1e-5, 1e-3, 1e-12])[:, r]
lab.conventions(
    (f"ε where nobody chose one, and the variance it leaves row {r}", f"PyTorch, 1e-5: {number(kept[0])}", f"Keras, 1e-3: {number(kept[1])}; BERT, 1e-12: {number(kept[2])}"),
    (f"Batch norm after training, row {r}, column {c}, before γ and β", f"with this batch's own mean and variance: {number(batch.normalized[r, c])}", f"with what PyTorch remembers after this one batch (a tenth of it, variance by n − 1): {number(later[r, c])}"),
    ("A batch of one row under batch norm", f"each number is its own mean, so all are {number(abs(alone).max())}", "PyTorch refuses to train on it"),
    ("One feature only: the column 5, 9", f"layer norm: {number(layer_norm(two_rows).out[0, 0])} and {number(layer_norm(two_rows).out[1, 0])}, each row is its own mean", f"batch norm: {number(batch_norm(two_rows).out[0, 0])} and {number(batch_norm(two_rows).out[1, 0])}"),
)  # fmt: skip
lab.take_away({"x": x, "layer": layer.out, "batch": batch.out, "rms": rms.out, "left": left, **before._asdict()}, code="""
row_mean, row_variance = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
column_mean, column_variance = x.mean(axis=0, keepdims=True), x.var(axis=0, keepdims=True)
layer = gamma * (x - row_mean) / np.sqrt(row_variance + eps) + beta
batch = gamma * (x - column_mean) / np.sqrt(column_variance + eps) + beta
rms = gamma * x / np.sqrt((x**2).mean(axis=1, keepdims=True) + eps)
left = (row_variance / (row_variance + eps))[:, 0]
""", x=x, gamma=gamma, beta=beta, eps=eps)  # fmt: skip
lab.source(layer_norm, batch_norm, rms_norm, variance_after)
