"""The sentences the model learns: typed a line each, read as ids, and where one beginning goes on in several ways."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ui.page import parse
from ui.words import shown

MOST_LINES = 6
MOST_WORDS = 13  # so that the map of a head keeps its numbers


def default(words: Sequence[str], longest: int, known: Sequence[str] = ()) -> str:
    """Two sentences of a vocabulary, `longest` words at most: of those `known`, or two that differ in their ends only.

    >>> default(["a", "b", "c"], 9), default(["a"], 2), default(["a", "b"], 2, ["a c", "b b"])
    ('a b c\\nc b a', 'a a', 'b b')
    """
    told = [one for one in known if set(one.split()) <= set(words) and len(one.split()) <= longest]
    if told:
        return "\n".join(told[:2])
    line = [*words[: min(5, longest)]]
    if len(line) == 1:
        return " ".join(line * 2)
    return "\n".join(" ".join(one) for one in (line, [line[-1], *line[1:-1], line[0]]))


def read(text: str, words: Sequence[str], longest: int) -> list[list[int]]:
    """Each line as ids.

    >>> read("a b\\n\\nb a a", ["a", "b"], 3)
    [[0, 1], [1, 0, 0]]
    >>> read("a", ["a", "b"], 3)
    Traceback (most recent call last):
    ValueError: Line 1, “a”, has one word: there is no next one to predict.
    """
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.split()]
    if not 1 <= len(lines) <= MOST_LINES:
        raise ValueError(f"{len(lines)} sentences, at most {MOST_LINES} fit." if lines else "No sentences here yet.")
    found = []
    for at, line in lines:
        try:
            ids = parse.tokens(line, vocabulary=words, most=longest)
        except ValueError as error:
            raise ValueError(f"Line {at}: {error}") from None
        if len(ids) < 2:
            raise ValueError(f"Line {at}, {shown(line.strip())}, has one word: there is no next one to predict.")
        found.append(ids)
    return found


def forks(lines: Sequence[Sequence[int]], line: Sequence[int]) -> list[tuple[int, float, int]]:
    """Where a sentence's beginning goes on in several ways: (position, the share of its own way, how many ways).

    >>> forks([[0, 1, 2], [0, 1, 3]], [0, 1, 2])
    [(1, 0.5, 2)]
    """
    found = []
    for at in range(len(line) - 1):
        then: Counter[Any] = Counter(o[at + 1] for o in lines if len(o) > at + 1 and o[: at + 1] == line[: at + 1])
        if len(then) > 1:
            found.append((at, then[line[at + 1]] / then.total(), len(then)))
    return found
