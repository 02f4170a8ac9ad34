"""What can be predicted of the sinusoidal table: the pair that tells two rows apart, lengths, slow waves, a period."""

import numpy as np

from ui.page.ask import Answer, Endless, Question
from ui.run import Seen
from ui.words import counted, number

BASES = ("10", "100", "1,000", "10,000")
AS_IT_OPENS = {"width": 32, "base": "10,000", "layout": "pairs"}


def pair_of(column: int, seen: Seen) -> int:
    """The pair a column belongs to, in either order of the columns."""
    sines = -(-seen.inputs["d"] // 2)
    return column // 2 if seen.inputs["layout"] == "pairs" else column % sines


def told_apart(before: Seen, after: Seen) -> Answer:
    p, q = int(after.controls["position"]), int(after.controls["other_position"])
    gaps = abs(after.numbers["table"][p] - after.numbers["table"][q])
    widest = int(gaps.argmax())
    pair = pair_of(widest, after)
    turn = number(float(abs(p - q) / after.numbers["waves"][pair]), 2)
    fast = max(float(gap) for column, gap in enumerate(gaps) if pair_of(column, after) == 0)
    why = f"Positions {p} and {q} differ most in column {widest}, by {number(float(gaps[widest]))}"
    return {"x": pair}, f"{why}: they are {turn} turns of pair {pair} apart. In pair 0 they differ by {number(fast)}."


def equally_long(before: Seen, after: Seen) -> Answer:
    was, now = (seen.numbers["scores"].diagonal() for seen in (before, after))
    right = "yes" if np.ptp(now) < 1e-9 else "no"
    ends = " to ".join(dict.fromkeys(number(float(end)) for end in (now.min(), now.max())))
    before_it = " to ".join(dict.fromkeys(number(float(end)) for end in (was.min(), was.max())))
    lone = "; the last sine has no cosine to fill it up" if after.inputs["d"] % 2 else ""
    return right, f"Each whole pair adds sin² + cos² = 1{lone}. The squared lengths are {ends}, {before_it} before."


def slow(before: Seen, after: Seen) -> Answer:
    was, now = (int((seen.numbers["waves"] > seen.inputs["n"] - 1).sum()) for seen in (before, after))
    longest = number(float(after.numbers["waves"][-1]), 1)
    pairs = counted(len(after.numbers["waves"]), "pair", "pairs")
    why = f"The last pair takes {longest} positions for a turn, and the last position is {after.inputs['n'] - 1}"
    return now, f"{why}: {now} of {pairs} finish no turn; before it were {was}."


def at_the_start(before: Seen, after: Seen) -> Answer:
    value = float(after.numbers["table"][0, 1])
    function = "cosine" if after.inputs["layout"] == "pairs" else "sine"
    return value, f"Position 0 makes every angle 0, and the {function} of 0 is {number(value)}, at every base."


def period(rng: np.random.Generator) -> Question:
    base = str(rng.choice(BASES))
    waves = 2 * np.pi * float(base.replace(",", "")) ** (np.arange(16) / 16)
    pair = int(rng.choice(np.flatnonzero((waves > 8) & (waves < 32))))

    def answer(before: Seen, after: Seen) -> Answer:
        own = pair_of(int(after.controls["column"]), after)
        wave, power = float(after.numbers["waves"][own]), f"{2 * own}/{after.inputs['d']}"
        return (
            wave,
            f"A turn of pair {own} takes 2π · {after.inputs['base']:,}^({power}) = {number(wave, 1)} positions.",
        )

    ask = "Count from crest to crest: how many positions does one turn of these waves take, to within 2?"
    columns = {"column": str(2 * pair), "other_column": str(2 * pair + 1), "width": 32, "layout": "pairs"}
    state = {"positions": 64, "base": base, "position": "0", **columns}
    look, cover = ("waves", "table", "wavelengths"), ("table", "wavelengths")
    return Question("A wavelength by eye", ask, answer, state, within=2, look=look, cover=cover)


QUESTIONS = (
    Question(
        "Seven turns later",
        "From position 0 to 44 pair 0 makes almost exactly seven turns: its columns look the same. Which pair has the "
        "column that tells the two apart best?",
        told_apart,
        {"positions": 64, "position": "0", "other_position": "44", "column": "0", "other_column": "1"} | AS_IT_OPENS,
        {"column": "11"},
        click="wavelengths",
        look=("fingerprints", "wavelengths", "table"),
        cover=("fingerprints", "table"),
    ),
    Question(
        "An odd width",
        "The width goes from 16 to 15, and one sine loses its cosine. Are all rows still equally long?",
        equally_long,
        {"width": 16, "base": "10", "column": "14", "other_column": "13"},
        {"width": 15},
        ("yes", "no"),
        look=("table", "wavelengths"),
    ),
    Question(
        "A base of 10",
        "The base goes from 10,000 to 10: all wavelengths lie between 2π and 63 then. How many pairs finish no turn by "
        "the last position, to within 1?",
        slow,
        {"base": "10,000", "column": "30", "other_column": "16"},
        {"base": "10"},
        within=1,
        look=("wavelengths", "table"),
    ),
    Question(
        "Small enough to check",
        "Four positions, four columns. Which number stands at position 0 in column 1?",
        at_the_start,
        {"positions": 4, "width": 4, "position": "0", "other_position": "1", "column": "1", "other_column": "0"},
        within=0.001,
        look=("table", "fingerprints"),
        cover=("table", "fingerprints"),
    ),
    Endless("A wavelength by eye", period),
)
