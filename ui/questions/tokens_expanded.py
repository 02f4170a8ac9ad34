"""What can be predicted of a feed-forward layer: no activation, what ReLU takes, a bias, the width."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import counted, number

ENOUGH = 0.1  # an error below it follows a curve by eye
OPEN = {"activation": "relu", "bias": 0.0}


def one_layer(before: Seen, after: Seen) -> Answer:
    was, now = (number(round(float(seen.numbers["difference"]), 9)) for seen in (before, after))
    why = "x·W₁·W₂ is x·(W₁·W₂), so two layers without an activation are one"
    return round(float(after.numbers["difference"]), 9), f"{why}: the largest difference goes from {was} to {now}."


def still_speak(before: Seen, after: Seen) -> Answer:
    was, now = (int((seen.numbers["activated"] > 0).sum()) for seen in (before, after))
    top = [number(float(seen.numbers["hidden"].max())) for seen in (before, after)]
    why = f"ReLU lets through what is above 0, and the largest h goes from {top[0]} to {top[1]}"
    return now, f"{why}: {was} hidden numbers spoke, {now} speak now."


def never_bends(before: Seen, after: Seen) -> Answer:
    was, now = (round(float(seen.numbers["difference"]), 9) for seen in (before, after))
    low = [number(float(seen.numbers["hidden"].min())) for seen in (before, after)]
    right = "not at all" if now == 0 else "less" if now < was else "as far" if now == was else "farther"
    why = f"ReLU changes what is below 0; the lowest h goes from {low[0]} to {low[1]}"
    return right, f"{why}, the difference from {number(was)} to {number(now)}."


def wide_enough(before: Seen, after: Seen) -> Answer:
    errors = after.numbers["errors"]
    first = next((i for i, error in enumerate(errors) if error < ENOUGH), None)
    if first is None:
        return "more than 16", f"Even 32 units leave an error of {number(min(errors))}; 4 leave {number(errors[0])}."
    fewer = f"4 fewer leave {number(errors[first - 1])}" if first else "and fewer were not tried"
    left = number(errors[first]) if errors[first] >= 1e-6 else "less than 10⁻⁶"
    right = str(4 * (first + 1)) if first < 4 else "more than 16"
    why = f"{4 * (first + 1)} units are the first to do it, each a bend of its own"
    return right, f"{why}: they leave an error of {left}, {fewer}."


def taken(before: Seen, after: Seen) -> Answer:
    hidden, activated = after.numbers["hidden"][1], after.numbers["activated"][1]
    losses = activated - hidden
    most = np.flatnonzero(losses > losses.max() - 1e-9)
    unit = int(most[0])
    right = [{"panel": 1, "row": 1, "column": tied} for tied in most.tolist()]
    why = f"ReLU turns h{unit} = {number(float(hidden[unit]))} of t1 into {number(float(activated[unit]))}"
    alike = f", as much as it takes from {counted(len(most) - 1, 'other', 'others')}" if len(most) > 1 else ""
    return right, f"{why}: it takes {number(float(losses[unit]))}{alike}, and from no number more."


def drawn(rng: np.random.Generator) -> Question:
    token, unit = int(rng.integers(4)), int(rng.integers(16))
    bias = float(rng.choice([-8, -6, -5, -4, -3, -2, 2, 3, 4, 5, 6, 8])) / 10

    def answer(before: Seen, after: Seen) -> Answer:
        was, now = (float(seen.numbers["hidden"][token, unit]) for seen in (before, after))
        out = float(after.numbers["activated"][token, unit])
        return out, f"h{unit} of t{token} goes from {number(was)} to {number(now)}, and ReLU makes {number(out)} of it."

    ask = (
        f"Every hidden bias goes from 0 to {bias:g}. What does ReLU then make of h{unit} in row t{token}, to within "
        "0.05?"
    ).replace("-", "−")
    state = OPEN | {"expansion": 4, "token": token, "unit": str(unit)}
    return Question("Bias, then ReLU", ask, answer, state, {"bias": bias}, within=0.05, look=("layers",))


QUESTIONS = (
    Question(
        "No activation",
        "Take the activation away. By how much do the two layers then differ from the one layer W₁·W₂, at most?",
        one_layer,
        OPEN,
        {"activation": "identity"},
        within=0.001,
        look=("layers", "collapse"),
    ),
    Question(
        "What ReLU takes",
        "Here is h. ReLU comes next: click the h of row t1 that it changes most.",
        taken,
        OPEN | {"token": 1},
        click="layers",
        look=("layers",),
        cover=("layers.3", "layers.4"),
    ),
    Question(
        "Everything silent",
        "Every hidden bias falls to −2. How many numbers of a are then not 0?",
        still_speak,
        OPEN,
        {"bias": -2.0},
        within=0.4,
        look=("layers",),
    ),
    Question(
        "A ReLU that never bends",
        "Every hidden bias rises to 2. How far are the two layers then from one?",
        never_bends,
        OPEN,
        {"bias": 2.0},
        ("not at all", "less", "as far", "farther"),
        look=("layers", "collapse"),
    ),
    Question(
        "Width for two bumps",
        "4 units miss the two bumps. How many bring the error of the best fit below 0.1?",
        wide_enough,
        {"expansion": 1, "curve": "two bumps"},
        {},
        ("4", "8", "12", "16", "more than 16"),
        look=("fit", "errors"),
        cover=("errors",),
    ),
    Endless("Bias, then ReLU", drawn),
)
