"""What can be predicted of one attention: its first row, its scale, its padding, a loud key, a favourite."""

import numpy as np

from ui.labs.attention_matrix import K
from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import number

WORDS = ["The", "cat", "sat", "on", "the", "mat"]
LOUDER = K + 2.0 * np.outer(np.arange(6) == 1, np.arange(4) == 1)
LOOK, WEIGHTS = ("four",), ("four.Weights",)


def first_word(before: Seen, after: Seen) -> Answer:
    weights = after.numbers.weights[0]
    return float(
        weights[0]
    ), f"“The” sees one key, itself: softmax of a single number is {number(weights[0])}, whatever it is."


def without_scale(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers.weights[5].max()) for seen in (before, after))
    right = "sharper" if now > was + 1e-9 else "flatter" if now < was - 1e-9 else "the same"
    why = "scores twice as large lie twice as far apart, and softmax turns distances into ratios"
    return right, f"The largest weight of “mat” goes from {number(was)} to {number(now)}: {why}."


def all_padding(before: Seen, after: Seen) -> Answer:
    total = float(after.numbers.weights[2].sum())
    return total, f"Every key is masked: the weights of “sat” sum to {number(total)}, not to 1, and its output is 0."


def loud_key(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers.weights[3, 1]) for seen in (before, after))
    right = "more" if now > was + 1e-9 else "less" if now < was - 1e-9 else "the same"
    q = float(np.asarray(after.inputs["Q"])[3, 1])
    by = float(np.asarray(after.inputs["K"])[1, 1] - np.asarray(before.inputs["K"])[1, 1])
    return (
        right,
        f"“on” has {number(q)} in d1, so its score for “cat” moves by {number(by)} · {number(q)}: "
        f"{number(was)} before, {number(now)} now.",
    )


def favourite(row: int) -> Question:
    def answer(before: Seen, after: Seen) -> Answer:
        weights = after.numbers.weights[row]
        best = int(weights.argmax())
        return (
            WORDS[best],
            f"“{WORDS[row]}” gives “{WORDS[best]}” {number(float(weights[best]))}, the most of all keys: their "
            "score is the largest.",
        )

    ask = f"Look at the scores of “{WORDS[row]}”: which key will get most of its weight?"
    return Question(
        "The favourite",
        ask,
        answer,
        {"query": row, "key": "0", "causal": False},
        {},
        tuple(WORDS),
        look=LOOK,
        cover=WEIGHTS,
    )


def drawn(rng: np.random.Generator) -> Question:
    row, key = (int(i) for i in rng.integers(6, size=2))

    def answer(before: Seen, after: Seen) -> Answer:
        weight, score = (float(part[row, key]) for part in (after.numbers.weights, after.numbers.scaled))
        return (
            weight,
            f"e to the {number(score)} over the sum of e to all scores of “{WORDS[row]}” is {number(weight)}.",
        )

    ask = f"Which weight does “{WORDS[row]}” give to “{WORDS[key]}”, to within 0.1?"
    state = {"query": row, "key": str(key), "causal": False}
    return Question("A weight by eye", ask, answer, state, {}, within=0.1, look=LOOK, cover=WEIGHTS)


QUESTIONS = (
    Question(
        "The first word",
        "Under the causal mask, which weight does “The” give itself?",
        first_word,
        {"query": 0},
        within=0.001,
        look=LOOK,
        cover=WEIGHTS,
    ),
    Question(
        "Without √d_k",
        "Undivided, the scores are twice as large. Do the weights of “mat” get flatter or sharper?",
        without_scale,
        {"query": 5},
        {"scale": False},
        ("flatter", "the same", "sharper"),
        look=LOOK,
    ),
    Question(
        "All padding",
        "Six padding tokens: what do the weights of “sat” sum to then?",
        all_padding,
        {"query": 2},
        {"padding": 6},
        within=0.001,
        look=LOOK,
    ),
    Question(
        "One loud key",
        "Raise d1 of the key “cat” by 2. Does “on” give it more weight, or less?",
        loud_key,
        {"query": 3, "key": "1"},
        {"k": LOUDER},
        ("more", "the same", "less"),
        look=LOOK,
    ),
    favourite(1),
    Endless("A weight by eye", drawn),
)
