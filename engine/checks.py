"""What every room refuses: one place for the wording of an error.

Each function returns its argument as the type the caller computes with, or raises `ValueError` saying what was
expected, what came, and what to do.
"""

from collections.abc import Iterable
from itertools import islice
from numbers import Integral, Real
from typing import Any

import numpy as np

# What one call may cost, so that each ends within a second; rooms that know a tighter limit name it themselves.
MAX_NUMBERS = 2**22  # numbers in one array, given or made: 32 MiB
MAX_PRODUCTS = 2**29  # multiplications of one matrix product
MAX_ITEMS = 10_000  # things that are gone through one by one
MAX_WHOLE = 2**53  # a whole number without a tighter limit: float64 counts to here exactly
LARGEST_FLOAT = float(np.finfo(float).max)
_NUMBERS = {int, float, np.float64, np.int64}  # the usual kinds, no True among them
SINGLE_PRECISION = 1e-6  # how far float32 rounding may carry a probability or a sum of a few


def array(
    name: str, value, *, ndim: int | None = None, allow_neg_inf: bool = False, allow_inf: bool = False
) -> np.ndarray:
    """A float64 array of at most `MAX_NUMBERS` finite numbers, with `ndim` axes where that is given.

    `allow_neg_inf` lets −∞ through (a logit of an impossible token), `allow_inf` ∞ (a loss). A matrix object, or a
    masked array with nothing masked, is the plain array it holds.

    >>> array("x", [1, 2]).dtype
    dtype('float64')
    >>> array("x", [1, 2], ndim=2)
    Traceback (most recent call last):
    ValueError: x must be a matrix (2 axes); got shape (2,)
    """
    out = value if type(value) is np.ndarray and value.dtype == float else _as_floats(name, value)
    if out.size > MAX_NUMBERS:
        raise ValueError(f"{name} may hold at most {MAX_NUMBERS:,} numbers; got {out.size:,}: take fewer")
    if ndim is not None and out.ndim != ndim:
        kind = {0: "a single number", 1: "a vector", 2: "a matrix"}.get(ndim, "an array")
        raise ValueError(f"{name} must be {kind} ({ndim} {'axis' if ndim == 1 else 'axes'}); got shape {out.shape}")
    if np.isfinite(out).all():
        return out
    fine = [np.isneginf(out)] * allow_neg_inf + [np.isposinf(out)] * allow_inf
    bad = ~np.logical_or.reduce([np.isfinite(out), *fine])
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        what = f"a number or {'−∞' if allow_neg_inf else '∞'}" if fine else "a finite number"
        raise ValueError(f"{name} needs {what} in every cell; got {out[where]} at {list(where)}")
    return out


def _as_floats(name: str, value) -> np.ndarray:
    raw = _raw(name, value, "numbers")
    plain = raw.dtype.kind in "iuf" or not raw.size  # text, booleans, dates and complex numbers are no numbers
    if not plain and (raw.dtype.kind != "O" or not all(map(_is_real, raw.flat))):
        raise ValueError(f"{name} must hold numbers in rows of equal length; got {shown(value)}")
    try:
        with np.errstate(over="ignore"):
            return raw.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must hold numbers that float64 can hold; got {shown(value)}") from None


