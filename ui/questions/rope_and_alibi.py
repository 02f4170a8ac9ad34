"""What can be predicted of RoPE and ALiBi: a score moved along, a query that walks off, a slope, a penalty."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import number

TURNS, HOME = ("score", "pair0", "pair1"), 3.0  # degrees from where it was, which a hall takes for none
LOWER_TO_HIGHER = ("lower", "the same", "higher")


def scores(before: Seen, after: Seen) -> tuple[float, float]:
    return float(before.numbers["score"]), float(after.numbers["score"])


def compared(was: float, now: float) -> int:
    """0 for less, 1 for the same up to rounding, 2 for more."""
    return 0 if now < was - 1e-9 else 2 if now > was + 1e-9 else 1


def moved_together(before: Seen, after: Seen) -> Answer:
    was, now = scores(before, after)
    right = "no" if compared(was, now) == 1 else "yes"
    why = "both turn by the same angles, so the angles between them stay"
    return right, f"The score is {number(was)} before and {number(now)} now: {why}."


def walked_on(before: Seen, after: Seen) -> Answer:
    was, now = scores(before, after)
    near, far = (abs(seen.inputs["n"] - seen.inputs["m"]) for seen in (before, after))
    why = "it is a sum of waves of the offset, which rise and fall"
    return (
        LOWER_TO_HIGHER[compared(was, now)],
        f"At distance {near} the score is {number(was)}, at distance {far} it is {number(now)}: {why}.",
    )


def back_home(before: Seen, after: Seen) -> Answer:
    angles = (after.controls["shift"] - before.controls["shift"]) * after.inputs["base"] ** (-np.arange(2) / 2)
    off = np.degrees(abs((angles + np.pi) % (2 * np.pi) - np.pi))
    right = ("neither", "pair 1", "pair 0", "both")[2 * (off[0] < HOME) + (off[1] < HOME)]
    turns = [number(float(angle / 2 / np.pi), 2) for angle in angles]
    ends = f"ends {number(float(off[0]), 1)}° from where it was, pair 1 {number(float(off[1]), 1)}°"
    return right, f"Pair 0 makes {turns[0]} turns, pair 1 {turns[1]}: pair 0 {ends}."


def other_layout(before: Seen, after: Seen) -> Answer:
    was, now = scores(before, after)
    right = ("no", "yes", "no")[compared(was, now)]
    why = "the same numbers meet other partners and other speeds"
    ways = [seen.inputs["layout"] for seen in (before, after)]
    return right, f"The score is {number(was)} with “{ways[0]}” and {number(now)} with “{ways[1]}”: {why}."


def steepest(before: Seen, after: Seen) -> Answer:
    slopes = after.numbers["slopes"]
    best, n = int(slopes.argmax()), len(slopes)
    right = "the first" if best == 0 else "the last" if best == n - 1 else "one between"
    first, last = number(float(slopes[0]), 4), number(float(slopes[-1]), 4)
    power = 1 << (n.bit_length() - 1)
    filled = f"The released code takes the slopes of {power} heads, then fills up from those of {2 * power}"
    lead = f"{n} is a power of two, and one rule makes all slopes" if n == power else filled
    return right, f"{lead}: the first is {first}, the last {last}."


def most_weight(before: Seen, after: Seen) -> Answer:
    weights = after.numbers["weights"][7]
    best = int(weights.argmax())
    other = 7 if best == 1 else 1
    taken = number(6 * float(after.numbers["slopes"][after.inputs["head"]]))
    told = f"Key {best} gets {number(float(weights[best]))}, key {other} {number(float(weights[other]))}"
    why = f"the bias takes {taken} from the score of key 1, six places away, and nothing from that of key 7"
    return {"column": best}, f"{told}: {why}."


def penalty(rng: np.random.Generator) -> Question:
    heads = int(rng.choice([4, 8]))
    head, query = int(rng.integers(heads // 2 + 1)), int(rng.integers(2, 8))
    key = int(rng.integers(query))

    def answer(before: Seen, after: Seen) -> Answer:
        added, slope = float(after.numbers["bias"][query, key]), float(after.numbers["slopes"][after.inputs["head"]])
        places = query - key
        return added, f"The slope {number(slope, 4)} times the distance {places} is taken off: {number(added)}."

    ask = (
        f"The slope of the head stands over the first matrix. What does ALiBi add to the score of query {query} with "
        f"key {key}, to within 0.01?"
    )
    state = {"heads": heads, "head": str(head)}
    return Question("A penalty", ask, answer, state, within=0.01, look=("alibi",), cover=("alibi",))


QUESTIONS = (
    Question(
        "Move both",
        "Query and key both walk on by 20 places. Does their score change?",
        moved_together,
        {},
        {"shift": 20},
        ("yes", "no"),
        look=TURNS,
    ),
    Question(
        "Back on itself",
        "Both walk on by 44 places. A turn of pair 0 takes 6.3 places, one of pair 1 62.8: which pair's arrows come "
        "back to where they are?",
        back_home,
        {"base": "100"},
        {"shift": 44},
        ("neither", "pair 0", "pair 1", "both"),
        look=("pair0", "pair1"),
    ),
    Question(
        "Move only one",
        "The query walks on from 6 to 23, and the key stays at 2. Will their score be lower or higher?",
        walked_on,
        {"query": 6, "key": 2},
        {"query": 23},
        LOWER_TO_HIGHER,
        look=TURNS,
        cover=("score",),
    ),
    Question(
        "The other layout",
        "The same q and k, but d0 now turns with d2, and d1 with d3. Is the score the same?",
        other_layout,
        {},
        {"layout": "halves"},
        ("yes", "no"),
        look=TURNS,
    ),
    Question(
        "Three heads",
        "Of four heads the first is the steepest. Three is no power of two: which is the steepest of three?",
        steepest,
        {"heads": 4, "head": "2"},
        {"heads": 3},
        ("the first", "one between", "the last"),
        look=("slopes",),
    ),
    Question(
        "The loud key",
        "Without a bias key 1 gets most from query 7. Which key gets most of it with the bias? Click in its column.",
        most_weight,
        {"heads": 4, "head": "0"},
        click="alibi",
        look=("alibi",),
        cover=("alibi.Weights with it",),
    ),
    Endless("A penalty", penalty),
)
