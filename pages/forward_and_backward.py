"""Is the gradient that backpropagation finds the derivative by its definition, and does a step keep its promise?"""

import numpy as np

from engine import mlp
from engine.softmax import softmax
from ui import charts
from ui.labs.forward_and_backward import check as checked
from ui.labs.forward_and_backward import descent
from ui.labs.forward_and_backward.network import network, nodes, parameters
from ui.page import controls, lab
from ui.page.matrices import matrix
from ui.page.recall import recall
from ui.questions.forward_and_backward import QUESTIONS
from ui.snippets import shared
from ui.words import bare, dot, told

SIZES, TARGETS, ROWS = [3, 4, 4, 3], [0, 1, 2, 1], [f"row {i}" for i in range(4)]
X = [[1.0, 0.5, -1.0], [-0.5, 1.5, 0.5], [0.5, -1.0, 1.5], [-1.5, -0.5, 0.0]]
H, RATES, KINDS = [float(f"1e-{k}") for k in range(1, 14)], np.linspace(-0.25, 2, 19), ["tanh", "relu", "silu", "gelu"]
PLACES, NODES = parameters(SIZES), nodes(SIZES)
NAMES = list(PLACES)

lab.begin(__file__, QUESTIONS)
with lab.panel():
    taken = controls.slider("steps", "Steps taken", 0, 20, 0, help="Each goes on where the last one ended.")
    rate = controls.slider("rate", "Learning rate η", 0.05, 2.0, 0.5, step=0.05, help="A step is −η · gradient.")
    activation = controls.choice("activation", "Activation", KINDS, help="In both hidden layers.")
    h = controls.stops("h", "h of the difference", H, 1e-5, show="{:.0e}".format, help="How far a parameter is moved.")
    name = controls.choice("parameter", "Gradient worked out", NAMES, "W_2[0, 1]", help="A dot of the network sets it.")
    row = controls.which("row", "Row drawn", ROWS, help="One of the four examples of the batch.")
    seed = controls.seed(label="Seed of the weights")
    x = matrix("x", "Input x", X, limit=5, rows=ROWS, columns=["x_0", "x_1", "x_2"])

start = mlp.init_mlp(SIZES, np.random.default_rng(seed))
path = lab.attempt(recall, mlp.follow_gradient, start, x, TARGETS, activation=activation, lr=rate, n_steps=20)
layers = path.layers[taken]
batch = layers, x, TARGETS
step = lab.attempt(recall, mlp.gradient_step, *batch, activation=activation, lr=rate)
line = lab.attempt(recall, mlp.loss_along_gradient, *batch, activation=activation, learning_rates=RATES)
check = recall(mlp.gradient_check, *batch, activation=activation, h=h)
errors = recall(mlp.gradient_error_by_h, *batch, activation=activation, h=H)
back, forward = step.backward, step.backward.forward
probs = softmax(forward.logits)
analytic, error, kink = map(mlp.flattened, (check.analytic, check.relative_error, check.kink))
chosen, today, best = NAMES.index(name), H.index(h), int(errors.largest.argmin())
best = best if errors.largest[best] < errors.largest[today] else today
k, i, j = PLACES[name]  # layer, row, column
worst, kinks = mlp.worst_off_kinks(check), [one for one, on in zip(NAMES, kink, strict=True) if on]
began = recall(mlp.gradient_step, start, x, TARGETS, activation=activation, lr=rate)
usual = recall(mlp.gradient_step, *batch, activation=activation, lr=0.5)
now = told(
    loss=back.loss,
    promised=step.promised,
    reached=step.loss,
    squared=step.squared_norm,
    first=path.losses[0],
    final=path.losses[20],
    gradient=analytic[chosen],
    twice=2 * analytic[chosen],
    fourfold=4 * analytic[chosen],
    numeric=mlp.flattened(check.numeric)[chosen],
    error=errors.largest[today],
    right=probs[row, TARGETS[row]],
)

activations = [part[row] for part in (x, *forward.activations, forward.logits)]
pink, pink_then = (
    [None, *(part[row] for part in (*one.d_activations, one.d_logits))] for one in (back, began.backward)
)
drawn = {"right": TARGETS[row], "names": NAMES, "chosen": chosen}
picture = network(activations, pink, [layer.W for layer in layers], probs[row], **drawn)
alt = (
    f"The network 3 → 4 → 4 → 3 with the activations of row {row} in its nodes and the gradient of the loss under them."
)
charts.show("network", picture, alt, parameter="point")
left, right = lab.columns(2)
with left:
    alt = f"The loss along the gradient and its tangent: η = {rate:g} promises {now.promised}, reaches {now.reached}."
    charts.show("line", descent.down_the_slope(line, step, rate), alt, rate="x")
