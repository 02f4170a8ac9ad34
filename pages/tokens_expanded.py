"""What does a feed-forward layer do to each token, and what do its activation and its width buy?"""

import numpy as np

from engine.feed_forward import (
    ACTIVATIONS,
    CURVES,
    collapse,
    curve_points,
    feed_forward,
    fit_curve,
    gelu,
    gelu_tanh,
    silent_units,
)
from engine.mlp import init_mlp
from ui import charts
from ui import words as worked
from ui.charts import Mark, Panel, Series
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.snippets import shared as snippets
from ui.words import bare, number, tex

X = [[1.2, -0.6, 0.4, 2.0], [-1.0, 0.8, 1.5, -0.3], [0.2, 0.1, -0.4, 0.3], [-1.8, -1.1, 0.7, 1.4]]
TOKENS, DIMS = [f"t{r}" for r in range(4)], [f"d{c}" for c in range(4)]
EXPANSIONS = np.arange(1, 9)

lab.begin(__file__)
with lab.panel():
    activation = controls.choice("activation", "Activation", list(ACTIVATIONS), "relu")
    expansion = controls.slider("expansion", "Expansion d_ff / d_model", 1, 8, 4, help="d_ff is 4 times it.")
    t = controls.slider("token", "Token", 0, 3, 0, help="A click on a row sets it.")
    unit = controls.slider("unit", "Hidden unit to follow", 0, 31, 2, help="A click sets it; at most d_ff − 1.")
    bias = controls.slider("bias", "Bias of every hidden unit", -2.0, 2.0, 0.0, step=0.1, help="Stands in for b₁.")
    curve = controls.choice("curve", "Curve to fit", list(CURVES))
    seed = controls.seed(label="Seed of the weights", default=1)
    with lab.folded("Edit the tokens"):
        x = edited.matrix("x", "X", X, limit=100, rows=TOKENS, columns=DIMS)
    (x,) = edited.nudge(X=x)

d_ff = 4 * expansion
unit = min(unit, d_ff - 1)
(W_1, _), (W_2, b_2) = init_mlp([4, d_ff, 4], np.random.default_rng(seed))
b_1 = np.full(d_ff, bias)
trace = feed_forward(x, W_1, b_1, W_2, b_2, activation=activation)
silent = silent_units(trace.activated)
two = collapse(x, W_1, b_1, W_2, b_2, activation=activation)
UNITS = [f"h{i}" for i in range(d_ff)]

panels = [
    Panel(x, "X", TOKENS, DIMS, limit=2, digits=2, mark=(t, None), width=max(4, expansion)),
    Panel(trace.hidden, "Hidden, before", TOKENS, UNITS, limit=2, mark=(t, unit)),
    Panel(trace.out, "Out", TOKENS, DIMS, limit=2, digits=2, mark=(t, None), width=max(4, expansion)),
    Panel(trace.activated, f"Hidden, after {activation}", TOKENS, UNITS, limit=2, mark=(t, unit)),
]
charts.show(
    "layers",
    charts.matrices(panels, per_row=2, cell=34),
    f"Four tokens of width 4, widened to {d_ff} hidden units, activated by {activation} and narrowed to 4; {number(100 * silent.share, 0)} % of the units are silent.",
    token="row",
    unit="column",
)

hidden, activated = trace.hidden[t, unit], trace.activated[t, unit]
lab.step(
    f"Token {t}, one hidden unit and one output",
    worked.dot(f"h_{{{unit}}}", [*x[t], 1.0], [*W_1[:, unit], bias], hidden),
    rf"\text{{{activation.replace('_', ' ')}}}({bare(hidden)}) = {bare(activated)}",
    rf"y_0 = \textstyle\sum_i a_i\,w_{{i,0}} = \dots + {tex(activated)} \cdot {tex(W_2[unit, 0])} + \dots = {bare(trace.out[t, 0])}",
)
lab.say("The last term of h is its bias, 1 · b. No other token enters: the layer treats every position alone.")

panels = [
    Panel(two.W, "W = W₁·W₂", DIMS, DIMS, digits=2, colour="weight"),
    Panel(two.one_layer, "One layer, X·W + b", TOKENS, DIMS, limit=2, digits=2),
    Panel(two.two_layers, f"Two layers, {activation}", TOKENS, DIMS, limit=2, digits=2),
    Panel(two.two_layers - two.one_layer, "Difference", TOKENS, DIMS, limit=2, digits=2),
]
lab.say(
    f"Without an activation the two matrices are one, W₁·W₂. With {activation} the two layers differ from that one layer by at most **{number(two.difference)}**"
    + (": as good as nothing." if two.difference < 1e-9 else ": every unit is silent, and only b₂ = 0 comes out." if silent.share == 1 else ": that is what the activation buys.")
)  # fmt: skip
charts.show(
    "collapse",
    charts.matrices(panels, per_row=4, cell=32),
    f"The product of the two matrices, what one layer with it gives, what the two layers give, and their difference, at most {number(two.difference)}.",
    token="row",
)

