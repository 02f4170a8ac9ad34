"""What can be predicted of a softmax: the peak of its slopes, heat, a shift, a mask, a probability by eye."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import number

NAMES = tuple(f"z{i}" for i in range(8))
BARS = ("probs",)


def peaked(before: Seen, after: Seen) -> Answer:
    slopes = [seen.numbers.largest_gradient for seen in (before, after)]
    loss = number(float(abs(after.numbers.grad).max()))
    right = ["smaller", "the same", "larger"][1 + int(np.sign(round(slopes[1] - slopes[0], 9)))]
    why = f"The largest slope goes from {number(slopes[0])} to {number(slopes[1])}: at the ends softmax is flat"
    return right, f"{why}. The gradient of −log p for z0, which is no favourite, is {loss} all the same."


def hot(before: Seen, after: Seen) -> Answer:
    p = after.numbers.out
    return (
        1 / p.size,
        f"Divided by T, all logits come together: now they run from {number(p.min())} to {number(p.max())}.",
    )


def shifted(before: Seen, after: Seen) -> Answer:
    apart = float(abs(after.numbers.out - before.numbers.out).max())
    right = "no" if apart < 1e-9 else "yes"
    return (
        right,
        f"The same factor stands above and below, and cancels: the largest change is {number(round(apart, 9))}.",
    )


def masked(before: Seen, after: Seen) -> Answer:
    total = float(after.numbers.out.sum())
    return total, f"No entry is left to share: every weight is {number(total)}. PyTorch's softmax gives NaN here."


def by_eye(rng: np.random.Generator) -> Question:
    temperature = float(rng.integers(1, 31)) / 5
    logits = np.round(rng.normal(scale=1.5, size=(1, 8)), 1) + 0.0
    one = int(rng.integers(8))

    def answer(before: Seen, after: Seen) -> Answer:
        p = float(after.numbers.out[one])
        return p, f"e to the {number(float(logits[0, one]) / temperature)} over the sum of all eight is {number(p)}."

    values = ", ".join(f"{name} {value:g}".replace("-", "−") for name, value in zip(NAMES, logits[0], strict=True))
    ask = f"The logits are {values} at T = {temperature:g}. How large is p of {NAMES[one]}, to within 0.05?"
    state = {"temperature": temperature, "logits": logits, "target": NAMES[one]}
    return Question("A probability by eye", ask, answer, state, within=0.05, look=BARS, cover=BARS)


QUESTIONS = (
    Question(
        "As peaked as it gets",
        "The scale goes from 1 to 20. Does the largest slope ∂p/∂z get larger or smaller?",
        peaked,
        {"temperature": 1.0, "target": "z0"},
        {"scale": 20.0},
        ("smaller", "the same", "larger"),
        look=("gradient",),
        cover=("gradient",),
    ),
    Question(
        "Hot",
        "As T grows, towards which number do all eight probabilities go?",
        hot,
        {},
        {"temperature": 10.0},
        within=0.001,
        look=BARS,
    ),
    Question(
        "A shift of 800",
        "Every logit gets 800 more. Does a probability change?",
        shifted,
        {"temperature": 1.0},
        {"shift": 800.0},
        ("yes", "no"),
        look=BARS,
    ),
    Question(
        "Everything masked",
        "With all eight masked, what do the probabilities sum to?",
        masked,
        {},
        {"masked": list(NAMES)},
        within=0.001,
        look=BARS,
    ),
    Endless("A probability by eye", by_eye),
)
