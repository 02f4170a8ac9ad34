"""What can be predicted of pooling: harmless zeros, the side of the padding, small noise, no row at all, one number."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import counted, number, told

LABELS = {"cls": "[CLS]", "mean": "mean", "max": "max", "last": "last token"}
METHODS, SEVERAL = (*LABELS.values(),), "several alike"
LOOK, UNMASKED = ("pooled",), ("pooled.Without it",)
DIMS = 4


def length(vector) -> float:
    return float(np.hypot.reduce(vector))


def told_apart(seen: Seen) -> str:
    """How far each method lands from its masked vector."""
    return ", ".join(f"{LABELS[name]} {told(d=distance).d}" for name, distance in seen.numbers["distance"].items())


def zeros(before: Seen, after: Seen) -> Answer:
    (was, now) = (length(seen.numbers["unmasked"]["mean"]) for seen in (before, after))
    rows = len(after.numbers["hidden"])
    right = "shorter" if now < was - 1e-9 else "longer" if now > was + 1e-9 else "as long"
    return right, (
        f"Its length goes from {number(was)} to {number(now)}: the sum stays, but is divided by {rows} in place of "
        f"{len(before.numbers['hidden'])}."
    )


def on_the_left(before: Seen, after: Seen) -> Answer:
    was, now = (seen.numbers["distance"] for seen in (before, after))
    still = [row for row, distance in enumerate(now.values()) if distance <= 1e-9]
    return [{"panel": 2, "row": row} for row in still or [-1]], (
        f"In front, padding takes the place of [CLS], which lands {number(now['cls'])} off ({number(was['cls'])} "
        f"before), and leaves the last place alone: {number(now['last'])} ({number(was['last'])} before)."
    )


def noise(before: Seen, after: Seen) -> Answer:
    distances = after.numbers["distance"]
    most = max(distances.values())
    furthest = [name for name, distance in distances.items() if distance >= most - 1e-9]
    return LABELS[furthest[0]] if len(furthest) == 1 else SEVERAL, (
        f"Distances from the masked vector: {told_apart(after)}. Noise takes the last place; the mean is divided by "
        f"{len(after.numbers['hidden'])} rows in place of {len(after.inputs['rows'])}."
    )


def nothing(before: Seen, after: Seen) -> Answer:
    left = int(np.sum(after.numbers["mask"]))
    mean = after.numbers["masked"].get("mean")
    right = "no vector at all" if mean is None else "a vector of zeros" if not np.any(mean) else "the same as before"
    return right, (
        f"{counted(left, 'row is', 'rows are')} left of {int(np.sum(before.numbers['mask']))}, and a mean divides by "
        "that. This page refuses; other libraries give NaN, or 0 by way of a tiny divisor."
    )


def largest(before: Seen, after: Seen) -> Answer:
    column = np.array(after.numbers["hidden"])[:, 1]
    best = np.flatnonzero(column >= column.max() - 1e-12)
    real = float(np.array(after.inputs["rows"])[:, 1].max())
    return [{"panel": 0, "row": row} for row in best.tolist()], (
        f"The largest number in dim 1 is {number(float(column.max()))}, that of the real rows {number(real)}: without "
        "the mask a row of zeros takes part like any other."
    )


def one_number(rng: np.random.Generator) -> Question:
    rows = rng.integers(-4, 5, size=(int(rng.integers(2, 4)), DIMS)) / 1.0
    n, dim = int(rng.integers(1, 4)), int(rng.integers(DIMS))
    fill, method = str(rng.choice(["zeros", "large"])), str(rng.choice(["mean", "max"]))

    def answer(before: Seen, after: Seen) -> Answer:
        column = np.array(after.numbers["hidden"])[:, dim]
        pooled = float(after.numbers["unmasked"][method][dim])
        if method == "max":
            return pooled, f"Over all {len(column)} rows, padding included, {number(pooled)} is the largest."
        return pooled, f"{number(float(column.sum()))} over {len(column)} rows, padding included, is {number(pooled)}."

    ask = f"Without the mask, what is the {method} of dim {dim}, to within 0.02?"
    state = {"rows": rows, "n_padding": n, "fill": fill, "method": method, "dim": dim, "nothing": False}
    return Question("A number without the mask", ask, answer, state, within=0.02, look=LOOK, cover=UNMASKED)


QUESTIONS = (
    Question(
        "Harmless zeros",
        "Two padding rows of zeros join. What becomes of the mean without the mask?",
        zeros,
        {"fill": "zeros", "n_padding": 0},
        {"n_padding": 2},
        ("shorter", "as long", "longer"),
        look=LOOK,
    ),
    Question(
        "Padding on the left",
        "The padding moves in front. Which method needs no mask then? Click its row on the right.",
        on_the_left,
        {"n_padding": 2, "nothing": False},
        {"side": "left"},
        click="pooled",
        look=LOOK,
    ),
    Question(
        "Half noise",
        "Half the rows are small noise. Which method lands furthest from its masked vector without the mask?",
        noise,
        {"fill": "noise", "n_padding": 6, "side": "right", "nothing": False},
        {},
        (*METHODS, SEVERAL),
        look=LOOK,
        cover=UNMASKED,
    ),
    Question(
        "Nothing to pool",
        "The mask hides every row. What is the mean with the mask on this page then?",
        nothing,
        {},
        {"nothing": True},
        ("a vector of zeros", "the same as before", "no vector at all"),
        look=LOOK,
    ),
    Question(
        "Who has the maximum",
        "The padding is a row of zeros. Without the mask, which row gives dim 1 its maximum? Click it.",
        largest,
        {"fill": "zeros", "n_padding": 1, "side": "right", "method": "max", "dim": 1},
        click="pooled",
        look=LOOK,
        cover=UNMASKED,
    ),
    Endless("A number without the mask", one_number),
)
