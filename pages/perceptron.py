"""How does one unit learn a line, and when is there no line to learn?"""

import numpy as np

from engine import perceptron
from ui import charts
from ui.labs.perceptron import by_hand, ended, epochs, examples, looked, plane, points, without_a_line
from ui.page import controls, lab
from ui.questions.perceptron import QUESTIONS
from ui.words import dot, row, told

PROBLEMS = {"AND": "and", "OR": "or", "XOR": "xor", "two clouds": "two clouds"}
LOOKS = 120  # examples looked at, at most

lab.begin(__file__, QUESTIONS)
with lab.panel():
    problem = controls.choice("problem", "Problem", list(PROBLEMS), help="What the unit has to answer 1 to.")
    looks = lab.group("looks", shown=True)
    w_1 = controls.slider("w_1", "w₁ at the start", -3.0, 3.0, 0.0, step=0.25, help="The line by hand.")
    w_2 = controls.slider("w_2", "w₂ at the start", -3.0, 3.0, 0.0, step=0.25, help="With w₁, it turns the line.")
    about = "It moves the line without turning it."
    bias = controls.slider("bias", "b at the start", -3.0, 3.0, 0.0, step=0.25, help=about)
    about = "How far one mistake moves w and b."
    rate = controls.slider("rate", "Learning rate η", 0.25, 2.0, 1.0, step=0.25, help=about)
    clouds = problem == "two clouds"
    distance = controls.slider("distance", "Distance of the clouds", 0.0, 8.0, 4.0, step=0.25) if clouds else 4.0
    seed = controls.seed(default=3) if clouds else 0
    made = perceptron.dataset(PROBLEMS[problem], rng=np.random.default_rng(seed), distance=distance)
    data = examples(made, problem, (problem, seed, distance))