def _raw(name: str, value, what: str) -> np.ndarray:
    """The plain array behind a value: nothing masked, rows of one length, and no True among numbers."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name} must not be a masked array with cells masked: fill them, or leave their rows out")
    try:
        raw = np.asarray(value)
    except Exception:  # what an object does when numpy asks it for its numbers is its own affair
        raw = None
    if raw is None or (raw.dtype.kind in "iuf" and not isinstance(value, np.ndarray) and _has_boolean(value)):
        raise ValueError(f"{name} must hold {what} in rows of equal length; got {shown(value)}")
    return raw


def _has_boolean(value) -> bool:
    if isinstance(value, list | tuple):
        return not _NUMBERS.issuperset(map(type, value)) and any(map(_has_boolean, value))
    return isinstance(value, bool | np.bool_) or (isinstance(value, np.ndarray) and value.dtype == bool)


def _is_real(value) -> bool:
    """Whether it is a number on the real line: no boolean, no complex number, no span of time."""
    other = bool | np.bool_ | np.complexfloating | np.timedelta64
    return isinstance(value, Real | np.number) and not isinstance(value, other)


def boolean(name: str, value) -> np.ndarray:
    """A boolean array; 0/1 integers are refused because True means "takes part" here and other libraries differ.

    >>> boolean("mask", [True, False]).tolist()
    [True, False]
    """
    out = _raw(name, value, "True and False")
    if out.dtype != bool:
        raise ValueError(f"{name} must be boolean (True = takes part); got {out.dtype}: compare first, as in mask == 1")
    return out


def flag(name: str, value) -> bool:
    """A single True or False; 0, 1 and None are refused.

    >>> flag("nesterov", 1)
    Traceback (most recent call last):
    ValueError: nesterov must be True or False; got 1
    """
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False; got {shown(value)}")
    return bool(value)


def shape(name: str, value: np.ndarray, expected: tuple[int, ...], why: str = "") -> np.ndarray:
    """`value` itself if it has the expected shape.

    >>> shape("b", np.zeros(3), (2,), "one per column of W")
    Traceback (most recent call last):
    ValueError: b must have shape (2,), one per column of W; got (3,)
    """
    if value.shape != expected:
        raise ValueError(f"{name} must have shape {expected}{', ' + why if why else ''}; got {value.shape}")
    return value


def number(name: str, value, low: float = -np.inf, high: float = np.inf, *, open_low: bool = False) -> float:
    """A finite number in [low, high], or in (low, high] with `open_low`.

    >>> number("p", 1.5, 0, 1)
    Traceback (most recent call last):
    ValueError: p must be a number in [0, 1]; got 1.5
    """
    real = _is_real(value)
    value = float(value) if isinstance(value, np.floating) else value  # comparisons in the precision of the limits
    if not real or not abs(value) <= LARGEST_FLOAT or value > high or (value <= low if open_low else value < low):
        raise ValueError(f"{name} must be a number in {'(' if open_low else '['}{low:g}, {high:g}]; got {shown(value)}")
    return float(value)


def probabilities(name: str, value, *, ndim: int | None = None) -> np.ndarray:
    """An array of numbers from 0 to 1; one that single precision rounded past 1 by at most 10⁻⁶ is read as 1.

    >>> probabilities("p", np.float32([0.25, 1.0000001])).tolist()
    [0.25, 1.0]
    """
    p = array(name, value, ndim=ndim)
    if ((p < 0) | (p > 1 + SINGLE_PRECISION)).any():
        raise ValueError(
            f"{name} must lie in [0, 1]; got {p.min():g} to {p.max():g}: pass logits through softmax first"
        )
    return np.minimum(p, 1.0)


def distribution(name: str, value) -> np.ndarray:
    """A vector of probabilities that sum to 1; what single precision leaves over or short is shared out by dividing.

    The room is 10⁻⁶·(1 + log₂ n) for n numbers: the sum of float32 probabilities is off by about that much at most.

    >>> distribution("probs", [0.5, 0.4])
    Traceback (most recent call last):
    ValueError: probs must lie in [0, 1] and sum to 1; got a sum of 0.9: divide them by their sum
    """
    p = array(name, value, ndim=1)
    with np.errstate(over="ignore", invalid="ignore"):
        total = p.sum()
    if (p < 0).any() or not abs(total - 1) <= SINGLE_PRECISION * (1 + np.log2(max(p.size, 1))):
        raise ValueError(
            f"{name} must lie in [0, 1] and sum to 1; got {'' if (p >= 0).all() else f'{p.min():g} and '}"
            f"a sum of {total:.9g}: divide them by their sum"
        )
    return p if abs(total - 1) <= 1e-12 else p / total


def integer(name: str, value, low: int, high: int | None = None) -> int:
    """A whole number of at least `low` and at most `high`, 2⁵³ where none is given.

    >>> integer("n_heads", 0, 1)
    Traceback (most recent call last):
    ValueError: n_heads must be a whole number of at least 1; got 0
    """
    whole = isinstance(value, Integral) and _is_real(value)
    most = MAX_WHOLE if high is None else high
    if not whole or value < low or value > most:
        limits = f"of at least {low}" if high is None and (not whole or value < low) else f"from {low} to {most}"
        raise ValueError(f"{name} must be a whole number {limits}; got {shown(value)}")
    return int(value)


def one_of(name: str, value, known) -> str:
    """`value` itself if it is one of the known names.

    >>> one_of("method", "sum", ("mean", "max"))
    Traceback (most recent call last):
    ValueError: method must be one of mean, max; got 'sum'
    """
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}; got {shown(value)}")
    return value


def classes(name: str, value, n_classes: int, *, low: int = 0) -> np.ndarray:
    """A vector of at most `MAX_NUMBERS` class numbers in 0 … n_classes − 1; `low` −1 where that stands for none.

    >>> classes("targets", [0, 5], 5)
    Traceback (most recent call last):
    ValueError: targets must be whole numbers from 0 to 4; got 5 at position 1
    """
    out = _raw(name, value, "whole numbers")
    if out.ndim != 1 or out.dtype.kind not in "iu" or out.size > MAX_NUMBERS:
        raise ValueError(f"{name} must be a vector of whole numbers from {low} to {n_classes - 1}; got {shown(value)}")
    bad = np.flatnonzero((out < low) | (out >= n_classes))
    if bad.size:
        raise ValueError(
            f"{name} must be whole numbers from {low} to {n_classes - 1}; got {out[bad[0]]} at position {bad[0]}"
        )
    return out


def in_range(name: str, value: np.ndarray) -> np.ndarray:
    """`value` itself if a calculation on finite numbers stayed inside float64; compute it under np.errstate.

    >>> in_range("scores", np.array([1.0, np.inf]))
    Traceback (most recent call last):
    ValueError: scores must stay inside float64 (about ±1.8e308); overflow at [1]: use smaller numbers
    """
    if not np.isfinite(value).all():
        bad = np.argwhere(~np.isfinite(value))
        raise ValueError(
            f"{name} must stay inside float64 (about ±1.8e308); overflow at {bad[0].tolist()}: use smaller numbers"
        )
    return value


def generator(name: str, value) -> np.random.Generator:
    """`value` itself if it is a numpy random generator.

    >>> generator("rng", 0)
    Traceback (most recent call last):
    ValueError: rng must be a numpy Generator; got int: pass np.random.default_rng(seed)
    """
    if not isinstance(value, np.random.Generator):
        raise ValueError(
            f"{name} must be a numpy Generator; got {type(value).__name__}: pass np.random.default_rng(seed)"
        )
    return value


def instance(name: str, value, kind: type, hint: str) -> Any:
    """`value` itself if it is of a kind; the hint says where one comes from."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} must be {hint}; got {type(value).__name__}")
    return value


