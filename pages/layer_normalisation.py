"""What does layer normalisation do to one row, stage by stage, and which γ and β undo it?"""

import numpy as np

from engine.normalization import (
    layer_norm,
    layer_norm_backward,
    layer_norm_stages,
    restoring_parameters,
    sample_layer_norm,
    variance_after,
)
from ui import charts
from ui import words as worked
from ui.charts import Panel
from ui.charts.strips import strips
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.words import bare, number, tex

NAMES = [f"x{i}" for i in range(6)]
ROW = [[5.0, -1.0, 2.0, 6.0, 0.0, 3.0]]
GAMMA_BETA = [[1.0, 1.0, 3.0, 0.5, 1.0, 2.0], [0.0, 0.0, 2.0, 0.0, -2.0, 2.0]]
EPS = [0.0, *(10.0**k for k in range(-8, 1))]

lab.begin(__file__)
with lab.panel():
    scale = controls.slider("scale", "Scale of the row", 0.05, 1.5, 1.0, step=0.05, help="The row is multiplied by it.")
    shift = controls.slider("shift", "Shift of the row", -2.0, 2.0, 0.0, step=0.25, help="Added to all six alike.")
    eps = controls.stops("eps", "ε", EPS, 1e-5, show=lambda e: f"{e:g}".replace("e-0", "e-"), help="Added to the variance under the root.")  # fmt: skip
    restore = controls.toggle("restore", "γ and β that restore the row", help="γ = √(σ² + ε) and β = μ, in place of those typed below.")  # fmt: skip
    feature = controls.slider("feature", "Feature to follow", 0, 5, 2, help="A click on a point or a cell sets it.")
    by = controls.slider("nudge", "Nudge this feature by", -2.0, 2.0, 0.0, step=0.1, format="%+.2f")
    row = edited.matrix("row", "The row", ROW, limit=100, columns=NAMES)
    gamma, beta = edited.matrix("gamma_beta", "γ, then β", GAMMA_BETA, limit=100, rows=["γ", "β"], columns=NAMES)

reach = max(1.5 * abs(row).max() + 5, 2.3 * abs(gamma).max() + abs(beta).max())  # the sliders' ends fit in
row = row[0] + by * np.eye(6)[feature]
x = row * scale + shift
restoring = lab.attempt(restoring_parameters, x, eps=eps)
if restore:
    gamma, beta = restoring
trace = layer_norm_stages(x, gamma, beta, eps=eps)
(mean,), (variance,) = trace.mean, trace.variance
i = feature

stages = [x, trace.centred, trace.normalized, trace.out]
moments = [layer_norm(stage) for stage in stages]
charts.show(
    "stages",
    strips(
        ["x", "x − μ", "÷ √(σ² + ε)", "· γ + β"],
        stages,
        means=[m.mean for m in moments],
        variances=[m.variance for m in moments],
        notes=[f"mean {number(round(float(m.mean[0]), 12))} · variance {number(m.variance[0])}" for m in moments],
        columns=NAMES,
        colours=["ink", "ink", "ink", "weight"],
        x_range=(-reach, reach),
        chosen=i,
        joined=True,
        title="One row, stage by stage",
        height=400,
    ),
    f"Four number lines: the row with mean {number(mean)}, centred, scaled to variance {number(moments[2].variance[0])}, and after γ and β.",
    feature="point",
)
lab.say(
    "The grey bar reaches one standard deviation to each side of the mean. The axis is the same for all four lines."
)

squares = worked.terms([rf"{tex(c)}^2" for c in trace.centred])
lab.step(
    f"The sums behind feature {i}",
    rf"\mu = \tfrac{{1}}{{6}}\,({worked.terms([tex(v) for v in x])}) = {bare(mean)}",
    rf"\sigma^2 = \tfrac{{1}}{{6}}\,({squares}) = {bare(variance)}",
    rf"\hat x_{i} = \frac{{{tex(x[i])} - {tex(mean)}}}{{\sqrt{{{tex(variance)} + {tex(eps)}}}}} = {bare(trace.normalized[i])}, \qquad "
    rf"y_{i} = {tex(gamma[i])} \cdot {tex(trace.normalized[i])} + {tex(beta[i])} = {bare(trace.out[i])}",
)
if (x == x[0]).all():
    lab.say(
        "All six numbers are equal: the centred row is all zeros and the result is β alone. Without ε it would be 0 / 0."
    )

