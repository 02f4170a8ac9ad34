"""What can be predicted of three norms: a faint row, with ε and without, a large ε, a loud row, a γ, a number."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number, power

NORMS, AFTER = ("norms",), ("norms.Layer", "norms.Batch", "norms.RMS")


def left(seen: Seen, row: int) -> float:
    """The variance that layer norm leaves in a row, before γ."""
    return float(seen.numbers["left"][row])


def faint(before: Seen, after: Seen) -> Answer:
    was, now = left(before, 0), left(after, 0)
    variance = number(float(after.numbers["row_variance"][0, 0]))
    right = "yes" if now > 0.9 else "no, to less"
    why = f"it is divided by √(σ² + ε), with σ² = {variance} beside ε = {power(after.inputs['eps'])}"
    return right, f"Its variance before γ was {number(was)} and is {number(now)}: {why}."


def without_eps(before: Seen, after: Seen) -> Answer:
    was, now = left(before, 0), left(after, 0)
    return (
        now,
        f"Its variance before γ was {number(was)} and is {number(now)}: σ² / (σ² + 0) is 1, however small σ² is.",
    )


def least(before: Seen, after: Seen) -> Answer:
    kept, variances = after.numbers["left"], after.numbers["row_variance"][:, 0]
    alike = np.flatnonzero(kept <= kept.min() + 1e-12).tolist()
    row = alike[0]
    others = number(float(np.delete(kept, row).min()))
    kept_it = number(float(kept[row]))
    why = f"its variance {number(float(variances[row]))} is the smallest beside ε = {power(after.inputs['eps'])}"
    return [{"row": tied} for tied in alike], f"Row {row} keeps {kept_it}, the next {others}, before γ: {why}."


def loud(before: Seen, after: Seen) -> Answer:
    was, now = (float(np.ptp(seen.numbers["batch"][:3, 0])) for seen in (before, after))
    right = "yes" if now < was - 1e-9 else "no"
    variances = " to ".join(number(float(seen.numbers["column_variance"][0, 0])) for seen in (before, after))
    return (
        right,
        f"They lay within {number(was)}, now within {number(now)}: the column's variance, which all share, goes from "
        f"{variances}.",
    )


def twice(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["layer"][1].var()) for seen in (before, after))
    gamma = number(after.inputs["gamma"])
    return now, f"γ = {gamma} multiplies every number, so the variance by γ²: {number(was)} before, {number(now)} now."


def by_hand(rng: np.random.Generator) -> Question:
    norm, r, c = str(rng.choice(["Layer", "Batch"])), int(rng.integers(4)), int(rng.integers(8))
    x = np.round(rng.normal(scale=2, size=(4, 8)), 1) + 0.0

    def answer(before: Seen, after: Seen) -> Answer:
        side = "row" if norm == "Layer" else "column"
        at = (r, 0) if norm == "Layer" else (0, c)
        mean, variance = (float(after.numbers[f"{side}_{what}"][at]) for what in ("mean", "variance"))
        out, own = float(after.numbers[norm.lower()][r, c]), number(float(after.inputs["x"][r, c]))
        told = f"({own} − ({number(mean)})) / √{number(variance)}"
        return out, f"Mean and variance are those of the {side}: {told}, with γ and β as they stand, is {number(out)}."

    ask = f"Which number does {norm.lower()} norm make of row {r}, column {c}, to within 0.1?"
    state = {"x": x, "row": r, "column": c, "norm": norm}
    return Question("A cell by hand", ask, answer, state, within=0.1, look=NORMS, cover=AFTER)


QUESTIONS = (
    Question(
        "A faint row",
        "Row 0 shrinks to a thousandth, beside ε = 1e-5. Does layer norm still bring its variance to within 0.1 of 1?",
        faint,
        {"row": 0, "eps": "1e-5"},
        {"scale": "0.001"},
        ("yes", "no, to less"),
        look=NORMS,
    ),
    Question(
        "Faint, without ε",
        "The same faint row, and ε becomes 0. Which variance does layer norm leave it now, to within 0.1?",
        without_eps,
        {"row": 0, "scale": "0.001"},
        {"eps": "0"},
        within=0.1,
        look=NORMS,
    ),
    Question(
        "ε = 1",
        "Beside ε = 1, which row keeps the least of its variance under layer norm? Click on one of its numbers.",
        least,
        {"eps": "1"},
        click="norms",
        look=NORMS,
        cover=AFTER,
    ),
    Question(
        "One loud row",
        "Row 3 gets ten times louder. Does batch norm draw the others in f0 together?",
        loud,
        {"row": 3, "norm": "Batch", "column": 0},
        {"scale": "10"},
        ("yes", "no"),
        look=NORMS,
    ),
    Question(
        "Twice γ",
        "γ goes from 1 to 2. Which variance does row 1 have after layer norm then, to within 0.1?",
        twice,
        {"row": 1},
        {"gamma": 2.0},
        within=0.1,
        look=NORMS,
    ),
    Endless("A cell by hand", by_hand),
)
