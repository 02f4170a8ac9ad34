"""What can be predicted of two measures: an offset and its cure, a long vector, a nearest neighbour, one cosine."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import number, together

NAMES = [f"v{i}" for i in range(8)]
PAIRS = ("similarity",)
SIGNS = ("negative", "about 0", "positive")
KINDS = ((1, 1, 1, 1), (2, 0, 0, 0), (2, 2, 1, 0), (0, 3, 0, 0), (2, 2, 2, 2), (0, 3, 4, 0), (4, 2, 2, 1), (1, 0, 0, 0))


def sign(value: float) -> str:
    return SIGNS[1] if abs(value) < 0.1 else SIGNS[0 if value < 0 else 2]


def lowest(seen: Seen) -> float:
    """The lowest cosine of two different vectors."""
    return float(np.where(np.eye(8, dtype=bool), np.inf, seen.numbers["cosines"]).min())


def without_offset(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["between"]) for seen in (before, after))
    return sign(now), (
        f"The mean cosine between the clusters goes from {number(was)} to {number(now)}: the offset had added the same "
        "part to all eight."
    )


def large_offset(before: Seen, after: Seen) -> Answer:
    was, now = lowest(before), lowest(after)
    right = "below 0" if now < 0 else "from 0 to 0.5" if now <= 0.5 else "above 0.5"
    return right, (
        f"The lowest goes from {number(was)} to {number(now)}: an offset of 5 adds the same long part to all eight, "
        "and a cosine sees directions only."
    )


def mean_taken_out(before: Seen, after: Seen) -> Answer:
    was, now = (float(seen.numbers["between"]) for seen in (before, after))
    return sign(now), (
        f"The mean cosine between the clusters goes from {number(was)} to {number(now)}: the mean vector holds the "
        "whole offset and takes it along."
    )


def followers(seen: Seen, measure: str) -> int:
    """How many vectors have the chosen one as their nearest."""
    return int((np.asarray(seen.numbers[measure]) == seen.inputs["row"]).sum())


def long_vector(before: Seen, after: Seen) -> Answer:
    (dot, dot_now), (cosine, cosine_now) = (
        [followers(seen, by) for seen in (before, after)] for by in ("by_dot", "by_cosine")
    )
    return dot_now, (
        f"It is the nearest of {dot_now} by dot product ({dot} before), and of {cosine_now} by cosine ({cosine} "
        "before): its length multiplies every dot product and leaves every cosine."
    )


def nearest(before: Seen, after: Seen) -> Answer:
    cosines, dots = (np.array(after.numbers[name]) for name in ("cosines", "dots"))
    there = [i for i in range(8) if i != 3 and after.numbers["X"][i].any() and after.numbers["X"][3].any()]
    best = max((cosines[3, i] for i in there), default=0.0)
    tied = [i for i in there if cosines[3, i] >= best - 1e-12]
    by_dot = int(after.numbers["by_dot"][3])
    if not tied:
        return {"panel": 1, "row": -1}, "v3 has length 0.000, and with it no cosine and no neighbour."
    return [{"panel": 2, "row": 3, "column": i} for i in tied], (
        f"By cosine {together(NAMES[i] for i in tied)}, {number(best)}; by dot product {NAMES[by_dot]}, "
        f"{number(dots[3, by_dot])}, where its own length counts too."
    )


def one_cosine(rng: np.random.Generator) -> Question:
    vectors = np.array([rng.permutation(one) * rng.choice([-1, 1], size=4) for one in rng.permutation(KINDS)]) + 0.0
    row, other = (int(i) for i in rng.choice(8, size=2, replace=False))

    def answer(before: Seen, after: Seen) -> Answer:
        dots, cosine = np.array(after.numbers["dots"]), float(after.numbers["cosines"][row, other])
        lengths = [number(float(np.sqrt(dots[i, i]))) for i in (row, other)]
        return cosine, f"{number(dots[row, other])} over {lengths[0]} times {lengths[1]} is {number(cosine)}."

    ask = f"The diagonal holds each vector's squared length. How large is the cosine of {NAMES[row]} and {NAMES[other]}"
    state = {"vectors": vectors, "offset": 0.0, "row": NAMES[row], "column": NAMES[other], "factor": 1.0}
    ask, state = f"{ask}, to within 0.02?", state | {"centre": False}
    return Question("A cosine from dot products", ask, answer, state, within=0.02, look=PAIRS, cover=HIDDEN)


HIDDEN = ("similarity.Cosines",)
QUESTIONS = (
    Question(
        "No offset",
        "The offset of 1 goes. Which sign has the mean cosine between the clusters then?",
        without_offset,
        {"centre": False},
        {"offset": 0.0},
        SIGNS,
        look=PAIRS,
    ),
    Question(
        "A large offset",
        "Every number of every vector gets 5 more. How low is the lowest of all cosines then?",
        large_offset,
        {"offset": 0.0, "centre": False},
        {"offset": 5.0},
        ("below 0", "from 0 to 0.5", "above 0.5"),
        look=PAIRS,
    ),
    Question(
        "The mean subtracted",
        "The mean of the eight is subtracted from each. Which sign has the mean cosine between the clusters then?",
        mean_taken_out,
        {"offset": 5.0},
        {"centre": True},
        SIGNS,
        look=PAIRS,
    ),
    Question(
        "One long vector",
        "v1 grows to five times its length. Of how many others is it then the nearest by dot product?",
        long_vector,
        {"offset": 0.0, "row": "v1", "centre": False},
        {"factor": 5.0},
        within=0.001,
        look=("neighbours", "similarity"),
    ),
    Question(
        "The nearest by cosine",
        "Which vector is nearest to v3 by cosine? Click its cell in the row of v3.",
        nearest,
        {"offset": 1.0, "centre": False, "factor": 1.0, "row": "v3", "column": "v3"},
        click="similarity",
        look=PAIRS,
    ),
    Endless("A cosine from dot products", one_cosine),
)