with right:
    alt = f"The loss after each of 20 steps, from {now.first} to {now.final}; {taken} of 20 taken."
    charts.show("path", descent.by_step(path, taken), alt, steps="x")
alt = f"What goes in, the logits and the probabilities of the four rows; row {row} is drawn, and gives "
alt += f"its right class {now.right}."
charts.show("batch", checked.batch(x, forward.logits, probs, TARGETS, row, ROWS), alt, row="row")
lab.say(
    f"Row {row}, and in pink the gradient of the loss by each number, ∂L/∂h or ∂L/∂z. The batch's loss: **{now.loss}**."
)
lab.step(
    "One more step: the loss promised by its slope, and the loss reached",
    rf"L - \eta \lVert g \rVert^2 = {now.loss:bare} - {rate:g} \cdot {now.squared:bare} = {now.promised:bare}"
    rf" \;\to\; {now.reached:bare}",
)
node, delta = NODES[k + 1][j], back.deltas[k][:, j]
lab.step(
    f"How the gradient gets to {node} in row {row}: δ, the gradient before the activation",
    *checked.delta_of(node, layers, back, probs, TARGETS, (k, row, j)),
)
symbol = rf"\frac{{\partial L}}{{\partial {name}}}"
lab.step(
    f"The gradient of {name}: what it was multiplied with times δ, a term a row; and by the definition",
    dot(symbol, mlp.inputs_with_bias(x, forward)[k][:, i], delta, now.gradient, digits=4),
    rf"{symbol} \approx \frac{{L(\theta + h) - L(\theta - h)}}{{2h}} = {bare(now.numeric, 10)} \quad\text{{against}}"
    rf"\quad {bare(now.gradient, 10)}",
)
tables = map(mlp.stacked, (check.analytic, check.numeric, check.relative_error, check.kink))
panels = checked.check_panels(*tables, chosen=PLACES[name])
alt = "Every gradient of the three layers by the chain rule, by the central difference, and their relative error."
pick = lambda click: checked.clicked_parameter(click, PLACES)
charts.show(
    "check", charts.matrices(panels, per_row=3, cell=24, links=checked.links_of_check(len(layers))), alt, parameter=pick
)
alt = f"The relative error against h; at {h:.0e} it is {now.error}."
charts.show("errors", checked.error_by_h(errors, today), alt, h="x")

lab.notice(
    *checked.on_errors(len(NAMES) - len(kinks), len(kinks), NAMES[worst], error[worst], analytic[worst]),
    *checked.on_h(h, H[best], errors.largest[today], errors.largest[best]),
    *checked.on_kinks(kinks, activation),
    *descent.on_the_step(step, rate, usual, 0.5),
    descent.since_the_start(taken, row, (began.squared_norm, step.squared_norm), (pink_then, pink)),
    f"Twenty steps take the loss from {now.first} to **{now.final}**"
    f"{'; the charts end at 2' if path.losses.max() > 2 else ''}.",
)
lab.conventions(
    ("A second backward pass", f"starts from zero, as JAX: {now.gradient} again", f"PyTorch adds it up: {now.twice}"),
    (
        "Loss of a batch",
        f"the mean of 4 rows, as PyTorch and Keras: gradient {now.gradient}",
        f"PyTorch with reduction='sum': {now.fourfold}",
    ),
    ("Slope of ReLU at 0", "0, as in PyTorch, TensorFlow and jax.nn.relu", "JAX's jnp.maximum(x, 0): ½"),
)
weights = {f"{part}_{n}": getattr(layer, part) for n, layer in enumerate(layers, 1) for part in "Wb"}
grads = {f"grad_{part}_{n}": getattr(layer, part) for n, layer in enumerate(back.grads, 1) for part in "Wb"}
numbers = {"logits": forward.logits, "probs": probs, "loss": back.loss, **grads}
numbers |= {"promised": step.promised, "reached": step.loss}
for of, measured in (("numeric", check.numeric), ("kink", check.kink)):
    numbers[of] = {f"{part}_{n}": getattr(layer, part) for n, layer in enumerate(measured, 1) for part in "Wb"}
# the program is written with GELU, whose outer brackets a lambda does without
swaps = [(code("gelu", "z")[1:-1], code(activation, "z")) for code in (shared.activation, shared.slope)]
given = {"x": x, "targets": TARGETS, "rate": rate, "h": h, "corners": activation == "relu"}
lab.take_away(numbers, *swaps, **weights, **given)
lab.source(mlp.mlp_backward, mlp.gradient_check, mlp.gradient_step)
