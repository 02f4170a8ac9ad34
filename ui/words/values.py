"""Values that write themselves right in a sentence, and know what they were in a state that is kept."""

import threading
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

from ui.words.text import bare, number, plain, tex


class Number(float):
    """A number that a sentence writes with three decimals, or as many as it says; a formula says "tex" or "bare".

    One that knows what it was `before` says that too, where the digits differ.

    >>> x = Number(-1 / 3)
    >>> f"{x}, {x:5}, {x:tex}, {x:bare}, {x:+.1f}"
    '−0.333, −0.33333, (-0.3333), -0.3333, −0.3'
    """

    before: float | None = None

    def __format__(self, spec: str) -> str:
        if spec in ("tex", "bare"):
            return tex(self) if spec == "tex" else bare(self)
        if spec.isdigit() or not spec:
            now, was = (None if x is None else number(x, int(spec or 3)) for x in (self, self.before))
            return f"{now} ({was} before)" if was not in (None, now) else str(now)
        return float.__format__(self, spec).replace("-", "−")

    def __str__(self) -> str:
        return number(self)


class Words(str):
    """What a visitor typed: a sentence shows it as literal text; `{word!s}` is the bare text, for a chart.

    >>> word = Words("**a**")
    >>> f"{word} {word!s}"
    '\\\\*\\\\*a\\\\*\\\\* **a**'
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return format(plain(self), spec)


class Listed(tuple):
    """Several of them, with commas between; a format goes to each.

    >>> f"{listed([0.5, 2]):1}"
    '0.5, 2.0'
    """

    __slots__ = ()

    def __new__(cls, values: Any) -> Self:
        return super().__new__(cls, map(written, values))

    def __format__(self, spec: str) -> str:
        return ", ".join(format(value, spec) for value in self)

    def __str__(self) -> str:
        return ", ".join(map(str, self))


def told(**values: Any) -> SimpleNamespace:
    """Values that write themselves right in a sentence, by name: numbers, words, lists of either, counts.

    >>> now = told(weight=0.25, query="cat_1", keys=3, row=np.array([0.5, 1]))
    >>> f"{now.query} gives {now.weight} over {now.keys} keys: {now.row:1}"
    'cat\\\\_1 gives 0.250 over 3 keys: 0.5, 1.0'
    """
    words = {name: written(value) for name, value in values.items()}
    noted, before = getattr(_memory, "noted", None), getattr(_memory, "before", None)
    if noted is not None:
        same = noted.setdefault(tuple(values), [])
        if before and len(same) < len(was := before.get(tuple(values), ())):
            for name, value in words.items():
                if isinstance(value, Number):
                    value.before = was[len(same)].get(name)
        same.append({name: float(value) for name, value in words.items() if isinstance(value, Number)})
    return SimpleNamespace(**words)


Told = dict[tuple[str, ...], list[dict[str, float]]]  # the numbers of a run: by their names, in the order of the page

_memory = threading.local()


def remember(before: Told | None) -> Told:
    """Note from here on what `told` is given in this thread; what it was given at the same place `before` is told too.

    >>> noted = remember(None)
    >>> _ = told(x=0.25)
    >>> _ = remember(noted)
    >>> f"{told(x=0.5).x}, {told(x=0.5).x}"
    '0.500 (0.250 before), 0.500'
    >>> forget()
    """
    _memory.noted, _memory.before = {}, before
    return _memory.noted


def forget() -> None:
    """Note nothing more."""
    _memory.noted = _memory.before = None


def written(value: Any) -> Any:
    """One value that writes itself right in a sentence."""
    if isinstance(value, str):
        return Words(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if np.ndim(value) == 0:
        return Number(value)
    return listed(np.ravel(value).tolist() if isinstance(value, np.ndarray) else value)


def listed(values: Any) -> Listed:
    """A list for a sentence, whole numbers among floats written as floats."""
    values = list(values)
    whole = all(isinstance(value, str | bool | int | np.integer) for value in values)
    return Listed(
        values
        if whole
        else [float(value) if np.ndim(value) == 0 and not isinstance(value, str) else value for value in values]
    )
