"""How does one unit learn a line, and when is there no line to learn?"""

import numpy as np

from engine import perceptron
from ui import charts
from ui import words as worked
from ui.charts import Mark, Series, shade
from ui.page import controls, lab
from ui.words import bare, number, tex

PROBLEMS = {"AND": "and", "OR": "or", "XOR": "xor", "two clouds": "two clouds"}
LOOKS = 120  # examples looked at, at most

lab.begin(__file__)
with lab.panel():
    problem = controls.choice("problem", "Problem", list(PROBLEMS), help="What the unit has to answer 1 to.")
    step = controls.slider(
        "step", "Examples looked at", 0, LOOKS, 16, help="In order, again and again, until a whole pass is clean. 0: your own line."
    )  # fmt: skip
    w_1 = controls.slider("w_1", "w₁ at the start", -3.0, 3.0, 0.0, step=0.25, help="The line by hand.")
    w_2 = controls.slider("w_2", "w₂ at the start", -3.0, 3.0, 0.0, step=0.25, help="With w₁, it turns the line.")
    bias = controls.slider(
        "bias", "b at the start", -3.0, 3.0, 0.0, step=0.25, help="It moves the line without turning it."
    )
    rate = controls.slider(
        "rate", "Learning rate η", 0.25, 2.0, 1.0, step=0.25, help="How far one mistake moves w and b."
    )
    clouds = problem == "two clouds"
    distance = controls.slider("distance", "Distance of the clouds", 0.0, 8.0, 4.0, step=0.25) if clouds else 4.0
    seed = controls.seed(default=3) if clouds else 0

x, targets = perceptron.dataset(PROBLEMS[problem], rng=np.random.default_rng(seed), distance=distance)
n = len(x)
trace = perceptron.train_perceptron(
    x, targets, learning_rate=rate, max_epochs=LOOKS // n, weights=[w_1, w_2], bias=bias
)
taken = min(step, len(trace.steps))
last = trace.steps[taken - 1] if taken else None
weights, b = (last.weights, last.bias) if last else (np.array([w_1, w_2]), bias)
today = perceptron.predict(x, weights, b)
wrong = today.out != targets
mistakes = perceptron.mistakes_per_epoch(trace)
ends = n * np.arange(1, trace.epochs + 1)
circle = perceptron.first_repeat(trace)
low, high = (-6.0, 6.0) if clouds else (-0.75, 1.75)
line = perceptron.decision_line(weights, b, low=low, high=high)

left, right = lab.columns(2)
with left:
    groups = [
        Series("target 1", x[targets == 1, 1], "ink", x[targets == 1, 0], size=16),
        Series("target 0", x[targets == 0, 1], "ink", x[targets == 0, 0], size=16, symbol="circle-open"),
        Series("mistake", x[wrong, 1], "gradient", x[wrong, 0], size=9, symbol="x"),
    ]
    paths = [Series("the line", line[:, 1], "weight", line[:, 0])]
    if last:
        before = perceptron.decision_line(last.weights_before, last.bias_before, low=low, high=high)
        paths.insert(0, Series("before", before[:, 1], "ghost", before[:, 0], dash="dash"))
        groups.append(
            Series("looked at", x[[last.example], 1], "today", x[[last.example], 0], size=28, symbol="circle-open")
        )
    square = {"x_range": (low, high), "y_range": (low, high)}
    plane = charts.points(groups, paths=paths, x_title="x₁", y_title="x₂", height=420, **square)
    charts.show(
        "plane",
        shade(plane, perceptron.half_plane(weights, b, low=low, high=high), "answer 1", "weight"),
        f"{n} examples of {problem} in the plane and the line w·x + b = 0; {wrong.sum()} are answered wrongly.",
    )
with right:
    done = taken // n  # epochs
    series = [
        Series("still to come", mistakes, "ghost", ends, dash="dot"),
        Series("so far", mistakes[:done], "gradient", ends[:done]),
    ]
    charts.show("mistakes", charts.lines(
            ends, series, title="Mistakes per epoch", x_title=f"examples looked at, {n} an epoch", x_range=(-2, LOOKS + 14),
            y_range=(-0.2, 4.9) if n == 4 else (-0.5, 12), marks=[Mark(taken, None, f"{taken}")], height=300, mode="lines+markers",
        ), f"Mistakes in each of {trace.epochs} epochs: {', '.join(map(str, mistakes))}.", step="x")  # fmt: skip
    lab.say(
        f"Now **w = ({number(weights[0])}, {number(weights[1])}), b = {number(b)}**: {wrong.sum()} of {n} wrong. "
        + ("" if len(line) else "No line in sight: one answer everywhere here. ")
        + "Filled should be 1, open 0; tinted is where the unit answers 1."
    )