points = curve_points(curve)
fits = [fit_curve(*points, 4 * int(e), activation=activation, rng=np.random.default_rng(seed)) for e in EXPANSIONS]
today, errors = fits[expansion - 1], [fit.rmse for fit in fits]
left, right = lab.columns(2)
with left:
    charts.show("fit", charts.lines(
            points.x, [Series(curve, points.y, "ghost"), Series(f"fit with {d_ff} units", today.out, "query")],
            title="The best fit", x_title="x", x_range=(-1.05, 1.05), y_range=(-2.1, 2.1), height=300,
        ), f"The curve {curve} and the best fit of {d_ff} {activation} units, root mean square error {number(today.rmse)}.")  # fmt: skip
with right:
    charts.show("errors", charts.lines(
            EXPANSIONS, [Series("error", errors, "query")], mode="lines+markers", title="Error of the best fit", height=344,
            x_title="expansion", x_range=(0.7, 9.2), x_ticks={int(e): f"×{e}" for e in EXPANSIONS}, y_range=(0, 0.9), marks=[Mark(expansion, today.rmse, number(today.rmse))],
        ), f"The root mean square error against the expansion, from {number(errors[0])} at 1 to {number(errors[-1])} at 8.", expansion="x")  # fmt: skip
lab.say("The hidden units are drawn once and left alone; only W₂ and its bias are fitted, by least squares.")

near = silent_units(trace.activated, tolerance=0.05)
shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in zip(TOKENS, silent.per_row, strict=True))
lab.notice(
    f"**{100 * silent.share:.0f} %** of the hidden units are silent, exactly 0 ({shares}); silent for every token: {silent.dead.sum()} of {d_ff}.",
    f"An expansion of {expansion} takes **{W_1.size + d_ff + W_2.size + 4}** parameters: 4 · {d_ff} + {d_ff} going up, {d_ff} · 4 + 4 coming down.",
    f"{activation} against no activation: at most **{number(two.difference)}** apart on these tokens"
    + (": every h lies on the straight side, no unit is bent." if activation == "relu" and trace.hidden.min() >= 0 else "."),
    f"Fitting “{curve}”: an error of {number(errors[0])} with 4 units, **{number(today.rmse)}** with {d_ff}, {number(errors[-1])} with 32"
    + (". Straight units add up to a straight line, however many." if activation == "identity" else "."),
)  # fmt: skip
lab.try_this(
    ("No activation", "Take the activation away. How many layers are two layers then, and what can 32 units fit?", {"activation": "identity"}),
    ("Everything silent", "Every hidden bias falls to −2. How many ReLU units still speak, and what comes out?", {"bias": -2.0}),
    ("A ReLU that never bends", "Every hidden bias rises to 2. What can ReLU do now that the identity cannot?", {"bias": 2.0}),
    ("Width for two bumps", "Two narrow bumps, 4 units. How wide must the layer be to draw both?", {"expansion": 1, "curve": "two bumps"}),
)  # fmt: skip
lab.conventions(
    ("When is a unit silent?", f"at exactly 0: {100 * silent.share:.0f} % of them", f"for smooth activations often within ±0.05 of it: {100 * near.share:.0f} %"),
    (f"GELU of h = {number(hidden)}", f"exact, with erf: {number(float(gelu(hidden)), 6)}", f"GPT-2's tanh formula: {number(float(gelu_tanh(hidden)), 6)}"),
    ("How the matrices are stored", f"x·W: W₁ is {W_1.shape[0]} × {W_1.shape[1]}, W₂ {W_2.shape[0]} × {W_2.shape[1]}", f"PyTorch's Linear keeps x·Wᵀ: {W_1.shape[1]} × {W_1.shape[0]} and {W_2.shape[1]} × {W_2.shape[0]}"),
)  # fmt: skip
lab.take_away({"W_1": W_1, "b_1": b_1, "W_2": W_2, **trace._asdict(), "W": two.W, "one_layer": two.one_layer, "difference": two.difference, "errors": errors}, code=f"""
import math
rng = np.random.default_rng(seed)
W_1 = rng.normal(0, (2 / (4 + d_ff)) ** 0.5, (4, d_ff))
W_2 = rng.normal(0, (2 / (4 + d_ff)) ** 0.5, (d_ff, 4))
b_1 = np.full(d_ff, bias)
hidden = x @ W_1 + b_1
activated = {snippets.activation(activation, 'hidden')}
out = activated @ W_2
W = W_1 @ W_2
one_layer = x @ W + b_1 @ W_2
difference = abs(out - one_layer).max()
""", x=x, d_ff=d_ff, bias=bias, seed=seed)  # fmt: skip
lab.source(feed_forward, collapse, fit_curve)
