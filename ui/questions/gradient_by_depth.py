"""What can be predicted of a gradient on its way down: what silence, halves, depth and gain leave of it."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number

NAMES = {"plain": "plain", "residual": "residual", "pre_norm": "pre-norm", "post_norm": "post-norm"}
HOW_MANY = ("none", "one", "two", "three", "all four")
LOOK = ("gradients",)


def left(seen: Seen) -> dict[str, float]:
    """The gradient's norm at the input in each arrangement, the median of the seeds; 1 at the top."""
    return {said: float(np.median(seen.numbers[name][:, 0])) for name, said in NAMES.items()}


def silent(before: Seen, after: Seen) -> Answer:
    same = [name for name in NAMES if abs(after.numbers[name] - 1).max() < 1e-9]
    told = ", ".join(f"{name} {number(norm)}" for name, norm in left(after).items())
    return HOW_MANY[len(same)], f"At the input: {told}. Only a path past F and past every norm passes it on unchanged."


def halved(before: Seen, after: Seen) -> Answer:
    was, now = left(before)["plain"], left(after)["plain"]
    depth = int(after.inputs["depth"])
    return -float(
        np.log2(now)
    ), f"Each layer halves it: 0.5 to the power {depth} is {number(now)} ({number(was)} before)."


def within_ten(before: Seen, after: Seen) -> Answer:
    was, now = left(before), left(after)
    far = [name for name, norm in now.items() if not 0.1 <= norm <= 10]
    told = "; ".join(f"{name} {number(now[name])} ({number(was[name])} before)" for name in far)
    why = (
        f"Outside lies {told}" if far else f"The furthest is {number(max(now.values(), key=lambda x: abs(np.log(x))))}"
    )
    return HOW_MANY[len(now) - len(far)], f"{why}: every layer multiplies once more."


def louder(before: Seen, after: Seen) -> Answer:
    was, now = left(before)["residual"], left(after)["residual"]
    grown = "larger" if now > was * (1 + 1e-9) else "smaller" if now < was * (1 - 1e-9) else "the same"
    why = "the path adds g to Jᵀg in every layer, and gain 2 makes J twice as large"
    return grown, f"At the input residual goes from {number(was)} to {number(now)}: {why}."


def power_of_ten(rng: np.random.Generator) -> Question:
    gain, depth = float(rng.choice([0.1, 0.2, 0.3, 0.5, 0.8, 1.25, 1.5, 2.0])), int(rng.integers(4, 25))

    def answer(before: Seen, after: Seen) -> Answer:
        norm, depth, gain = left(after)["plain"], after.inputs["depth"], after.inputs["gain"]
        by_layer = number(float(np.log10(gain)))
        return float(
            np.log10(norm)
        ), f"{depth} · log₁₀ {gain:g} = {depth} · {by_layer}: what is left is {number(norm)}."

    ask = (
        f"Without an activation, {depth} plain layers of gain {gain:g}: which power of ten is left of the gradient "
        "at the input, its exponent to within 0.7?"
    )
    state = {"activation": "identity", "gain": gain, "depth": depth, "decades": "±24"}
    return Question("Layers in a row", ask, answer, state, within=0.7, look=LOOK, cover=LOOK)


QUESTIONS = (
    Question(
        "Silent sublayers",
        "With gain 0 every F outputs 0. In how many of the four arrangements is the gradient 1 at every layer then?",
        silent,
        {},
        {"gain": 0.0},
        HOW_MANY,
        look=LOOK,
    ),
    Question(
        "A chain of halves",
        "There is no activation. At gain 0.5, twelve plain layers leave ½ to which power of the gradient?",
        halved,
        {"activation": "identity"},
        {"gain": 0.5},
        within=0.1,
        look=LOOK,
    ),
    Question(
        "Forty-eight layers",
        "Four times as many: in how many arrangements is the gradient at the input still between 0.1 and 10?",
        within_ten,
        {"decades": "±12"},
        {"depth": 48},
        HOW_MANY,
        look=LOOK,
    ),
    Question(
        "Residual alone",
        "Nothing vanishes on the residual path. At gain 2, does its gradient at the input get smaller or larger?",
        louder,
        {"depth": 24, "decades": "±12"},
        {"gain": 2.0},
        ("smaller", "the same", "larger"),
        look=LOOK,
    ),
    Endless("Layers in a row", power_of_ten),
)
