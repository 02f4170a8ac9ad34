r"""What a formula says, worked out from its written numbers: `=` stays where they give it, else it becomes `\approx`.

A reader who takes a calculator to the screen must find what is written there. So each formula is read again before it
is shown; what has a symbol in it cannot be worked out and is left as it is.
"""

import math
import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np

TOKEN = re.compile(r"\s+|\\,|\\;|\\[A-Za-z]+|\d+(?:\.\d+)?|[-+*/^(){}\[\],|e]|.")
SPACES = {r"\,", r"\;", r"\quad", r"\qquad", r"\left", r"\right", r"\nobreak", r"\big", r"\Big"}
FUNCTIONS: dict[str, Callable] = {
    r"\sin": math.sin,
    r"\cos": math.cos,
    r"\log": math.log,
    r"\ln": math.log,
    r"\exp": math.exp,
    r"\tanh": math.tanh,
}
RELATION = re.compile(r" (=|\\approx|\\rightarrow|\\to|\\Rightarrow|\\le|<|>) ")


class SymbolError(ValueError):
    """Something that is no number stands here."""


@lru_cache(maxsize=256)
def settled(formula: str) -> str:
    r"""The formula with `\approx` where its written terms do not give the written result at the shown digits.

    >>> settled(r"s = 0.5 \cdot 3 = 1.5"), settled(r"p = \frac{1}{3} = 0.333"), settled("z = 0.667 + 0.667 = 1.333")
    ('s = 0.5 \\cdot 3 = 1.5', 'p = \\frac{1}{3} = 0.333', 'z = 0.667 + 0.667 \\approx 1.333')
    """
    parts = RELATION.split(formula)
    sides, signs = parts[::2], parts[1::2]
    values = [value(side) for side in sides]
    for i, sign in enumerate(signs):
        left, right = values[i], values[i + 1]
        if sign == "=" and left is not None and right is not None and not agree(left, right, sides[i + 1]):
            signs[i] = r"\approx"
    return "".join(f" {signs[i - 1]} {side}" if i else side for i, side in enumerate(sides))


def agree(left: float | np.ndarray, right: float | np.ndarray, written: str) -> bool:
    """Whether a value rounds to the one written, at the digits that are written.

    >>> agree(1.3334, 1.333, "1.333"), agree(1.334, 1.333, "1.333"), agree(0.00123, 0.00123, r"1.23 \\cdot 10^{-3}")
    (True, False, True)
    """
    if np.shape(left) != np.shape(right):
        return False
    with np.errstate(invalid="ignore"):
        near = np.abs(np.subtract(left, right)) <= unit(written) * (0.5 + 1e-6) + 1e-12 * np.abs(right)
    return bool(np.all(near | np.equal(left, right)))


def unit(written: str) -> float:
    r"""What the last written digit is worth: the coarsest of all numbers that stand there.

    >>> unit("1.25"), unit(r"1.2 \cdot 10^{-3}"), unit("7")
    (0.01, 0.0001, 1e-09)
    """
    found = re.findall(r"\d+\.(\d+)(?: \\cdot 10\^\{(-?\d+)\})?", written)
    return max((10.0 ** (int(power or 0) - len(digits)) for digits, power in found), default=1e-9)


def value(text: str) -> float | np.ndarray | None:
    r"""What the arithmetic of a formula gives; None where it holds more than numbers.

    >>> value(r"\frac{e^{1}}{e^{1} + e^{-\infty}}"), value(r"2\,\left[1,\; 0.5\right]"), value(r"q \cdot 2")
    (1.0, array([2., 1.]), None)
    """
    tokens = [t for t in TOKEN.findall(text) if t.strip() and t not in SPACES]
    try:
        found, rest = _sum(tokens, 0)
    except (ValueError, TypeError, IndexError, ArithmeticError):  # a symbol, or no number comes out
        return None
    return found if rest == len(tokens) else None


def _sum(tokens: list[str], at: int):
    total, at = _product(tokens, at)
    while at < len(tokens) and tokens[at] in "+-":
        sign, (part, at) = tokens[at], _product(tokens, at + 1)
        total = total + part if sign == "+" else total - part
    return total, at


def _product(tokens: list[str], at: int):
    if tokens[at] in "+-":
        part, end = _product(tokens, at + 1)
        return (-part if tokens[at] == "-" else part), end
    total, at = _power(tokens, at)
    while at < len(tokens) and tokens[at] not in "+-)]},|":
        if tokens[at] == "/":
            part, at = _power(tokens, at + 1)
            total = total / part
        else:
            part, at = _power(tokens, at + (tokens[at] in (r"\cdot", r"\times")))
            total = total * part
    return total, at


def _power(tokens: list[str], at: int):
    base, at = _atom(tokens, at)
    if at < len(tokens) and tokens[at] == "^":
        exponent, at = _group(tokens, at + 1)
        return base**exponent, at
    return base, at


def _group(tokens: list[str], at: int):
    """A braced group, or one token without braces."""
    if tokens[at] != "{":
        return _atom(tokens, at)
    found, at = _sum(tokens, at + 1)
    return found, _past(tokens, at, "}")


def _past(tokens: list[str], at: int, closing: str) -> int:
    if tokens[at] != closing:
        raise SymbolError(tokens[at])
    return at + 1


def _atom(tokens: list[str], at: int):
    token = tokens[at]
    if token[0].isdigit():
        return float(token), at + 1
    if token in "({":
        found, end = _sum(tokens, at + 1)
        return found, _past(tokens, end, ")" if token == "(" else "}")
    if token == "[":
        parts = []
        while tokens[at] != "]":
            part, at = _sum(tokens, at + 1)
            parts.append(part)
            if tokens[at] not in ",]":
                raise SymbolError(tokens[at])
        return np.array(parts, dtype=float), at + 1
    if token == r"\frac":
        top, at = _group(tokens, at + 1)
        bottom, at = _group(tokens, at)
        return top / bottom, at
    if token == r"\sqrt":
        found, at = _group(tokens, at + 1)
        return math.sqrt(found), at
    if token in FUNCTIONS:
        found, at = _power(tokens, at + 1)
        return FUNCTIONS[token](found), at
    constants = {"e": math.e, r"\pi": math.pi, r"\infty": math.inf}
    if token in constants:
        return constants[token], at + 1
    raise SymbolError(token)
