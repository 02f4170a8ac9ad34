"""What can be predicted of dropout: the sum without its factor, the scatter, evaluation, nothing kept, a kept one."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import counted, noise, number

BOTH, MASKS = ("masks", "sums"), ("masks",)
OPEN = {"p": 0.4, "training": True, "scaled": True}


def without_factor(before: Seen, after: Seen) -> Answer:
    x = np.asarray(after.inputs["x"])
    was, now = (noise(seen.numbers["expectation"], abs(x).sum()) for seen in (before, after))
    total = noise(float(x.sum()), abs(x).sum())
    why = f"Each activation is kept with probability {1 - after.inputs['p']:g}, and nothing makes up for the others"
    return (
        float(after.numbers["expectation"]),
        f"{why}: {now} is expected, {was} with the factor. Evaluation gives {total}.",
    )


def scatter(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["deviation"]) for seen in (before, after))
    if abs(now - was) < 1e-9:
        return "just as wide", f"σ is {number(now)} as before: a row of zeros has nothing to scatter."
    right = "narrower" if now < was else "up to twice as wide" if now <= 2 * was else "wider still"
    factors = [number(1 / (1 - seen.inputs["p"])) for seen in (before, after)]
    why = f"Few are kept, each times {factors[1]} in place of {factors[0]}"
    return right, f"{why}: σ goes from {number(was)} to {number(now)}."


def in_evaluation(before: Seen, after: Seen) -> Answer:
    was, now = (int((~seen.numbers["keep"]).any(axis=1).sum()) for seen in (before, after))
    x = np.asarray(after.inputs["x"])
    why = f"In training {was} of 8 rows had holes, in evaluation {now} of 8: there nothing is dropped, nothing scaled"
    return now, f"{why}, and each sums to {noise(float(x.sum()), abs(x).sum())}."


def nothing_kept(before: Seen, after: Seen) -> Answer:
    was, now = (noise(float(seen.numbers["out"][0].sum()), 1.0) for seen in (before, after))
    why = "All ten are dropped, and no factor brings zeros back"
    return float(after.numbers["out"][0].sum()), f"{why}: the sum under mask 1 goes from {was} to {now}."


def largest_sum(before: Seen, after: Seen) -> Answer:
    sums, kept = after.numbers["out"].sum(axis=1), after.numbers["keep"].sum(axis=1)
    most = np.flatnonzero(sums > sums.max() - 1e-9)
    best = int(most[0])
    right = [{"row": row + 1} for row in most.tolist()]
    alike = f", and so does {counted(len(most) - 1, 'other mask', 'other masks')}" if len(most) > 1 else ""
    why = f"Mask {best + 1} keeps {kept[best]} of 10 and sums to {number(float(sums[best]))}{alike}"
    return right, f"{why}; without dropout the row sums to {number(float(np.sum(after.inputs['x'])))}."


def drawn(rng: np.random.Generator) -> Question:
    p, cell = float(rng.choice([0.2, 0.25, 0.5, 0.6, 0.75, 0.8, 0.9])), int(rng.integers(10))

    def answer(before: Seen, after: Seen) -> Answer:
        x, share = float(after.inputs["x"][cell]), float(after.inputs["p"])
        kept = x / (1 - share) if share < 1 else 0.0
        why = f"What is kept is divided by 1 − p = {number(1 - share)}"
        return kept, f"{why}: {number(x)} becomes {number(kept)}, so that on average {number(x)} is left."

    ask = f"p goes from 0 to {p:g}. What does a{cell} become where a mask keeps it, to within 0.05?"
    state = OPEN | {"p": 0.0, "cell": cell, "seed": int(rng.integers(100))}
    return Question("A kept activation", ask, answer, state, {"p": p}, within=0.05, look=MASKS)


QUESTIONS = (
    Question(
        "Without the factor",
        "The kept ones are scaled no more. Which sum is expected in training then, to within 0.1?",
        without_factor,
        OPEN,
        {"scaled": False},
        within=0.1,
        look=BOTH,
    ),
    Question(
        "The largest sum",
        "The sums are covered. Click a cell of the mask whose row sums to most.",
        largest_sum,
        OPEN | {"seed": 30},  # others keep more, and smaller ones
        click="masks",
        look=MASKS,
        cover=("masks.Sum",),
    ),
    Question(
        "Nine in ten dropped",
        "p goes from 0.4 to 0.9. How widely do the sums scatter then?",
        scatter,
        OPEN,
        {"p": 0.9},
        ("narrower", "just as wide", "up to twice as wide", "wider still"),
        look=BOTH,
    ),
    Question(
        "Evaluation",
        "Training is over. How many of the eight masks still drop something?",
        in_evaluation,
        OPEN,
        {"training": False},
        within=0.4,
        look=MASKS,
    ),
    Question(
        "Everything dropped",
        "At p = 1 the factor would be 1 / 0. What does every row sum to?",
        nothing_kept,
        OPEN,
        {"p": 1.0},
        within=0.001,
        look=MASKS,
    ),
    Endless("A kept activation", drawn),
)
