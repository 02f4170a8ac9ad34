"""What a move of a slider leaves as it was need not be worked out again: `recall(train, weights, …)`."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any

import numpy as np

MOST_BYTES = 32_000_000  # of all answers that are remembered; the one that was asked for longest ago goes first
LARGEST = 4_000_000  # bytes of an answer that is remembered


class Memory:
    """Answers by what was asked; all visits share one."""

    def __init__(self) -> None:
        self.answers: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()  # with their sizes
        self.bytes, self._lock = 0, Lock()

    def get(self, question: Hashable) -> tuple[Any, int] | None:
        """The answer and its size; it is then the last to go."""
        with self._lock:
            if question in self.answers:
                self.answers.move_to_end(question)
            return self.answers.get(question)

    def put(self, question: Hashable, answer: Any, size: int) -> None:
        """Remember an answer, and forget old ones where there are too many."""
        with self._lock:
            if question not in self.answers:
                self.answers[question], self.bytes = (answer, size), self.bytes + size
            while self.bytes > MOST_BYTES:
                self.bytes -= self.answers.popitem(last=False)[1][1]


_memory = Memory()


def recall(function: Callable, *args: Any, **options: Any) -> Any:
    """`function(*args, **options)`, or what it gave the last time that anybody asked the same.

    For functions of the engine, whose answers depend on nothing but what they are given. The arrays of an answer can
    be read only; what is refused is refused anew.
    """
    question = function, frozen(args), frozen(options)
    if found := _memory.get(question):
        return found[0]
    answer = function(*args, **options)
    size = seal(answer)
    if size <= LARGEST:
        _memory.put(question, answer, size)
    return answer


def frozen(value: Any) -> Hashable:
    """A value as a key, which differs wherever an answer could: 1 is not 1.0, and 0.0 is not −0.0.

    >>> frozen([1]) == frozen([1.0]), frozen(0.0) == frozen(-0.0), frozen({"x": [1]}) == frozen({"x": [1]})
    (False, False, True)
    """
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple | list):
        return type(value), *map(frozen, value)
    if isinstance(value, dict):
        return tuple((name, frozen(part)) for name, part in value.items())
    return type(value), repr(value) if isinstance(value, float) else value


def seal(answer: Any) -> int:
    """About how many bytes an answer takes; its arrays are closed for writing.

    >>> seal((np.zeros(100), 1.0))
    1150
    """
    if isinstance(answer, np.ndarray):
        answer.setflags(write=False)
        return answer.nbytes + 200
    if isinstance(answer, tuple | list):
        return 100 + sum(map(seal, answer))
    if isinstance(answer, dict):
        return 200 + sum(map(seal, answer.values()))
    return 50