def items(name: str, value, what: str, *, most: int = MAX_ITEMS) -> tuple:
    """The things of a list, a tuple, a vector or anything that is gone through, at most so many; a text is none.

    >>> items("widths", 3, "whole numbers")
    Traceback (most recent call last):
    ValueError: widths must be a list of whole numbers; got 3
    """
    listed = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    try:
        out = tuple(islice(iter(value), most + 1)) if listed else ()
    except TypeError:  # an array without axes
        listed = False
    if not listed:
        raise ValueError(f"{name} must be a list of {what}; got {shown(value)}")
    if len(out) > most:
        raise ValueError(f"{name} may hold at most {most:,} {what}; got more: take fewer")
    return out


def within(what: str, limit: int, **sizes: int) -> int:
    """The product of several sizes, refused past a limit: what a call makes has to fit memory and a second.

    >>> within("the table", 100, n_positions=20, d_model=6)
    Traceback (most recent call last):
    ValueError: the table may take at most 100 steps or numbers; n_positions × d_model = 20 × 6: choose smaller sizes
    """
    product = 1
    for size in sizes.values():
        product *= int(size)
    if product > limit:
        raise ValueError(
            f"{what} may take at most {limit:,} steps or numbers; {' × '.join(sizes)} = "
            f"{' × '.join(f'{size:,}' for size in sizes.values())}: choose smaller sizes"
        )
    return product


def shown(value) -> str:
    """What came, in at most 60 letters, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # a whole number of thousands of digits has none
        return "a number too long to show" if isinstance(value, Real) else f"one {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "…"