backward, _, _ = lab.attempt(layer_norm_backward, np.eye(6)[i], x, gamma, eps=eps)
panels = [
    Panel(stages, "Every stage in numbers", ["x", "x − μ", "x̂", "y"], NAMES, limit=6, mark=(None, i)),
    Panel([backward], f"How y{i} answers to each x: ∂y{i} / ∂x", [f"∂y{i}"], NAMES, limit=1, colour="gradient"),
]
charts.show(
    "numbers",
    charts.matrices(panels, per_row=1, cell=32),
    f"The row at each stage in numbers, and the gradient of output {i}, whose largest entry is {number(abs(backward).max())}.",
    feature="column",
)

back = layer_norm(x, *restoring, eps=eps).out
unmoved = abs(layer_norm(2 * x, eps=eps).normalized - trace.normalized).max()
lab.notice(
    f"After the division the row has mean **{number(trace.normalized.mean())}** and variance **{number(moments[2].variance[0], 6)}**: σ² / (σ² + ε), so never above 1.",
    f"γ = **{number(restoring.gamma[0])}** and β = **{number(restoring.beta[0])}** for every feature give the row back; the largest difference is **{number(abs(back - x).max())}**.",
    f"Twice this row has the same x̂ to within **{number(unmoved)}**: "
    + ("the norm takes the scale out." if unmoved < 0.01 else "beside so small a variance ε is no longer small."),
    f"Every gradient through a norm sums to 0, here to {number(backward.sum())}: adding the same to all six numbers changes nothing. Its largest entry is **{number(abs(backward).max())}**.",
)
lab.try_this(
    ("Undo it", "Which γ and β bring back exactly the row that came in?", {"restore": True}),
    ("A constant row", "All six numbers are 4. What is left after centring, and what does 0 / √ε make of it?", {"row": np.full((1, 6), 4.0)}),
    ("One outlier", "One number jumps to 40. What happens to the distances between the other five?", {"row": np.array([[5.0, -1.0, 40.0, 6.0, 0.0, 3.0]])}),
    ("A whisper of a row", "The row shrinks to a twentieth and ε is 1. Does the result still have variance 1?", {"scale": 0.05, "eps": "1"}),
)  # fmt: skip
kept = variance_after([x], [1e-5, 1e-3, 1e-12])[:, 0]
lab.conventions(
    (
        f"Variance and where ε goes: x̂{i} with ε = 1e-5",
        f"divided by n, ε under the root: {number(layer_norm(x).normalized[i])}",
        f"The Annotated Transformer, by n − 1, ε added to the deviation: {number(sample_layer_norm(x).normalized[i])}",
    ),
    (
        "ε where nobody chose one, and the variance it leaves this row",
        f"PyTorch, 1e-5: {number(kept[0], 6)}",
        f"Keras, 1e-3: {number(kept[1], 6)}; BERT, 1e-12: {number(kept[2], 6)}",
    ),
    (
        "A constant row, before γ and β",
        f"zeros with ε = 1e-5: {number(layer_norm([7.0] * 6).normalized[0])}; with ε = 0 a refusal",
        f"PyTorch with ε = 0: 0 / 0, {number(float('nan'))}",
    ),
)
lab.take_away(trace, code="""
mean = x.mean(keepdims=True)
centred = x - mean
variance = (centred**2).mean(keepdims=True)
deviation = np.sqrt(variance + eps)
normalized = centred / deviation
scaled = gamma * normalized
out = scaled + beta
""", x=x, gamma=gamma, beta=beta, eps=eps)  # fmt: skip
lab.source(layer_norm_stages, restoring_parameters)
