"""What can be predicted of two losses: a confident mistake, a masked row, smoothing, equal logits, a cost by eye."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import listed, number, together

CLASSES = "ABCDE"
STEEP, COSTS, GRADS = ("steep",), ("rows_way_1",), ("gradients.∂",)
OPEN = {"masked": [], "targets": "A B C D"}


def at_right(seen: Seen, loss: str, row: int) -> float:
    """The gradient of a row's own loss by its right logit."""
    return float(seen.numbers[f"{loss}_row_grads"][row, seen.inputs["targets"][row]])


def confident(before: Seen, after: Seen) -> Answer:
    mse, ce = ([at_right(seen, loss, 3) for seen in (before, after)] for loss in ("mse", "ce"))
    was, now = map(abs, mse)
    right = "the same" if abs(now - was) < 1e-12 else "weaker" if now < was else "stronger"
    p = [float(seen.numbers["probs"][3, seen.inputs["targets"][3]]) for seen in (before, after)]
    why = f"It fades as p nears 0 and as p nears 1; p goes from {number(p[0])} to {number(p[1])}"
    told = f"under MSE it goes from {number(mse[0])} to {number(mse[1])}"
    return right, f"{why}: {told}, under cross-entropy from {number(ce[0])} to {number(ce[1])}."


def masked_row(before: Seen, after: Seen) -> Answer:
    counted = [float(cost) for cost in after.numbers["ce_rows"][after.inputs["mask"]]]
    divisor = float(np.asarray(after.inputs["class_weights"])[np.asarray(after.inputs["targets"])[:3]].sum())
    now, wrong, was = (
        number(float(x)) for x in (after.numbers["ce"], after.numbers["wrong_mean"], before.numbers["ce"])
    )
    why = f"Three rows count: {together(map(number, counted))} over {divisor:g} is {now}, {was} with row 3"
    return float(after.numbers["ce"]), f"{why}. Divided by all 4 rows it would be {wrong}."


def smoothed(before: Seen, after: Seen) -> Answer:
    was, now = (at_right(seen, "ce", 0) for seen in (before, after))
    of = after.inputs["targets"][0]
    p, wanted = (number(float(after.numbers[name][0, of])) for name in ("probs", "wanted"))
    right = "not at all" if abs(now) < 1e-9 else "down" if now > 0 else "up"
    why = f"Its p is {p} where the smoothed target asks {wanted}: the gradient goes from {number(was)} to {number(now)}"
    return right, f"{why}, and a step goes against it."


def equal_logits(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["ce"]) for seen in (before, after))
    p = float(after.numbers["probs"][0, 0])
    why = f"Every class has p = {number(p)}, and −log p is {number(float(-np.log(p)))}"
    return now, f"{why}: the mean goes from {number(was)} to {number(now)}."


def pulled(before: Seen, after: Seen) -> Answer:
    pulls = np.array([abs(at_right(after, "mse", row)) for row in range(4)])
    most = np.flatnonzero(pulls > pulls.max() - 1e-9)
    row = int(most[0])
    p = listed([float(after.numbers["probs"][i, of]) for i, of in enumerate(after.inputs["targets"])])
    right = [{"row": tied} for tied in most.tolist()]
    why = f"The right classes have p = {p}, and MSE's gradient fades towards 0 and towards 1"
    return right, f"{why}: the largest is {number(float(pulls[row]))}, in row {together(map(str, most))}."


def drawn(rng: np.random.Generator) -> Question:
    logits = np.round(rng.normal(scale=1.5, size=(4, 5)), 1) + 0.0
    targets, row = rng.integers(5, size=4), int(rng.integers(4))

    def answer(before: Seen, after: Seen) -> Answer:
        of = after.inputs["targets"][row]
        p, cost = float(after.numbers["probs"][row, of]), float(after.numbers["ce_rows"][row])
        return cost, f"Its right class {CLASSES[of]} has p = {number(p)}, and −log {number(p)} is {number(cost)}."

    ask = f"Row {row} should be {CLASSES[targets[row]]}. What does it cost under cross-entropy, −log p, to within 0.2?"
    state = {"logits": logits, "targets": " ".join(CLASSES[of] for of in targets), "row": f"row {row}"}
    state |= {"scale": 1.0, "smoothing": 0.0, "masked": [], "weights": np.ones((1, 5))}
    look, cover = ("rows_way_1", "gradients"), ("rows_way_1", *GRADS)
    return Question("A cost by eye", ask, answer, state, within=0.2, look=look, cover=cover)


QUESTIONS = (
    Question(
        "A confident mistake",
        "Every logit doubles, so row 3 grows surer. How strong is MSE's gradient by its right logit then?",
        confident,
        OPEN | {"scale": 1.0, "row": "row 3"},
        {"scale": 2.0},
        ("weaker", "the same", "stronger"),
        look=("cost", "steep"),
        cover=STEEP,
    ),
    Question(
        "What the mean hides",
        "Row 3 is masked, the other three count. What is the mean cross-entropy then, to within 0.1?",
        masked_row,
        OPEN,
        {"masked": ["row 3"]},
        within=0.1,
        look=COSTS,
    ),
    Question(
        "Where MSE pulls",
        "Rows 0 to 3 should be A, B, C, D. Click the row whose right logit MSE moves most.",
        pulled,
        OPEN | {"row": "row 0", "of_class": "A"},
        click="gradients",
        look=("gradients",),
        cover=GRADS,
    ),
    Question(
        "Too sure",
        "A fifth of the target is smoothed away. Which way does a step on cross-entropy move row 0's right logit then?",
        smoothed,
        OPEN | {"smoothing": 0.0, "row": "row 0"},
        {"smoothing": 0.2},
        ("up", "not at all", "down"),
        look=("cost", "steep"),
    ),
    Question(
        "No idea",
        "All logits become 0. What is the mean cross-entropy then, to within 0.1?",
        equal_logits,
        OPEN,
        {"scale": 0.0},
        within=0.1,
        look=COSTS,
    ),
    Endless("A cost by eye", drawn),
)
