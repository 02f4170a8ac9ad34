"""What can be predicted of backpropagation: a longer step, a smaller h, a corner, what training leaves, a promise."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import number

FLOOR = 1e-8  # gradients smaller than this count as this large in a relative error
CORNERED = np.array([[0, 0, 0], [-0.5, 1.5, 0.5], [0.5, -1.0, 1.5], [-1.5, -0.5, 0.0]])


def longer_step(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["loss"] - seen.numbers["reached"]) for seen in (before, after))
    promised = number(float(after.numbers["loss"] - after.numbers["promised"]))
    apart = now - 4 * was
    right = "four times" if abs(apart) < 1e-6 else f"{'less' if apart < 0 else 'more'} than four times"
    why = f"The slope promises four times the gain, {promised}, but the loss is curved"
    return right, f"{why}: the step takes {number(was)} off it before and {number(now)} now."


def smaller_h(before: Seen, after: Seen) -> Answer:
    was, now = map(largest_error, (before, after))
    right = "larger" if now > was * (1 + 1e-6) else "smaller" if now < was * (1 - 1e-6) else "the same"
    why = "The two losses differ in their last digits only, and dividing by 2h makes their rounding large"
    return right, f"{why}: the error goes from {number(was)} to {number(now)}."


def largest_error(seen: Seen) -> float:
    """The largest relative error of all gradients off the kinks."""
    errors = [0.0]
    for name, numeric in seen.numbers["numeric"].items():
        exact, on = seen.numbers[f"grad_{name}"], seen.numbers["kink"][name]
        size = np.maximum(np.maximum(abs(exact), abs(numeric)), FLOOR)
        errors.append(float(np.where(on, 0.0, abs(exact - numeric) / size).max()))
    return max(errors)


def on_a_corner(before: Seen, after: Seen) -> Answer:
    kinks = after.numbers["kink"]
    weights, biases = (sum(int(kinks[f"{part}_{n}"].sum()) for n in (1, 2, 3)) for part in "Wb")
    right = "both" if weights and biases else "weights" if weights else "biases"
    why = "Row 0 multiplies weights by 0, not biases"
    return right, f"{why}: {weights} of 40 weights and {biases} of 11 biases stand on a kink."


def learnt(before: Seen, after: Seen) -> Answer:
    p = [float(seen.numbers["probs"][0, seen.inputs["targets"][0]]) for seen in (before, after)]
    was, now = ((one - 1) / 4 for one in p)
    right = "the same" if abs(now - was) < 1e-9 else "nearer" if now > was else "farther"
    why = f"It is (p − 1) / 4, and p goes from {number(p[0])} to {number(p[1])}"
    return right, f"{why}: the pink number goes from {number(was)} to {number(now)}."


def drawn(rng: np.random.Generator) -> Question:
    end, seed = str(rng.choice(["promised", "reached"])), int(rng.integers(20))
    rate = float(rng.integers(14, 20 if end == "promised" else 33)) / 20

    def answer(before: Seen, after: Seen) -> Answer:
        loss, promised, reached = (number(float(after.numbers[part])) for part in ("loss", "promised", "reached"))
        why = f"From {loss} the tangent promises {promised} at η = {rate:g}, and the loss reaches {reached}"
        return float(after.numbers[end]), f"{why}: the slope is that of the first moment only."

    line = "dashed line promise" if end == "promised" else "full line reach"
    ask = f"η goes from 0.5 to {rate:g}. Which loss does the {line} there, to within 0.1?"
    state = {"seed": seed, "rate": 0.5}
    return Question("Down the slope by eye", ask, answer, state, {"rate": rate}, within=0.1, look=("line",))


QUESTIONS = (
    Question(
        "Four times the step",
        "η goes from 0.5 to 2. By how much does one step lower the loss then, against before?",
        longer_step,
        {"rate": 0.5},
        {"rate": 2.0},
        ("less than four times", "four times", "more than four times"),
        look=("line", "path"),
        cover=("line",),
    ),
    Question(
        "Twenty steps",
        "After 20 steps, how far from 0 is the pink number at row 0's right logit, against before?",
        learnt,
        {"rate": 1.0, "row": "row 0", "steps": 0},
        {"steps": 20},
        ("nearer", "the same", "farther"),
        look=("network",),
    ),
    Question(
        "Smaller is not better",
        "h shrinks from 10⁻⁵ to 10⁻¹². What becomes of the largest relative error?",
        smaller_h,
        {"h": "1e-05", "steps": 0},
        {"h": "1e-12"},
        ("smaller", "the same", "larger"),
        look=("errors",),
        cover=("errors",),
    ),
    Question(
        "Standing on a corner",
        "Row 0 is all zeros, and ReLU replaces tanh. Which parameters have no slope then?",
        on_a_corner,
        {"activation": "tanh", "x": CORNERED, "parameter": "b_1[2]", "steps": 0, "h": "1e-05"},
        {"activation": "relu"},
        ("weights", "biases", "both"),
        look=("check",),
    ),
    Endless("Down the slope by eye", drawn),
)
