"""What does a feed-forward layer do to each token, and what do its activation and its width buy?"""

import numpy as np

from engine.feed_forward import (
    ACTIVATIONS,
    CURVES,
    collapse,
    curve_points,
    feed_forward,
    fit_curve,
    fit_widths,
    gelu,
    gelu_tanh,
    silent_units,
)
from engine.mlp import init_mlp
from ui import charts
from ui.labs.tokens_expanded import bought, collapsed, errors, fitted, layers
from ui.page import controls, lab
from ui.page.matrices import matrices
from ui.snippets import shared
from ui.words import dot, told

X = [[1.2, -0.6, 0.4, 2.0], [-1.0, 0.8, 1.5, -0.3], [0.2, 0.1, -0.4, 0.3], [-1.8, -1.1, 0.7, 1.4]]
TOKENS, DIMS = ["t0", "t1", "t2", "t3"], ["d0", "d1", "d2", "d3"]
EXPANSIONS = list(range(1, 9))

lab.begin(__file__)
with lab.panel():
    activation = controls.choice("activation", "Activation", list(ACTIVATIONS), "relu")
    expansion = controls.slider("expansion", "Expansion d_ff / d_model", 1, 8, 4, help="d_ff is 4 times it.")
    t = controls.slider("token", "Token", 0, 3, 0, help="A click on a row sets it.")
    unit = controls.slider("unit", "Hidden unit to follow", 0, 31, 2, help="A click sets it; at most d_ff − 1.")
    bias = controls.slider("bias", "Bias of every hidden unit", -2.0, 2.0, 0.0, step=0.1, help="Stands in for b₁.")
    curve = controls.choice("curve", "Curve to fit", list(CURVES))
    seed = controls.seed(label="Seed of the weights", default=1)
    (x,) = matrices("Edit the tokens", X=("X", X), limit=100, rows=TOKENS, columns=DIMS)

d_ff = 4 * expansion
unit = min(unit, d_ff - 1)
(W_1, _), (W_2, b_2) = init_mlp([4, d_ff, 4], np.random.default_rng(seed))
b_1 = np.array([bias] * d_ff)
trace = feed_forward(x, W_1, b_1, W_2, b_2, activation=activation)
silent, near = silent_units(trace.activated), silent_units(trace.activated, tolerance=0.05)
two = collapse(x, W_1, b_1, W_2, b_2, activation=activation)
points = curve_points(curve)
fits = fit_widths(points.x, points.y, [4 * e for e in EXPANSIONS], activation=activation, seed=seed)
today, rmse = fits[expansion - 1], [fit.rmse for fit in fits]
now = told(
    silent=100 * silent.share,
    near=100 * near.share,
    parameters=W_1.size + b_1.size + W_2.size + b_2.size,
    difference=two.difference,
    hidden=trace.hidden[t, unit],
    activated=trace.activated[t, unit],
    down=W_2[unit, 0],
    out=trace.out[t, 0],
    error=today.rmse,
    errors=rmse,
    gelu=gelu(trace.hidden)[t, unit],
    gelu_tanh=gelu_tanh(trace.hidden)[t, unit],
)

charts.show(
    "layers",
    layers(x, trace, activation, TOKENS, DIMS, (t, unit)),
    f"Four tokens of width 4, widened to {d_ff} hidden units, activated by {activation} and narrowed to 4; "
    f"{now.silent:0} % of the units are silent.",
    token="row",
    unit="column",
)
lab.step(
    f"Token {t}, one hidden unit and one output",
    dot(f"h_{{{unit}}}", [*x[t], 1.0], [*W_1[:, unit], bias], now.hidden),
    rf"\text{{{activation.replace('_', ' ')}}}({now.hidden:bare}) = {now.activated:bare}",
    rf"y_0 = \textstyle\sum_i a_i\,w_{{i,0}} = \dots + {now.activated:tex} \cdot {now.down:tex} + \dots "
    rf"= {now.out:bare}",
)
lab.say("The last term of h is its bias, 1 · b. No other token enters: the layer treats every position alone.")
lab.say(bought(two.difference, activation, silent.share))
charts.show(
    "collapse",
    collapsed(two, activation, TOKENS, DIMS),
    "The product of the two matrices, what one layer with it gives, what the two layers give, and their difference, "
    f"at most {now.difference}.",
    token="row",
)
left, right = lab.columns(2)
with left:
    alt = f"The curve {curve} and the best fit of {d_ff} {activation} units, root mean square error {now.error}."
    charts.show("fit", fitted(points, today, curve, d_ff), alt)
with right:
    alt = f"The root mean square error against the expansion, from {now.errors[0]} at 1 to {now.errors[-1]} at 8."
    charts.show("errors", errors(EXPANSIONS, rmse, expansion), alt, expansion="x")
lab.say("The hidden units are drawn once and left alone; only W₂ and its bias are fitted, by least squares.")

shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in zip(TOKENS, silent.per_row, strict=True))
straight = activation == "relu" and trace.hidden.min() >= 0
lab.notice(
    f"**{now.silent:.0f} %** of the hidden units are silent, exactly 0 ({shares}); silent for every token: "
    f"{silent.dead.sum()} of {d_ff}.",
    f"An expansion of {expansion} takes **{now.parameters}** parameters: 4 · {d_ff} + {d_ff} going up, {d_ff} · 4 + 4 "
    "coming down.",
    f"{activation} against no activation: at most **{now.difference}** apart on these tokens"
    + (": every h lies on the straight side, no unit is bent." if straight else "."),
    f"Fitting “{curve}”: an error of {now.errors[0]} with 4 units, **{now.error}** with {d_ff}, {now.errors[-1]} with "
    + ("32. Straight units add up to a straight line, however many." if activation == "identity" else "32."),
)
lab.try_this(
    (
        "No activation",
        "Take the activation away. How many layers are two layers then, and what can 32 units fit?",
        {"activation": "identity"},
    ),
    (
        "Everything silent",
        "Every hidden bias falls to −2. How many ReLU units still speak, and what comes out?",
        {"bias": -2.0},
    ),
    (
        "A ReLU that never bends",
        "Every hidden bias rises to 2. What can ReLU do now that the identity cannot?",
        {"bias": 2.0},
    ),
    (
        "Width for two bumps",
        "Two narrow bumps, 4 units. How wide must the layer be to draw both?",
        {"expansion": 1, "curve": "two bumps"},
    ),
)
lab.conventions(
    (
        "When is a unit silent?",
        f"at exactly 0: {now.silent:.0f} % of them",
        f"for smooth activations often within ±0.05 of it: {now.near:.0f} %",
    ),
    (f"GELU of h = {now.hidden}", f"exact, with erf: {now.gelu:6}", f"GPT-2's tanh formula: {now.gelu_tanh:6}"),
    (
        "How the matrices are stored",
        f"x·W: W₁ is 4 × {d_ff}, W₂ {d_ff} × 4",
        f"PyTorch's Linear keeps x·Wᵀ: {d_ff} × 4 and 4 × {d_ff}",
    ),
)
numbers = {"W_1": W_1, "b_1": b_1, "W_2": W_2, **trace._asdict()}
numbers |= {"W": two.W, "one_layer": two.one_layer, "difference": two.difference, "errors": rmse}
# the program is written with GELU, whose outer brackets a line of its own does without
swap = shared.activation("gelu", "hidden")[1:-1], shared.activation(activation, "hidden")
lab.take_away(numbers, swap, x=x, d_ff=d_ff, bias=bias, seed=seed)
lab.source(feed_forward, collapse, fit_curve)