x, targets, n = data.x, data.targets, len(data.x)
start = {"weights": [w_1, w_2], "bias": bias}
trace = perceptron.train_perceptron(x, targets, learning_rate=rate, max_epochs=LOOKS // n, **start)
with looks:
    about = "In order, again and again, until a whole pass is clean. 0: your own line."
    taken = controls.index("step", "Examples looked at", len(trace.steps) + 1, 16, help=about)
last = trace.steps[taken - 1] if taken else None
weights, b = (last.weights, last.bias) if last else (np.array([w_1, w_2]), bias)
today = perceptron.predict(x, weights, b)
wrong = today.out != targets
mistakes, circle = perceptron.mistakes_per_epoch(trace), perceptron.first_repeat(trace)
bounds = dict(zip(("low", "high"), data.square, strict=True))
line = perceptron.decision_line(weights, b, **bounds)
other = 1.0 if rate != 1 else 2.0  # another learning rate
with_other = perceptron.train_perceptron(x, targets, learning_rate=other, max_epochs=LOOKS // n, **start)
only_scales = [one.prediction for one in trace.steps] == [one.prediction for one in with_other.steps]
biases = perceptron.right_biases(x, targets, weights)
now = told(
    weights=weights,
    b=b,
    wrong=wrong.sum(),
    right=n - wrong.sum(),
    rate=rate,
    twice=2 * rate,
    mistakes=mistakes,
    other=other,
    biases=biases or (0.0, 0.0),
)

left, right = lab.columns(2)
with left:
    before = last and perceptron.decision_line(last.weights_before, last.bias_before, **bounds)
    tinted = perceptron.half_plane(weights, b, **bounds)
    alt = f"{n} examples of {data.name} in the plane and the line w·x + b = 0; {now.wrong} of {n} answered wrongly."
    figure = plane(data, wrong, line, before, last and last.example, tinted)
    drags = [] if last else by_hand(weights, line)  # a line that was learnt is nobody's to move
    played = ("step", 0, len(trace.steps)) if trace.steps else None
    charts.show("plane", figure, alt, drags=[*points(data), *drags], plays=played)
with right:
    figure = epochs(mistakes, perceptron.epoch_ends(trace), n=n, taken=taken, looks=LOOKS)
    charts.show("mistakes", figure, f"Mistakes in each epoch: {now.mistakes}.", step="x")
    lab.say(
        f"Now **w = ({now.weights}), b = {now.b}**: {now.wrong} of {n} wrong. "
        "Filled should be 1, open 0; tinted is where the unit answers 1."
    )

if last:
    step = told(start=last.weights_before, b=last.bias_before, sum=last.weighted_sum, x=x[last.example])
    dotted = dot(r"w \cdot x + b", [*step.start, step.b], [*step.x, 1], step.sum)
    lab.step(
        f"Look {taken}: example {last.example + 1} of {n}, epoch {last.epoch}",
        rf"{dotted}\;\Rightarrow\; {last.prediction}, \text{{ wanted }} {last.target}",
        rf"w_\text{{new}} = {row(step.start)} + {now.rate:tex} \cdot ({last.target} - {last.prediction})"
        rf" \cdot {row(step.x)} = {row(weights)}",
        rf"b_\text{{new}} = {step.b:tex} + {now.rate:tex} \cdot ({last.target} - {last.prediction}) = {now.b:bare}",
    )
if data.name == "XOR":
    lab.step(
        "Why no line can do XOR",
        r"b \le 0, \quad w_1 + b > 0, \quad w_2 + b > 0 \;\Rightarrow\; w_1 + w_2 + b > -b \ge 0,"
        r"\quad\text{but } (1, 1) \text{ needs } w_1 + w_2 + b \le 0",
    )

again = "Epoch {1} leaves exactly the weights of epoch {0}: from here it goes in a circle."
lab.notice(
    f"The unit as it stands answers **{now.right} of {n}** rightly.",
    *without_a_line(weights, b, line),
    *looked(last, taken),
    (
        not last and biases,
        f"With w = ({now.weights}) every b above **{now.biases[0]}** and up to **{now.biases[1]}** gets all {n} right.",
    ),
    (not last and not biases, f"With w = ({now.weights}) no b gets all {n} right."),
    *ended(mistakes, n=n, possible=perceptron.is_separable(x, targets)),
    (
        data.name == "XOR",
        "**XOR never stops**: no line keeps (0, 1) and (1, 0) on one side and the other two on the other.",
    ),
    (circle, again.format(*(circle or (0, 0)))),
    (
        not (w_1 or w_2 or bias) and only_scales,
        f"From w = 0 and b = 0 the learning rate only scales w and b: with η = {now.other:g} the same looks are "
        "mistakes and the line is the same.",
    ),
)
on_it = (today.weighted_sums == 0).sum()
lab.conventions(
    (
        "An example exactly on the line",
        f"w·x + b > 0 is needed for 1, so it is 0: {today.out.sum()} of {n} answered 1 now, {on_it} of {n} on the line",
        f"Raschka, Python Machine Learning (2015): w·x + b ≥ 0 is enough, {(today.weighted_sums >= 0).sum()} of {n} "
        "answered 1; scikit-learn's Perceptron learns from it as from a mistake, whatever its class",
    ),
    (
        "Size of a correction",
        f"targets 0 and 1: η·(target − answer) = ±{now.rate:g}",
        f"targets −1 and +1: scikit-learn's η·target = ±{now.rate:g}, "
        f"Raschka's (2015) η·(target − answer) = ±{now.twice:g}",
    ),
)
state = {"weights": weights, "b": b, "weighted_sums": today.weighted_sums, "out": today.out}
given = {"x": x, "targets": targets, "w_1": w_1, "w_2": w_2, "bias": bias, "rate": rate, "looks": taken}
lab.take_away(state | {"mistakes_per_epoch": mistakes, "x": x, "targets": targets}, **given, max_epochs=LOOKS // n)
lab.source(perceptron.train_perceptron, perceptron.predict, perceptron.first_repeat)
