"""What can be predicted of layer normalisation: what undoes it, a constant row, an outlier, a shift, a number."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number, power

STAGES, BOTH = ("stages",), ("stages", "numbers")
ROW = "5 -1 2 6 0 3"
SHAPES = ((1, 1, 1, -1, -1, -1), (5, 1, 1, -1, -1, -5), (7, 5, 1, -1, -5, -7))  # their deviations are 1, 3 and 5


def undone(before: Seen, after: Seen) -> Answer:
    gamma, beta = (float(after.inputs[name][0]) for name in ("gamma", "beta"))
    return (
        gamma,
        f"γ = √(σ² + ε) = {number(gamma)} multiplies by what the row was divided by; β = μ = {number(beta)} gives the "
        "mean back.",
    )


def constant(before: Seen, after: Seen) -> Answer:
    was, now = (float(abs(seen.numbers["normalized"]).max()) for seen in (before, after))
    left = float(abs(after.numbers["centred"]).max())
    why = f"the centred row holds {number(left)} at most, and that is divided by √(σ² + ε)"
    return now, f"The largest x̂ was {number(was)} and is {number(now)}: {why}."


def outlier(before: Seen, after: Seen) -> Answer:
    x = after.inputs["x"]
    far = int(abs(x - x.mean()).argmax())
    was, now = (float(np.ptp(np.delete(seen.numbers["normalized"], far))) for seen in (before, after))
    right = "closer together" if now < was - 1e-9 else "farther apart" if now > was + 1e-9 else "as far apart"
    deviations = " to ".join(number(float(seen.numbers["deviation"][0])) for seen in (before, after))
    return (
        right,
        f"The x̂ of the others lay within {number(was)}, now within {number(now)}: the deviation that divides all goes "
        f"from {deviations}.",
    )


def whisper(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["normalized"].var()) for seen in (before, after))
    variance, eps = (number(float(after.numbers["variance"][0])), power(after.inputs["eps"]))
    right = "yes" if round(now, 2) >= 1 else "no, it is less"
    return (
        right,
        f"σ² / (σ² + ε) is {number(was)} before and {number(now)} now, with σ² = {variance} beside ε = {eps}.",
    )


def shifted(before: Seen, after: Seen) -> Answer:
    apart = float(abs(after.numbers["normalized"] - before.numbers["normalized"]).max())
    means = " to ".join(number(float(seen.numbers["mean"][0])) for seen in (before, after))
    right = "no" if apart < 1e-9 else "yes"
    why = f"The mean goes from {means} with the row and is taken out: the largest change in x̂ is"
    return right, f"{why} {number(round(apart, 9))}."


def answers_most(before: Seen, after: Seen) -> Answer:
    slopes, i = after.numbers["slopes"], after.controls["feature"]
    most = int(abs(slopes).argmax())
    rest = float(np.delete(abs(slopes), most).max())
    why = (
        "its own x counts 1, less what it does to the mean and the deviation" if most == i else "γ or the rest stop it"
    )
    return (
        {"panel": 1, "column": most},
        f"x{most} moves y{i} most, by {number(float(slopes[most]))} a unit, the next by {number(rest)} in size: {why}.",
    )


def by_hand(rng: np.random.Generator) -> Question:
    shape, mean = SHAPES[int(rng.integers(len(SHAPES)))], int(rng.integers(-3, 4))
    row = [int(one) + mean for one in rng.permutation(shape)]
    one = int(rng.integers(6))

    def answer(before: Seen, after: Seen) -> Answer:
        hat, x = float(after.numbers["normalized"][one]), number(float(after.inputs["x"][one]))
        mean, deviation = (number(float(after.numbers[name][0])) for name in ("mean", "deviation"))
        return hat, f"({x} − ({mean})) / {deviation} = {number(hat)}: less the mean, over the deviation."

    values = ", ".join(map(str, row)).replace("-", "−")
    ask = f"The row is {values}. Which x̂ does x{one} get, to within 0.05?"
    state = {"row": " ".join(map(str, row)), "feature": one}
    return Question("A row by hand", ask, answer, state, within=0.05, look=BOTH, cover=BOTH)


QUESTIONS = (
    Question(
        "Undo it",
        "Some γ, the same for all six features, and some β bring back the row that came in. Which γ, to within 0.1?",
        undone,
        {},
        {"restore": True},
        within=0.1,
        look=BOTH,
    ),
    Question(
        "A constant row",
        "All six numbers become 4. How large is the largest x̂ then, to within 0.1?",
        constant,
        {"row": ROW},
        {"row": "4 4 4 4 4 4"},
        within=0.1,
        look=STAGES,
    ),
    Question(
        "One outlier",
        "x2 jumps from 2 to 40. Are the x̂ of the other five then closer together?",
        outlier,
        {"row": ROW},
        {"row": "5 -1 40 6 0 3"},
        ("closer together", "as far apart", "farther apart"),
        look=STAGES,
    ),
    Question(
        "A whisper of a row",
        "ε is 0.01, and the row shrinks to a twentieth. Is the variance of x̂ still 1, to two decimals?",
        whisper,
        {"eps": "0.01"},
        {"scale": 0.05},
        ("yes", "no, it is less"),
        look=STAGES,
    ),
    Question(
        "A shift of 2",
        "All six numbers get 2 more. Does any x̂ change?",
        shifted,
        {},
        {"shift": 2.0},
        ("yes", "no"),
        look=BOTH,
    ),
    Question(
        "Whom it answers to",
        "Raise one x a little. Which one moves y3 most, up or down? Click in its column of the covered matrix.",
        answers_most,
        {"feature": 3},
        click="numbers",
        look=BOTH,
        cover=("numbers.How y",),
    ),
    Endless("A row by hand", by_hand),
)
