"""Reads what people type and paste: numbers, matrices, words. Every refusal is a sentence naming the place."""

import math
import re
from collections.abc import Sequence

import numpy as np

from ui.words import Words, plain, shown


def number(text: str, low: float = -math.inf, high: float = math.inf, whole: bool = False) -> float:
    """One number within limits.

    >>> number("2.5", 0, 3)
    2.5
    >>> number("0,75")
    Traceback (most recent call last):
    ValueError: “0,75” is not a number: write decimals with a point.
    """
    try:
        value = float(text.replace("−", "-"))
    except ValueError:
        comma = re.fullmatch(r"\s*[-+−]?\d+,\d+\s*", text)
        why = ": write decimals with a point" if comma else ""
        raise ValueError(f"{shown(text)} is not a number{why}.") from None
    if not math.isfinite(value):
        raise ValueError(f"{shown(text)} is not a finite number.")
    if whole and value != int(value):
        raise ValueError(f"{shown(text)} is not a whole number.")
    if not low <= value <= high:
        raise ValueError(f"{value:g} lies outside {low:g} to {high:g}.")
    return value


def matrix(
    text: str,
    *,
    shape: tuple = (None, None),
    limit: float = math.inf,
    most: tuple[int, int] = (12, 12),
    rows=None,
    columns=None,
    limits: Sequence[tuple] = (),
    least: int = 1,
) -> np.ndarray:
    """Rows of numbers: spaces, commas, semicolons, tabs, and brackets pasted from NumPy all separate.

    A free number of rows is from `least` to `most`. `limits` are those of each column, as `number` takes them, in place
    of one `limit` either way for all.

    >>> matrix("[[1, 2],[3, -4]]").tolist()
    [[1.0, 2.0], [3.0, -4.0]]
    >>> matrix("1 2; 3", shape=(2, 2))
    Traceback (most recent call last):
    ValueError: Row 1 has 1 number, 2 are needed.
    """
    lines = _lines(text)
    n_rows, n_columns = shape
    if not lines:
        raise ValueError("No numbers here yet.")
    if not (n_rows or least) <= len(lines) <= (n_rows or most[0]):
        need = f"at least {least} are needed" if len(lines) < least else f"at most {most[0]} fit"
        need = f"{n_rows} {'row is' if n_rows == 1 else 'rows are'} needed" if n_rows else need
        raise ValueError(f"{len(lines)} {'row' if len(lines) == 1 else 'rows'} given, {need}.")
    wanted = n_columns or len(lines[0])
    out = np.empty((len(lines), wanted))
    for r, cells in enumerate(lines):
        name = plain(rows[r]) if rows and r < len(rows) else str(r)
        if len(cells) != wanted or len(cells) > (n_columns or most[1]):
            need = f"{wanted} are needed" if len(cells) != wanted else f"at most {most[1]} fit"
            raise ValueError(f"Row {name} has {len(cells)} {'number' if len(cells) == 1 else 'numbers'}, {need}.")
        for c, cell in enumerate(cells):
            try:
                out[r, c] = number(cell, *(limits[c] if limits else (-limit, limit)))
            except ValueError as error:
                place = plain(columns[c]) if columns and c < len(columns) else str(c)
                raise ValueError(f"Row {name}, column {place}: {error}") from None
    return out


def _lines(text: str) -> list[list[str]]:
    text = re.sub(r"\]\s*,?\s*\[|;", "\n", text.strip())
    text = re.sub(r"array\(|[\[\]()]", " ", text)
    lines = [line.strip(" \t,") for line in text.splitlines() if line.strip(" \t,")]
    for line in lines:
        comma = [t for t in line.split() if re.fullmatch(r"[-+−]?\d+,\d+", t)]
        if comma and len(line.split()) > 1:
            raise ValueError(f"{shown(comma[0])} looks like a decimal comma: write decimals with a point.")
    return [re.split(r"[\s,]+", line) for line in lines]


def rows(matrix) -> str:
    """A matrix as text, a row a line, every digit kept.

    >>> rows([[1.0, -0.25]])
    '1 -0.25'
    """
    return "\n".join(" ".join(digits(v) for v in row) for row in np.atleast_2d(matrix).tolist())


