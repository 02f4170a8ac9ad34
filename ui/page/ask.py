"""Predict, see, understand: the questions of a lab beside its pictures.

A question is data. Its beginning is put on screen with the answer covered; the visitor predicts; "Show" makes the
change, the pictures keep their ghosts, and one sentence with the numbers of both states says why.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ui.seen import Seen
from ui.words import number, plain

Answer = tuple[Any, str]  # what is right, and one sentence why


class Question(NamedTuple):
    """One thing to predict.

    `before` is the state it starts from and `after` what Show changes, by the short names of controls; all others stand
    at their defaults. `answer(before, after)` is what is right and why, made from the two states as `run.Seen`. The
    visitor picks one of `options`, types a number that counts when it is `within` so much of the right one, or clicks
    in the picture `click`, where right is what the click must have, such as {"row": 3}, or a list of such where several
    places are right. `look` names the pictures that stay on screen, the one that answers first; `cover` those that
    would tell, or matrices of one, as "four.Weights".
    """

    title: str
    ask: str
    answer: Callable[[Seen, Seen], Answer]
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    options: tuple[str, ...] = ()
    within: float | None = None
    click: str = ""
    look: tuple[str, ...] = ()
    cover: tuple[str, ...] = ()


class Endless(NamedTuple):
    """A kind of question that never ends: `make(rng)` draws one, the same for the same round in the link."""

    title: str
    make: Callable[[np.random.Generator], Question]


Asking = Question | Endless

EXPLORE, AGAIN, MOST_ROUNDS = "Explore", "more", 9_999  # as the bar and the link say it


def judged(question: Question, right: Any, given: Any) -> tuple[bool, str]:
    """Whether a prediction is right, and what would have been, in words.

    >>> judged(Question("", "", None, within=0.01), 0.25, 0.255), judged(Question("", "", None, within=0), 36, 6.0)
    ((True, '0.250'), (False, '36'))
    >>> judged(Question("", "", None, click="four"), [{"row": 1}, {"row": 3}], {"row": 3, "column": 0})
    (True, '')
    """
    if question.click:
        places = right if isinstance(right, list | tuple) else [right]
        return any(given.items() >= place.items() for place in places if given), ""
    if question.within is None:
        if right not in question.options:
            raise KeyError(f"{question.title!r} has no option {right!r}")
        return given == right, plain(right)
    words = str(right) if isinstance(right, int) else number(right)  # a count is no decimal
    return given is not None and abs(given - right) <= (question.within or 0) + 1e-9, words


def names(questions: Sequence[Asking]) -> list[str]:
    """The questions as the link names them."""
    return [AGAIN if isinstance(q, Endless) else str(i + 1) for i, q in enumerate(questions)]


def question_of(questions: Sequence[Asking], chosen: str, turn: int, slug: str) -> Question:
    found: Any = questions[names(questions).index(chosen)]
    return found.make(np.random.default_rng([turn, *map(ord, slug)])) if isinstance(found, Endless) else found
