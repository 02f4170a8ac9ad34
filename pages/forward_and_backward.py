"""Is the gradient that backpropagation finds the derivative by its definition, and does a step down it keep its promise?"""

import numpy as np

from engine.mlp import (
    follow_gradient,
    gradient_check,
    gradient_error_by_h,
    gradient_step,
    init_mlp,
    loss_along_gradient,
    mlp_backward,
)
from engine.softmax import softmax
from ui import charts
from ui import words as worked
from ui.charts import Mark, Series
from ui.labs.forward_and_backward import check_panels, network, parameters
from ui.page import controls, lab
from ui.page import matrices as edited
from ui.snippets import shared as snippets
from ui.words import bare, number

SIZES, TARGETS, ROWS = [3, 4, 4, 3], [0, 1, 2, 1], [f"row {i}" for i in range(4)]
X = np.array([[1.0, 0.5, -1.0], [-0.5, 1.5, 0.5], [0.5, -1.0, 1.5], [-1.5, -0.5, 0.0]])
H, RATES, STEPS = [float(f"1e-{k}") for k in range(1, 14)], np.linspace(-0.25, 2, 19), np.arange(21)
PLACES = parameters(SIZES)
NAMES, KINDS, VIEW = list(PLACES), ["tanh", "relu", "silu", "gelu"], {"y_range": (0, 2), "height": 250}

lab.begin(__file__)
with lab.panel():
    taken = controls.slider("steps", "Steps taken", 0, 20, 0, help="Each goes on where the last one ended.")
    rate = controls.slider("rate", "Learning rate η", 0.05, 2.0, 0.5, step=0.05, help="A step is −η · gradient.")
    activation = controls.choice("activation", "Activation", KINDS, help="In both hidden layers.")
    h = controls.stops("h", "h of the difference", H, 1e-5, show="{:.0e}".format, help="How far a parameter is moved.")
    name = controls.choice("parameter", "Gradient worked out", NAMES, "W_2[0, 1]", help="A dot of the network sets it.")
    row = ROWS.index(controls.choice("row", "Row drawn", ROWS, help="One of the four examples of the batch."))
    seed = controls.seed(label="Seed of the weights")
    x = edited.matrix("x", "Input x", X, limit=5, rows=ROWS, columns=["x_0", "x_1", "x_2"])

start = init_mlp(SIZES, np.random.default_rng(seed))
path = lab.attempt(follow_gradient, start, x, TARGETS, activation=activation, lr=rate, n_steps=20)
batch = path.layers[taken], x, TARGETS
step = lab.attempt(gradient_step, *batch, activation=activation, lr=rate)
line = lab.attempt(loss_along_gradient, *batch, activation=activation, learning_rates=RATES)
check = gradient_check(*batch, activation=activation, h=h)
errors = gradient_error_by_h(*batch, activation=activation, h=H)
back, forward = step.backward, step.backward.forward
probs = softmax(forward.logits)
goal = back.loss + step.predicted_change
tables = {of: [np.vstack(layer) for layer in getattr(check, of)] for of in check._fields}
analytic, numeric, error, kink = (np.concatenate([part.ravel() for part in tables[of]]) for of in check._fields)
chosen, today, best, (k, i, j) = NAMES.index(name), H.index(h), int(errors.largest.argmin()), PLACES[name]
best = best if errors.largest[best] < errors.largest[today] else today
activations = [x, *forward.activations, forward.logits]
slopes = [None, *(part[row] for part in back.d_activations), back.d_logits[row]]
charts.show("network", network(
        [part[row] for part in activations], slopes, [layer.W for layer in batch[0]], probs[row],
        right=TARGETS[row], names=NAMES, chosen=chosen,
    ), f"The network 3 → 4 → 4 → 3 with the activations of row {row} in its nodes and the gradient of the loss under them.", parameter="point")  # fmt: skip
lab.say(
    f"Row {row}: activations in the nodes, the gradient in pink under them. Loss of the batch: **{number(back.loss)}**."
)
left, right = lab.columns(2)
with left:
    marks = [Mark(0, back.loss, "before", "ghost"), Mark(rate, goal, "", "gradient"), Mark(rate, step.loss, "after")]
    series = [Series("promised", line.tangent, "gradient", dash="dash"), Series("loss", line.losses, "ink")]
    charts.show(
        "line",
        charts.lines(
            RATES, series, title="Loss down the slope", x_title="η", x_range=(-0.27, 2.3), marks=marks, **VIEW
        ),
        f"The loss along the gradient and its tangent: η = {rate:g} promises {number(goal)}, reaches {number(step.loss)}.",
        rate="x",
    )
with right:
    marks = [Mark(taken, back.loss, number(back.loss))]
    series = [
        Series("still to come", path.losses, "ghost", dash="dot"),
        Series("promised", path.promised[:taken], "gradient", STEPS[1 : taken + 1], dash="dash"),
        Series("so far", path.losses[: taken + 1], "ink", STEPS[: taken + 1]),
    ]
    charts.show(
        "path",
        charts.lines(STEPS, series, title="Loss by step", x_title="steps", x_range=(-0.5, 23), marks=marks, **VIEW),
        f"The loss after each of 20 steps, from {number(path.losses[0])} to {number(path.losses[20])}; {taken} are taken.",
        steps="x",
    )
