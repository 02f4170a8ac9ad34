"""Endless practice: a question for every seed, and a check of what was typed that says what is wrong with it."""

import re
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.practice.kinds import KINDS
from engine.practice.solutions import Question, Slip, row

MAX_SEED = 2**32 - 1
TOLERANCE = 0.001  # room for three decimals and for a rounded step on the way
LONGEST = 2_000  # characters of an answer
COMMA = "Write decimals with a point, as in 0.25: a comma separates two numbers."


class Verdict(NamedTuple):
    """Whether the answer is right, the numbers read from it (None where it cannot be read), one sentence about it."""

    correct: bool
    values: np.ndarray | None
    message: str


def practice(kind: str, seed: int) -> Question:
    """The question of one kind that belongs to a seed, always the same one.

    kind: a key of `KINDS`; "document" is the question of the course's own text, whatever the seed. seed: a whole number
    from 0 to 2³² − 1. The answer is what the engine computes; arrays are read row by row.
    Raises ValueError for an unknown kind or seed.

    >>> question = practice("document", 0)
    >>> question.given["q"].tolist(), question.given["K"].tolist(), question.answer.round(4).tolist()
    ([1.0, 0.0], [[1.0, 1.0], [0.0, 1.0]], [0.6698, 0.3302])
    """
    checks.one_of("kind", kind, KINDS)
    seed = checks.integer("seed", seed, 0, MAX_SEED)
    return KINDS[kind].draw(np.random.default_rng([seed, list(KINDS).index(kind)]))


def check(question: Question, text: str) -> Verdict:
    """Read the numbers typed as an answer and compare each with the right one.

    Numbers stand apart by blanks, commas, semicolons or line ends; brackets are ignored. A number is right within
    `TOLERANCE`, so three decimals are enough. Whatever cannot be read gets a sentence, not an error.
    Raises ValueError only for a question that is none, or a text that is none.

    >>> question = practice("document", 0)
    >>> check(question, "0.670 0.330").correct, check(question, "0.668, 0.332").correct
    (True, False)
    >>> check(question, "0,670 0,330").message
    'Write decimals with a point, as in 0.25: a comma separates two numbers.'
    """
    checks.instance("question", question, Question, "what practice() returns")
    checks.instance("text", text, str, "what was typed, a text")
    right = _answer("question.answer", question.answer)
    for slip in checks.items("question.slips", question.slips, "slips"):
        checks.instance("a slip of question", slip, Slip, "a Slip, a known wrong answer and its message")
        checks.shape("a slip's answer", _answer("a slip's answer", slip.answer), right.shape, "as the right answer")
    values, complaint = _read(text, right)
    if values is None:
        return Verdict(False, None, complaint)
    with np.errstate(over="ignore"):
        wrong = np.flatnonzero(np.abs(values - right) > TOLERANCE)
    if not wrong.size:
        return Verdict(True, values, f"Right: {row(right)}.")
    if _decimal_commas(text, right) and re.search(r"[\s;]", text.strip()):
        return Verdict(False, None, COMMA)  # as many numbers as needed, but 0,670 0,330 was meant as two
    return Verdict(False, values, _known_slip(question, values) or _which_are_wrong(wrong, len(right)))


def _read(text: str, right: np.ndarray) -> tuple[np.ndarray | None, str]:
    """The numbers, or None and what keeps them from being read."""
    needed = "1 number is" if len(right) == 1 else f"{len(right)} numbers are"
    if len(text) > LONGEST:
        return None, f"That is too long to read: {needed} needed."
    plain = text.replace("−", "-").strip()
    if len(right) == 1 and right[0] == round(right[0]) and _THOUSANDS.fullmatch(plain):
        plain = re.sub(r"[,\s]", "", plain)
    words = re.split(r"[\s,;()\[\]{}]+", plain)
    words = [word for word in words if word]
    if not words:
        return None, f"Nothing to check yet: {needed} needed."
    for word in words:
        if not _NUMBER.fullmatch(word) or not np.isfinite(float(word)):
            return None, f"“{word[:20]}” is not a number I can read: write it as in 0.25 or −3."
    if len(words) != len(right):
        return None, COMMA if _decimal_commas(plain, right) else f"{needed} needed; got {len(words)}."
    return np.array(words, dtype=float), ""


def _answer(name: str, value) -> np.ndarray:
    """An answer, one number or several, as a vector read row by row."""
    return checks.array(name, value).reshape(-1)


def _decimal_commas(text: str, right: np.ndarray) -> bool:
    """Decimals are asked for, there is no point anywhere, and a comma stands between digits."""
    return bool((right != right.round()).any() and "." not in text and _COMMA_INSIDE.search(text))


def _known_slip(question: Question, values: np.ndarray) -> str:
    for slip in tuple(question.slips):
        if (np.abs(values - _answer("a slip's answer", slip.answer)) <= TOLERANCE).all():
            return f"Not yet. {slip.message}"
    return ""


def _which_are_wrong(wrong: np.ndarray, n: int) -> str:
    if n == 1:
        return f"Not yet: off by more than {TOLERANCE}."
    places = ", ".join(str(place + 1) for place in wrong)
    return f"Not yet: {n - len(wrong)} of {n} are right; look again at number {places}, read row by row."


_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,4})?")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}([,\s][0-9]{3})+")
_COMMA_INSIDE = re.compile("[0-9],[0-9]")
