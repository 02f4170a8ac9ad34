"""What can be predicted of attention, heads, positions and masking worked by hand; then practice without end."""

import math

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number

PRACTICE = {  # the kinds that are drawn by chance, and how many numbers answer each
    "Scores": 4,
    "Scaled scores": 3,
    "Softmax": 3,
    "Attention weights": 3,
    "Attention output": 2,
    "Positional encoding": 1,
    "A masked row": 4,
    "Parameters of a block": 1,
    "Layer norm of a row": 4,
    "Cross-entropy of a row": 1,
    "Two heads": 2,
}
PLACES = ("first", "second", "third", "fourth")


def own_weights(before: Seen, after: Seen) -> Answer:
    weights = np.asarray(after.numbers["weights"])[0]
    row = int(weights.argmax())
    return {"panel": 2, "row": row}, (
        f"Word 0 gives word {row} the weight {number(weights[row])}, the most it gives: what comes out is made of the "
        "rows of V by these weights."
    )


def rounded(before: Seen, after: Seen) -> Answer:
    was, now = 1 / (1 + math.exp(-1 / math.sqrt(2))), float(np.asarray(after.numbers["weights"])[0, 0])
    return was - now, (
        f"The weight goes from {number(was)} to {number(now)}. The text prints 0.668 for 0.670: it rounded before the "
        "last step."
    )


def slowest_pair(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["sine"]) for seen in (before, after))
    return now, (
        f"At position {after.inputs['pos']} it has turned by {number(float(after.numbers['angle']))} radians in all: "
        f"the sine of that is {number(now)} ({number(was)} before)."
    )


def first_word(before: Seen, after: Seen) -> Answer:
    weight, score = (np.asarray(after.numbers[name])[0] for name in ("weights", "masked"))
    n = int(np.isfinite(score).sum())
    now = float(weight[0])
    if n == 1:
        return now, f"Query 0 sees {n} key alone: softmax of a single score is {number(now)}, whatever the score."
    return now, f"Query 0 sees {n} of {len(score)} keys, the last query standing at the last key: {number(now)}."


def silenced(before: Seen, after: Seen) -> Answer:
    maps, out = (np.abs(np.subtract(after.numbers[n], before.numbers[n])).max() for n in ("weights", "out"))
    right = "the maps" if maps > 1e-9 else "only the output" if out > 1e-9 else "neither"
    return right, (
        f"The maps change by {number(float(maps))} at most, the output by {number(float(out))}: a silent head still "
        "looks, but adds nothing."
    )


def practised(rng: np.random.Generator) -> Question:
    title = str(rng.choice(list(PRACTICE)))
    seed, place = int(rng.integers(1_000_000)), int(rng.integers(PRACTICE[title]))
    one = PRACTICE[title] == 1

    def answer(before: Seen, after: Seen) -> Answer:
        numbers = np.ravel(after.numbers["answer"])
        if title == "Parameters of a block":
            return int(numbers[0]), f"They are {int(numbers[0]):,}: beside this stands every step of the way there."
        told = ", ".join(map(number, numbers.tolist()))
        return float(numbers[place]), f"The answer is {told}: beside this stands every step of the way there."

    what = "the answer" if one else f"the {PLACES[place]} number of the answer, read row by row"
    state = {"part": "Practice", "kind": title, "seed": str(seed)}
    return Question(
        title,
        f"The question is beside this. What is {what}, to within 0.001?",
        answer,
        state,
        {},
        within=0.001,
        look=("given",),
    )


QUESTIONS = (
    Question(
        "Weights of your own",
        "Each word is made to attend to the other one only. Which row of V comes out for word 0? Click it.",
        own_weights,
        {"part": "Attention", "own_weights": "0 1\n1 0"},
        click="qkv",
        look=("qkv", "steps"),
        cover=("steps",),
    ),
    Question(
        "A rounded step",
        "The course's text rounds a scaled score of 0.7071 to 0.7; the other one is 0. How much does the first weight "
        "lose, to within 0.001?",
        rounded,
        {"part": "Attention", "own_scaled": "0.7 0\n0 0"},
        within=0.001,
        look=("steps",),
        cover=("steps.3 Weights", "steps.4 Output"),
    ),
    Question(
        "A silent head",
        "Head 1 falls silent. What changes?",
        silenced,
        {"part": "Heads"},
        {"silent": ["head 1"]},
        ("the maps", "only the output", "neither"),
        look=("maps", "mixed"),
    ),
    Question(
        "The slowest pair",
        "The last pair of 512 columns turns slowest. How far has its sine got at position 40, to within 0.05?",
        slowest_pair,
        {"part": "Positions", "d_model": "512", "i": "255", "pos": 0},
        {"pos": 40},
        within=0.05,
        look=("waves",),
        cover=("waves",),
    ),
    Question(
        "The first word of a decoder",
        "Later keys are at −∞. Which weight does query 0 give key 0?",
        first_word,
        {"part": "Masking", "token": "0"},
        {},
        within=0.001,
        look=("mask",),
        cover=("mask.After: softmax",),
    ),
    Endless("Practice", practised),
)
