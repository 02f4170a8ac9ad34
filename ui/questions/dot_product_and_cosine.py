"""What can be predicted of two vectors: a right angle, head on, two lengths, no direction, a measure by a short sum."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.seen import Seen
from ui.words import number

SAME = 1e-9
ANGLES = {0: "1", 30: "0.87", 60: "0.5", 90: "0", 120: "−0.5", 150: "−0.87", 180: "−1"}  # and their cosines


def shadow(seen: Seen) -> float:
    """How long the projection is, the rounding error of a right angle taken out."""
    return round(float(np.hypot(*seen.numbers["projection"])), 9)


def measures(seen: Seen) -> tuple[float, float]:
    """Dot product and cosine, without the rounding error of a right angle."""
    dot, cosine = (round(float(seen.numbers[name]), 9) + 0.0 for name in ("dot", "cosine"))
    return dot, cosine


def right_angle(before: Seen, after: Seen) -> Answer:
    was, now = shadow(before), shadow(after)
    dot, cosine = measures(after)
    return now, (
        f"The shadow goes from {number(was)} to {number(now)}, and with it the dot product is {number(dot)} and the "
        f"cosine {number(cosine)}."
    )


def head_on(before: Seen, after: Seen) -> Answer:
    (was, _), (now, cosine) = measures(before), measures(after)
    lengths = f"{after.inputs['length_a']:g} · {after.inputs['length_b']:g}"
    return now, (
        f"The dot product goes from {number(was)} to {number(now)}: the lengths, {lengths}, times the cosine, "
        f"{number(cosine)}, which is never below −1."
    )


def longer(before: Seen, after: Seen) -> Answer:
    (dot, cosine), (dot_now, cosine_now) = measures(before), measures(after)
    moved = (abs(dot_now - dot) > SAME, abs(cosine_now - cosine) > SAME)
    right = {(True, False): "the dot product", (False, True): "the cosine", (True, True): "both"}.get(moved, "neither")
    return right, (
        f"The dot product goes from {number(dot)} to {number(dot_now)}, for it holds both lengths; the cosine, divided "
        f"by them, from {number(cosine)} to {number(cosine_now)}."
    )


def no_direction(before: Seen, after: Seen) -> Answer:
    was, now = before.numbers["angle"], after.numbers["angle"]
    right = "there is none" if now is None else "0°" if now < SAME else "90°" if abs(now - 90) < SAME else "another"
    told = [f"{one:.1f}°" if one is not None else "none" for one in (was, now)]
    return right, (
        f"The angle goes from {told[0]} to {told[1]}: a vector of length {after.inputs['length_a']:g} "
        f"points {'nowhere, and its cosine would be 0 divided by 0' if now is None else 'somewhere'}."
    )


def by_a_sum(rng: np.random.Generator) -> Question:
    length_a, length_b = (int(n) for n in rng.integers(1, 5, size=2))
    apart, angle_b = int(rng.choice([*ANGLES])), 10 * int(rng.integers(18))
    asked = str(rng.choice(["dot product", "projection of a on b"]))

    def answer(before: Seen, after: Seen) -> Answer:
        a, b, cosine = after.inputs["length_a"], after.inputs["length_b"], measures(after)[1]
        if asked == "dot product":
            return (
                measures(after)[0],
                f"{a:g} · {b:g} · cos = {a:g} · {b:g} · {number(cosine)} = {number(measures(after)[0])}.",
            )
        return (
            shadow(after),
            f"{a:g} · |cos| = {a:g} · {number(abs(cosine))} = {number(shadow(after))}: the length of b plays no part.",
        )

    measure = "large is the dot product" if asked == "dot product" else "long is the projection of a on b"
    ask = f"a is {length_a} long, b {length_b}; they are {apart}° apart (cosine {ANGLES[apart]}). How {measure}, "
    state = {"angle_a": angle_b + apart, "angle_b": angle_b, "length_a": float(length_a), "length_b": float(length_b)}
    look = ("arrows",) if asked == "dot product" else ("cosine",)  # the arrows draw the projection
    return Question("A measure by a short sum", f"{ask}to within 0.1?", answer, state, within=0.1, look=look)


QUESTIONS = (
    Question(
        "A right angle",
        "a turns until it stands at a right angle to b. How long is its shadow on b, the projection, then?",
        right_angle,
        {"angle_b": 20, "angle_a": 75},
        {"angle_a": 110},
        within=0.001,
        look=("arrows",),
    ),
    Question(
        "Head on",
        "a, 3 long, turns until it points straight against b, 3.5 long. How low does the dot product fall?",
        head_on,
        {"angle_b": 20, "length_a": 3.0, "length_b": 3.5},
        {"angle_a": 200},
        within=0.01,
        look=("dot", "arrows"),
        cover=("dot",),
    ),
    Question(
        "Long and askew",
        "b grows to four times its length, at the angle it has. Which number changes?",
        longer,
        {"angle_a": 100, "length_a": 4.0, "length_b": 1.0},
        {"length_b": 4.0},
        ("the dot product", "the cosine", "both", "neither"),
        look=("dot", "cosine", "arrows"),
    ),
    Question(
        "No direction",
        "a shrinks to length 0. What is its angle to b then?",
        no_direction,
        {},
        {"length_a": 0.0},
        ("0°", "90°", "there is none", "another"),
        look=("arrows",),
    ),
    Endless("A measure by a short sum", by_a_sum),
)