def digits(value: float) -> str:
    """A number as short as it can be without losing a digit.

    >>> digits(2.0), digits(0.1)
    ('2', '0.1')
    """
    return repr(float(value) + 0.0).removesuffix(".0")


def words(text: str, *, least: int = 1, most: int = 12, length: int = 16) -> list[Words]:
    """Words separated by spaces or commas.

    >>> words("the cat,sat")
    ['the', 'cat', 'sat']
    """
    found = [Words(w) for w in re.split(r"[\s,]+", text) if w]
    if not least <= len(found) <= most:
        need = least if least == most else f"{least} to {most}"
        raise ValueError(f"{len(found)} word{'s' * (len(found) != 1)} given, {need} are needed.")
    for w in found:
        if len(w) > length:
            raise ValueError(f"{shown(w)} is longer than {length} characters.")
    return found


def typed(vocabulary) -> tuple[Words, ...]:
    """Words as they can be typed in one line: "_" for blanks and commas, and another one where two would be alike.

    >>> typed(("a b", "a,b", " the"))
    ('a_b', 'a_b_', '_the')
    """
    names: list[Words] = []
    for word in vocabulary:
        name = re.sub(r"[\s,]", "_", word)
        while name in names:
            name += "_"
        names.append(Words(name))
    return tuple(names)


def tokens(text: str, *, vocabulary, most: int) -> list[int]:
    """Words of a vocabulary as their ids.

    >>> tokens("b a b", vocabulary=("a", "b"), most=3)
    [1, 0, 1]
    """
    found = words(text, most=most, length=64)
    for word in found:
        if word not in vocabulary:
            known = ", ".join(map(plain, vocabulary[:8])) + (", …" if len(vocabulary) > 8 else "")
            raise ValueError(f"{shown(word)} is not in the vocabulary: {known}.")
    return [vocabulary.index(word) for word in found]


def word(text: str, *, length: int = 24) -> Words:
    """One word: whatever stands between blanks, accents and emoji included.

    >>> word(" don't ")
    "don't"
    """
    found = text.split()
    if len(found) != 1:
        raise ValueError(f"{len(found)} words given, 1 is needed." if found else "No word here yet.")
    if len(found[0]) > length:
        raise ValueError(f"{shown(found[0])} is longer than {length} characters.")
    if found[0].startswith("##"):
        raise ValueError(f"{shown(found[0])} starts with the two signs that mark a continuation: leave them out.")
    return Words(found[0])


def word_table(text: str, *, most: int = 24, length: int = 24, count: int = 1_000_000) -> dict[str, int]:
    r"""A word and its count on each line; a word alone counts once, the same word twice adds up.

    >>> word_table("hug 10\npug 5\nhug")
    {'hug': 11, 'pug': 5}
    >>> word_table("hug ten")
    Traceback (most recent call last):
    ValueError: Line 1: “ten” is not a number.
    """
    table: dict[str, int] = {}
    lines = [(at, line.split()) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    for at, fields in lines:
        try:
            if len(fields) > 2:
                raise ValueError(f"{len(fields)} entries, where a word and its count are needed.")
            name = word(fields[0], length=length)
            table[name] = table.get(name, 0) + int(number(fields[1] if fields[1:] else "1", 1, count, whole=True))
        except ValueError as error:
            raise ValueError(f"Line {at}: {error}") from None
        if table[name] > count:
            raise ValueError(f"Line {at}: the counts of {shown(name)} add up to more than {count:,}.")
    if not 1 <= len(table) <= most:
        raise ValueError(f"{len(table)} words given, at most {most} fit." if table else "No words here yet.")
    return table


def one_of(text: str, known) -> str:
    """The text itself if it is known.

    >>> one_of("a", ["a", "b"])
    'a'
    """
    if text not in known:
        named = [name for name in known if name]
        listed = ", ".join(map(plain, named[:6])) + (", …" if len(named) > 6 else "")
        raise ValueError(f"the choices are {listed}")
    return text


def in_link(value) -> str:
    """A control's value as the link holds it: 5.0 is "5", True is "true".

    >>> in_link(5.0), in_link(True), in_link("ab")
    ('5', 'true', 'ab')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return digits(value)
    return str(value)
