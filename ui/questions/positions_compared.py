"""What can be predicted of three ways to tell positions: what an odd width breaks, what a swap changes, a score."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number

WAYS = {"PE·PEᵀ": "pe", "RoPE": "rope", "ALiBi": "alibi"}
BOTH, CURVES = ("curves", "matrices"), ("curves",)


def spread(scores: np.ndarray) -> float:
    """The largest spread along a diagonal; 0 where it is rounding."""
    n = len(scores)
    most = max(float(np.ptp(np.diagonal(scores, offset))) for offset in range(1 - n, n))
    return 0.0 if most < 1e-9 else most


def offset_alone(before: Seen, after: Seen) -> Answer:
    was, now = (spread(seen.numbers["pe"]) for seen in (before, after))
    even = "each pair of columns adds a cosine that only the offset sets"
    odd = "the lone last sine adds a product that depends on where the two stand"
    why = odd if after.inputs["d"] % 2 else even
    return (
        "no" if now else "yes",
        f"The largest spread at one offset is {number(was)} before and {number(now)} now: {why}.",
    )


def falls_apart(before: Seen, after: Seen) -> Answer:
    spreads = {way: spread(after.numbers[name]) for way, name in WAYS.items()}
    right = max(spreads, key=lambda way: spreads[way]) if any(spreads.values()) else "no curve"
    told = ", ".join(f"{way} {number(one)}" for way, one in spreads.items())
    pe = number(spread(before.numbers["pe"]))
    return right, f"Spread at one offset: {told}; before, the table's was {pe}. RoPE leaves the lone column out."


def swapped(before: Seen, after: Seen) -> Answer:
    place = lambda seen: (int(seen.controls["start"]), int(seen.controls["end"]))
    scores = {way: [float(seen.numbers[name][place(seen)]) for seen in (before, after)] for way, name in WAYS.items()}
    right = next((way for way, (was, now) in scores.items() if abs(now - was) > 1e-9), "no score")
    told = ", ".join(f"{way} from {number(was)} to {number(now)}" for way, (was, now) in scores.items())
    return right, f"{told}: only a turn has a direction; cosines and distances are the same both ways."


def same_cosines(before: Seen, after: Seen) -> Answer:
    was, now = (float(abs(seen.numbers["rope"] - seen.numbers["pe"]).max()) for seen in (before, after))
    lone = "all but the table's lone last sine" if after.inputs["d"] % 2 else "both add one cosine a pair"
    return now, f"They differ by {number(was)} at most before, by {number(round(now, 9))} now: {lone}."


def below_nought(before: Seen, after: Seen) -> Answer:
    scores = after.numbers["pe"][0]
    below = np.flatnonzero(scores < -1e-9)
    if not below.size:
        return 0, f"The lowest score seen from position 0 is {number(float(scores.min()))}: it never falls below 0."
    first = int(below[0])
    was = number(float(before.numbers["pe"][0, first]))
    return (
        first,
        f"At offset {first} it is {number(float(scores[first]))}, where it was {was}: faster waves cancel sooner.",
    )


def score_by_eye(rng: np.random.Generator) -> Question:
    way = str(rng.choice(list(WAYS)))
    start, end = (int(place) for place in rng.choice(32, 2, replace=False))

    def answer(before: Seen, after: Seen) -> Answer:
        score = float(after.numbers[WAYS[way]][start, end])
        offset = str(end - start).replace("-", "−")
        curve = "on one of the curves" if spread(after.numbers[WAYS[way]]) else "on the one curve"
        return score, f"The offset is {end} − {start} = {offset}: {curve} of {way} the score there is {number(score)}."

    ask = f"Read it off the curves: what does {way} score from position {start} to position {end}, to within 1?"
    state = {"positions": 32, "start": str(start), "end": str(start)}
    cover = ("matrices",)
    return Question("A score by eye", ask, answer, state, {"end": str(end)}, within=1, look=BOTH, cover=cover)


QUESTIONS = (
    Question(
        "An odd width",
        "The width goes from 16 to 15: the last sine loses its cosine. Does the table's score still depend on the "
        "offset alone?",
        offset_alone,
        {"width": 16},
        {"width": 15},
        ("yes", "no"),
        look=("spread", "matrices"),
        cover=("spread",),
    ),
    Question(
        "Odd, and made visible",
        "At base 10 a lone sine is fast. The width goes from 8 to 7: which curve falls apart into one for each start?",
        falls_apart,
        {"width": 8, "base": "10"},
        {"width": 7},
        (*WAYS, "no curve"),
        look=BOTH,
    ),
    Question(
        "There and back",
        "From position 13 to 18, five ahead; then from 13 to 8, five back. Which of the three scores changes?",
        swapped,
        {"start": "13", "end": "18", "width": 16},
        {"end": "8"},
        (*WAYS, "no score"),
        look=BOTH,
        cover=CURVES,
    ),
    Question(
        "The same cosines",
        "All entries of q and k become √½. By how much do RoPE's scores then differ from the table's, at most?",
        same_cosines,
        {},
        {"content": "all alike"},
        within=0.01,
        look=BOTH,
    ),
    Question(
        "A base of 10",
        "The base goes from 10,000 to 10. Seen from position 0, at which offset does the table's score first fall "
        "below 0, to within 2? Answer 0 for nowhere.",
        below_nought,
        {},
        {"base": "10"},
        within=2,
        look=BOTH,
    ),
    Endless("A score by eye", score_by_eye),
)
