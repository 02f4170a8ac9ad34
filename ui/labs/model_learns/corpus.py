"""The sentences the model learns: typed a line each, read as ids, and where one beginning goes on in several ways."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ui.page import parse
from ui.words import shown

MOST_LINES = 6
MOST_WORDS = 13  # so that the map of a head keeps its numbers


def default(words: Sequence[str], longest: int) -> str:
    """Two sentences of a vocabulary that differ in their ends only, `longest` words at most.

    >>> default(["a", "b", "c"], 9), default(["a"], 2)
    ('a b c\\nc b a', 'a a')
    """
    line = [*words[: min(5, longest)]]
    if len(line) == 1:
        return " ".join(line * 2)
    return "\n".join(" ".join(one) for one in (line, [line[-1], *line[1:-1], line[0]]))


def fork(words: Sequence[str], longest: int) -> str:
    """Two sentences that begin alike and end in different words.

    >>> fork(["a", "b", "c", "d"], 9)
    'a b c\\na b d'
    """
    name = lambda i: words[i % len(words)]
    begun = [name(i) for i in range(min(2, longest - 1))]
    return "\n".join(" ".join([*begun, name(len(begun) + i)]) for i in (0, 1))


def turned(words: Sequence[str], longest: int) -> str:
    """Three sentences of the same words, each begun one word later: what follows a word depends on the first.

    >>> turned(["a", "b", "c"], 9), turned(["a"], 9)
    ('a b c\\nb c a\\nc a b', 'a a\\na a\\na a')
    """
    line = [*words[: min(5, longest)]] * (2 if len(words) == 1 else 1)
    return "\n".join(" ".join(line[i % len(line) :] + line[: i % len(line)]) for i in range(3))


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


def to_try(words: Sequence[str], longest: int, heads: list[str]) -> list[tuple[str, str, dict[str, Any]]]:
    """What to try: (title, question, controls); the page's sentences answer each."""
    return [
        (
            "One beginning, two ends",
            "Two sentences begin alike. What is the lowest loss on the word where they part?",
            {"sentences": fork(words, longest)},
        ),
        (
            "Reading ahead",
            "Without the causal mask, how low does the loss go, and does it write better?",
            {"causal": False, "sentences": turned(words, longest), "line": "3"},
        ),
        ("Only the last matrix", "Only W_LM_head may move: how far does the loss get?", {"moves": ["W_LM_head"]}),
        ("Ten times the rate", "Ten times the learning rate: ten times as fast?", {"lr": "0.3"}),
        (
            "Head 0 alone",
            "All other heads are silent: can it still learn, and what do they learn?",
            {"heads": heads[:1]},
        ),
        (
            "All weights zero",
            "Every matrix starts at 0. Which gradients are exactly 0, and when does it leave?",
            {"start": "drawn", "scale": 0.0},
        ),
    ]
