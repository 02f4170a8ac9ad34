"""What does a feed-forward layer do to each token, and what do its activation and its width buy?"""

import numpy as np

from engine.accounting import PRESETS, parameters_by_part
from engine.feed_forward import (
    ACTIVATIONS,
    CURVES,
    along_line,
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
from ui.labs import tokens_expanded as shown
from ui.page import controls, lab
from ui.page.matrices import matrices
from ui.questions.tokens_expanded import QUESTIONS
from ui.snippets import shared
from ui.words import dot, told

X = [[1.2, -0.6, 0.4, 2.0], [-1.0, 0.8, 1.5, -0.3], [0.2, 0.1, -0.4, 0.3], [-1.8, -1.1, 0.7, 1.4]]
TOKENS, DIMS = ["t0", "t1", "t2", "t3"], ["d0", "d1", "d2", "d3"]
EXPANSIONS = list(range(1, 9))

lab.begin(__file__, QUESTIONS)
with lab.panel():
    activation = controls.choice("activation", "Activation", list(ACTIVATIONS), "relu")
    expansion = controls.slider("expansion", "Expansion d_ff / d_model", 1, 8, 4, help="d_ff is 4 times it.")
    d_ff = 4 * expansion
    t = controls.slider("token", "Token", 0, 3, 0, help="A click on a row sets it.")
    unit = controls.index("unit", "Hidden unit to follow", d_ff, 2, help="A click on a hidden number sets it.")
    output = controls.slider("output", "Output to follow", 0, 3, 0, help="A click on y sets it.")
    bias = controls.slider("bias", "Bias of every hidden unit", -2.0, 2.0, 0.0, step=0.1, help="Stands in for b₁.")
    curve = controls.choice("curve", "Curve to fit", list(CURVES))
    seed = controls.seed(label="Seed of the weights", default=1)
    (x,) = matrices("Edit the tokens", X=("X", X), limit=100, rows=TOKENS, columns=DIMS)

lab.shape(f"4 rows · d_model = 4 → d_ff = {d_ff} → 4")
(W_1, unbiased), (W_2, b_2) = init_mlp([4, d_ff, 4], np.random.default_rng(seed))
b_1 = np.array([bias] * d_ff)
trace = feed_forward(x, W_1, b_1, W_2, b_2, activation=activation)
silent = silent_units(trace.activated)
before = silent_units(feed_forward(x, W_1, unbiased, W_2, b_2, activation=activation).activated)
two = collapse(x, W_1, b_1, W_2, b_2, activation=activation)
line = along_line(x[t], W_1, b_1, W_2, b_2, np.linspace(-4, 4, 81), activation=activation)
points = curve_points(curve)
fits = fit_widths(points.x, points.y, [4 * e for e in EXPANSIONS], activation=activation, seed=seed)
fit, rmse = fits[expansion - 1], [each.rmse for each in fits]
error = shown.left_over(fit.rmse)
gpt2 = parameters_by_part(PRESETS["gpt2"])
now = told(
    matrices=W_1.size + W_2.size,
    gated=2 * W_1.size + W_2.size,
    parameters=W_1.size + b_1.size + W_2.size + b_2.size,
    hidden=trace.hidden[t, unit],
    activated=trace.activated[t, unit],
    out=trace.out[t, output],
    largest=abs(trace.out).max(),
    gelu=gelu(trace.hidden)[t, unit],
    gelu_tanh=gelu_tanh(trace.hidden)[t, unit],
    share=100 * gpt2["feed-forward matrices"] / sum(gpt2.values()),
)

charts.show(
    "layers",
    shown.layers(x, trace, activation, TOKENS, DIMS, (t, unit, output)),
    f"Four tokens of width 4, widened to {d_ff} hidden units, activated by {activation} and narrowed to 4; "
    f"{100 * silent.share:.0f} % of the hidden numbers are silent.",
    token="row",
    unit=lambda clicked: clicked["column"] if clicked["panel"] in (1, 3) else None,
    output=lambda clicked: clicked["column"] if clicked["panel"] == 2 else None,
)
lab.step(
    f"Token {t}, hidden unit {unit} and output {output}",
    dot(f"h_{{{unit}}}", [*x[t], 1.0], [*W_1[:, unit], bias], now.hidden),
    rf"a_{{{unit}}} = \text{{{activation.replace('_', ' ')}}}({now.hidden:bare}) = {now.activated:bare}",
    dot(rf"y_{output} = \textstyle\sum_i a_i\,w_{{i,{output}}}", trace.activated[t], W_2[:, output], now.out),
)
lab.say("The last term of h is its bias, 1 · b. No other token enters: the layer treats every position alone.")
lab.say(shown.bought(two, activation, silent.share))
charts.show(
    "collapse",
    shown.collapsed(two, activation, TOKENS, DIMS, bias),
    "The product of the two matrices, what one layer with it gives, what the two layers give, and their difference.",
    token="row",
)
alt = f"Output {output} for the multiples of {TOKENS[t]} from −4 to 4, with {activation} and without an activation."
charts.show("line", shown.bent(line, output, TOKENS[t]), alt)
left, right = lab.columns(2)
with left:
    alt = f"The curve {curve} and the best fit of {d_ff} {activation} units, root mean square error {error}."
    charts.show("fit", shown.fitted(points, fit, curve, d_ff), alt)
with right:
    alt = "The root mean square error of the best fit against the expansion."
    charts.show("errors", shown.errors(EXPANSIONS, rmse, expansion), alt, expansion="x")
lab.say(
    "The units of this fit are not those above, which the bias and the tokens move: they take one number x, each with "
    "a steepness and a place of its own, drawn once; only W₂ and its bias are fitted, by least squares."
)

lab.notice(
    shown.speaking(silent, before, bias, TOKENS),
    f"The largest of all outputs is **{now.largest}** in size.",
    f"An expansion of {expansion} takes **{now.parameters}** parameters: 4 · {d_ff} + {d_ff} going up, {d_ff} · 4 + 4 "
    f"coming down. In GPT-2, with an expansion of 4, the feed-forward matrices are {now.share:.0f} % of all "
    "parameters.",
    *shown.bends(line, d_ff, bias, activation, TOKENS[t]),
    shown.widths(curve, EXPANSIONS, rmse, expansion),
    (activation == "identity", "Straight units add up to a straight line, however many."),
)
lab.conventions(*shown.differ(now, unit, d_ff))
numbers = {"W_1": W_1, "b_1": b_1, "W_2": W_2, **trace._asdict(), "W": two.W, "one_layer": two.one_layer}
numbers |= {"difference": two.difference, "line": line.out, "errors": rmse}
# the program is written with GELU, whose outer brackets a lambda does without, and the wave
swaps = [
    (shared.activation("gelu", "z")[1:-1], shared.activation(activation, "z")),
    (shown.CURVE_CODE["wave"], shown.CURVE_CODE[curve]),
]
lab.take_away(numbers, *swaps, x=x, d_ff=d_ff, bias=bias, seed=seed, token=t)
lab.source(feed_forward, collapse, fit_curve)