symbol, fed = rf"\frac{{\partial L}}{{\partial {name}}}", np.column_stack([activations[k], np.ones(4)])[:, i]
lab.step(
    "One more step: the loss promised by its slope, and the loss reached",
    rf"L - \eta \lVert g \rVert^2 = {bare(back.loss)} - {rate:g} \cdot {bare(step.squared_norm)} = {bare(goal)} \;\to\; {bare(step.loss)}",
)
lab.step(
    f"The gradient of {name}: by the chain rule, a term a row, and by the definition",
    worked.dot(symbol, fed, (*back.d_pre_activations, back.d_logits)[k][:, j], analytic[chosen], digits=4),
    rf"{symbol} \approx \frac{{L(\theta + h) - L(\theta - h)}}{{2h}} = {bare(numeric[chosen], 10)} \quad\text{{against}}\quad {bare(analytic[chosen], 10)}",
)
charts.show(
    "check",
    charts.matrices(check_panels(*tables.values(), chosen=PLACES[name]), per_row=3, cell=26),
    "Every gradient of the three layers by the chain rule, by the central difference, and their relative error.",
)
series = [Series("largest off kinks", errors.largest, "ink"), Series("together", errors.overall, "ghost", dash="dot")]
charts.show("errors", charts.lines(
        H, series, title=f"Relative error at h = {h:.0e}: {number(errors.largest[today])}", x_title="h", x_range=(3e-14, 0.5), y_range=(1e-12, 10), height=280,
        log_x=True, log_y=True, mode="lines+markers", marks=[Mark(h, errors.largest[today])],
    ), f"The relative error against h; at {h:.0e} it is {number(errors.largest[today])}.", h="x")  # fmt: skip
kinks, worst = [NAMES[n] for n in np.flatnonzero(kink)], int(np.where(kink, -1, error).argmax())
why = ("today's", "larger than today's: rounding, about 10⁻¹⁶ / h, drowns the difference",
       "smaller than today's: the difference leaves the tangent, by about h²")[(today > best) - (today < best)]  # fmt: skip
lab.notice(
    "Every gradient sits on a kink at this h: nothing is left to compare." if kink.all()
    else f"Off the kinks the largest of {(~kink).sum()} relative errors is **{number(error[worst])}**, at {worked.plain(NAMES[worst])}: "
    f"{'under' if error[worst] < 1e-6 else 'not under'} 10⁻⁶. Its gradient is {number(analytic[worst])}.",
    f"The best of these h, {H[best]:.0e}, is {why}.",
    f"No kinks: {'no ± h carries a ReLU across its corner' if activation == 'relu' else f'{activation} is smooth'}." if not kinks
    else f"**{len(kinks)} kinks** at this h: {worked.plain(', '.join(kinks[:5]))}{' and more' if len(kinks) > 5 else ''}. Moved by ± h, a ReLU "
    "crosses 0: the loss has a corner there and no single slope, so their error is no fault.",
    f"The next step promises {number(step.predicted_change)} and brings **{number(step.actual_change)}**"
    + (": the loss rises, the step is too long." if step.actual_change > 1e-12 else "."),
    f"Twenty steps take the loss from {number(path.losses[0])} to **{number(path.losses[20])}**{'; the charts end at 2' * bool(path.losses.max() > 2)}.",
)  # fmt: skip
lab.try_this(
    ("A step too far", "Four times the learning rate: four times the gain that the gradient promises?", {"rate": 2.0}),
    ("Smaller is not better", "Will a smaller h bring the difference closer to the derivative?", {"h": "1e-12"}),
    ("Standing on a corner", "Row 0 is all zeros, so its ReLUs stand at 0. Which slopes are undefined there?", {"activation": "relu", "x": np.vstack([np.zeros(3), X[1:]]), "parameter": "b_1[2]"}),
    ("Twenty steps", "After 20 steps, what has become of the pink numbers?", {"steps": 20, "rate": 1.0}),
)  # fmt: skip
lab.conventions(
    ("A second backward pass", f"starts from zero: {number(analytic[chosen])} again", f"PyTorch adds it up: {number(2 * analytic[chosen])}"),
    ("Loss of a batch", f"the mean of 4 rows: gradient {number(analytic[chosen])}", f"the sum: {number(4 * analytic[chosen])}"),
    ("Slope of ReLU at 0", "0, as in PyTorch", "½ or 1: any slope from 0 to 1 is a subgradient"),
)  # fmt: skip
weights = {f"{part}_{n + 1}": getattr(layer, part) for n, layer in enumerate(batch[0]) for part in "Wb"}
grads = {f"grad_{part}_{n + 1}": getattr(layer, part) for n, layer in enumerate(back.grads) for part in "Wb"}
lab.take_away({"logits": forward.logits, "probs": probs, "loss": back.loss, "promised": goal, **grads, "check": check}, code=f"""
import math
f, slope = lambda z: {snippets.activation(activation, "z")}, lambda z: {snippets.slope(activation, "z")}
z_1 = x @ W_1 + b_1
z_2 = f(z_1) @ W_2 + b_2
logits = f(z_2) @ W_3 + b_3
exps = np.exp(logits - logits.max(axis=1, keepdims=True))
probs = exps / exps.sum(axis=1, keepdims=True)
loss = -np.log(probs[range(4), targets]).mean()
d_3 = (probs - np.eye(3)[targets]) / 4
d_2 = d_3 @ W_3.T * slope(z_2)
d_1 = d_2 @ W_2.T * slope(z_1)
grad_W_1, grad_W_2, grad_W_3 = x.T @ d_1, f(z_1).T @ d_2, f(z_2).T @ d_3
grad_b_1, grad_b_2, grad_b_3 = d_1.sum(axis=0), d_2.sum(axis=0), d_3.sum(axis=0)
""", **weights, x=x, targets=TARGETS)  # fmt: skip
lab.source(mlp_backward, gradient_check, gradient_step)