if last:
    lab.step(
        f"Look {taken}: example {last.example + 1} of {n}, epoch {last.epoch}",
        worked.dot(r"w \cdot x + b", [*last.weights_before, last.bias_before], [*x[last.example], 1], last.weighted_sum)
        + rf"\;\Rightarrow\; {last.prediction}, \text{{ wanted }} {last.target}",
        rf"w \leftarrow {worked.row(last.weights_before)} + {tex(rate)} \cdot ({last.target} - {last.prediction}) \cdot"
        rf" {worked.row(x[last.example])} = {worked.row(weights)}, \qquad b \leftarrow {bare(b)}",
    )
if problem == "XOR":
    lab.step(
        "Why no line can do XOR",
        r"b \le 0, \quad w_1 + b > 0, \quad w_2 + b > 0 \;\Rightarrow\; w_1 + w_2 + b > -b \ge 0,"
        r"\quad\text{but } (1, 1) \text{ needs } w_1 + w_2 + b \le 0",
    )
if not last:
    looked = "Nothing learnt yet: this is the line set by hand."
elif last.update:
    looked = f"Look {taken} was a mistake, so w moved by **{number(last.update)} · x**: towards an example that should be 1, away from one that should be 0."
else:
    looked = f"Look {taken} was right, so nothing moved: the unit learns from mistakes only."
if trace.converged:
    ended = f"Training ends by itself after **{trace.epochs} epoch{'s' * (trace.epochs != 1)}**: the last one was without a mistake."
else:
    ended = f"The last of {trace.epochs} epochs still made **{mistakes[-1]}** mistake{'s' * (mistakes[-1] != 1)}: no clean pass, so no end."
    ended += " **XOR never stops**, however long: no line separates it." if problem == "XOR" else ""
lab.notice(
    f"The line as it stands answers **{n - wrong.sum()} of {n}** rightly.",
    looked,
    ended,
    *([f"Epoch {circle[1]} leaves exactly the weights of epoch {circle[0]}: from here it goes in a circle."] if circle else []),
)  # fmt: skip
lab.try_this(
    ("XOR", "Can any line keep (0, 1) and (1, 0) on one side and the other two on the other?", {"problem": "XOR", "step": LOOKS}),
    ("AND by hand", "With w = (1, 1), between which two values of b does the line get all four right?", {"step": 0, "w_1": 1.0, "w_2": 1.0, "bias": -0.5}),
    ("Two clouds", "How many looks until a pass over 20 points is clean?", {"problem": "two clouds", "step": LOOKS}),
    ("Clouds that overlap", "When the clouds run into each other, will the mistakes die out?", {"problem": "two clouds", "distance": 1.0, "step": LOOKS}),
)  # fmt: skip
lab.conventions(
    (
        "An example exactly on the line",
        f"w·x + b > 0 is needed for 1, so it is 0: {today.out.sum()} of {n} answered 1 now",
        f"w·x + b ≥ 0 is enough: {(today.weighted_sums >= 0).sum()} of {n} answered 1",
    ),
    (
        "Size of a correction",
        f"targets 0 and 1: η·(target − answer) = ±{number(rate)}",
        f"targets −1 and +1 under the same rule: ±{number(2 * rate)}",
    ),
)
lab.take_away({"weights": weights, "b": b, "weighted_sums": today.weighted_sums, "out": today.out, "mistakes_per_epoch": mistakes}, code="""
weights, b = np.array([w_1, w_2]), bias
for look in range(looks):
    row, target = x[look % len(x)], targets[look % len(x)]
    update = rate * (target - int(row @ weights + b > 0))
    weights, b = weights + update * row, b + update
weighted_sums = x @ weights + b
out = (weighted_sums > 0).astype(int)
""", x=x, targets=targets, w_1=w_1, w_2=w_2, bias=bias, rate=rate, looks=taken)  # fmt: skip
lab.source(perceptron.train_perceptron, perceptron.predict, perceptron.first_repeat)
