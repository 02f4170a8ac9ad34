"""What can be predicted of a perceptron: whether its mistakes end, what b and the learning rate do, a line by hand."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import counted, listed, number

PLANE, BOTH = ("plane",), ("plane", "mistakes")
ZERO = {"w_1": 0.0, "w_2": 0.0, "bias": 0.0}
CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]


def as_made(seen: Seen, *targets: int) -> bool:
    """Whether a gate's examples are where it has them, and of these classes: a link may hold others."""
    return np.array_equal(seen.inputs["x"], CORNERS) and (not targets or tuple(seen.inputs["targets"]) == targets)


def clean_epoch(before: Seen, after: Seen) -> Answer:
    """Whether an epoch without a mistake comes."""
    *_, last = mistakes = after.numbers["mistakes_per_epoch"]
    n, gone = len(after.inputs["x"]), "the weights move no more" if not last else "and the line still moves"
    first = counted(mistakes[0], "mistake", "mistakes")
    return (
        "no" if last else "yes",
        f"Epoch 1 made {first} in {n} looks, epoch {len(mistakes)} made {last}, {gone}.",
    )


def xor(before: Seen, after: Seen) -> Answer:
    right, why = clean_epoch(before, after)
    if not as_made(after, 0, 1, 1, 0):
        return right, why
    return right, f"No line keeps (0, 1) and (1, 0) on one side and the other two on the other. {why}"


def bias_by_hand(before: Seen, after: Seen) -> Answer:
    sums = [seen.numbers["weighted_sums"] for seen in (before, after)]
    was, now = (int((seen.numbers["out"] == seen.inputs["targets"]).sum()) for seen in (before, after))
    if not as_made(after):
        low, high = (number(edge) for edge in (min(sums[1]), max(sums[1])))
        why = f"Only a sum above 0 answers 1, and they go from {low} to {high} now"
        return now, f"{why}: {was} of {len(sums[1])} were right, {now} are."
    why = f"Only a sum above 0 answers 1, and (1, 1) has {number(sums[0][3])} before, {number(sums[1][3])} now"
    others = listed([round(float(one), 2) for one in sums[1][:3]])
    return now, f"{why}, the others {others:2}: {was} of 4 were right, {now} of 4 are."


def faster(before: Seen, after: Seen) -> Answer:
    was, now = (len(seen.numbers["mistakes_per_epoch"]) for seen in (before, after))
    right = "fewer" if now < was else "more" if now > was else "the same"
    w = [float(abs(seen.numbers["weights"]).max()) for seen in (before, after)]
    why = f"From 0 the rate only scales w and b, the largest weight from {number(w[0])} to {number(w[1])}"
    return right, f"{why}; the line stays: {counted(was, 'epoch', 'epochs')} before, {now} now."


def drawn(rng: np.random.Generator) -> Question:
    problem = str(rng.choice(["AND", "OR"]))
    w_1, w_2 = (float(w) / 4 for w in rng.choice([-3, 2, 3, 4, 5, 6], size=2))
    start, bias = (float(b) / 4 for b in rng.choice(np.arange(-6, 3), size=2, replace=False))

    def answer(before: Seen, after: Seen) -> Answer:
        sums, out, targets = after.numbers["weighted_sums"], after.numbers["out"], after.inputs["targets"]
        right, n = int((out == targets).sum()), len(targets)
        written = listed([float(one) for one in sums])
        where = " of (0, 0), (0, 1), (1, 0) and (1, 1)" if as_made(after) else ""
        return right, f"The sums w·x + b{where} are {written:2}: {right} of {n} right."

    ask = (
        f"{problem}, with w = ({w_1:g}, {w_2:g}): b goes from {start:g} to {bias:g}. How many of its examples are "
        "answered rightly then?"
    ).replace("-", "−")
    state = {"problem": problem, "step": "0", "w_1": w_1, "w_2": w_2, "bias": start}
    return Question("A line by hand", ask, answer, state, {"bias": bias}, within=0.4, look=PLANE)


QUESTIONS = (
    Question(
        "XOR",
        "XOR wants 1 at (0, 1) and at (1, 0) alone. Do 120 looks bring an epoch without a mistake?",
        xor,
        {"problem": "XOR", "step": "4"},
        {"step": "120"},
        ("yes", "no"),
        look=BOTH,
        cover=("mistakes",),
    ),
    Question(
        "AND by hand",
        "With w = (1, 1), b goes from −0.5 to −1.5. How many of the four does AND's unit answer rightly then?",
        bias_by_hand,
        {"problem": "AND", "step": "0", "w_1": 1.0, "w_2": 1.0, "bias": -0.5},
        {"bias": -1.5},
        within=0.4,
        look=PLANE,
    ),
    Question(
        "Twice the rate",
        "From w = (0, 0) and b = 0 the learning rate doubles. How many epochs does training take now?",
        faster,
        ZERO | {"rate": 1.0},
        {"rate": 2.0},
        ("fewer", "the same", "more"),
        look=BOTH,
        cover=("mistakes",),
    ),
    Question(
        "Two clouds",
        "Two clouds of ten points. Do 120 looks bring an epoch without a mistake?",
        clean_epoch,
        {"problem": "two clouds", "step": "0"},
        {"step": "120"},
        ("yes", "no"),
        look=BOTH,
        cover=("mistakes",),
    ),
    Question(
        "Clouds that overlap",
        "The clouds run into each other, 1 apart. Do 120 looks still bring an epoch without a mistake?",
        clean_epoch,
        {"problem": "two clouds", "distance": 4.0, "step": "120"},
        {"distance": 1.0},
        ("yes", "no"),
        look=BOTH,
    ),
    Endless("A line by hand", drawn),
)
