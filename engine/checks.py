"""What every room refuses: one place for the wording of an error.

Each function returns its argument as the type the caller computes with, or raises `ValueError` saying what was
expected, what came, and what to do.
"""

from numbers import Integral, Real

import numpy as np

LARGEST_FLOAT = float(np.finfo(float).max)
SINGLE_PRECISION = 1e-6  # how far float32 rounding may carry a probability or a sum of a few


def array(name: str, value, *, ndim: int | None = None, allow_neg_inf: bool = False) -> np.ndarray:
    """A float64 array of finite numbers, with `ndim` axes where that is given.

    `allow_neg_inf` lets −∞ through (a logit of an impossible token).

    >>> array("x", [1, 2]).dtype
    dtype('float64')
    >>> array("x", [1, 2], ndim=2)
    Traceback (most recent call last):
    ValueError: x must be a matrix (2 axes); got shape (2,)
    """
    out = value if isinstance(value, np.ndarray) and value.dtype == float else _as_floats(name, value)
    if ndim is not None and out.ndim != ndim:
        kind = {0: "a single number", 1: "a vector", 2: "a matrix"}.get(ndim, "an array")
        raise ValueError(f"{name} must be {kind} ({ndim} {'axis' if ndim == 1 else 'axes'}); got shape {out.shape}")
    if np.isfinite(out).all():
        return out
    bad = np.isnan(out) | (np.isposinf(out) if allow_neg_inf else np.isinf(out))
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        what = "a number or −∞" if allow_neg_inf else "a finite number"
        raise ValueError(f"{name} needs {what} in every cell; got {out[where]} at {list(where)}")
    return out


def _as_floats(name: str, value) -> np.ndarray:
    try:
        raw = np.asarray(value)
        if raw.size and raw.dtype.kind not in "iufO":  # text, booleans and complex numbers are not read as numbers
            raise TypeError
        return raw.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must hold numbers in rows of equal length; got {_short(value)}") from None


def boolean(name: str, value) -> np.ndarray:
    """A boolean array; 0/1 integers are refused because True means "takes part" here and other libraries differ.

    >>> boolean("mask", [True, False]).tolist()
    [True, False]
    """
    out = np.asarray(value)
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
        raise ValueError(f"{name} must be True or False; got {_short(value)}")
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
    real = isinstance(value, Real | np.number) and not isinstance(value, bool | np.bool_ | np.complexfloating)
    value = float(value) if isinstance(value, np.floating) else value  # comparisons in the precision of the limits
    if not real or not abs(value) <= LARGEST_FLOAT or value > high or (value <= low if open_low else value < low):
        raise ValueError(
            f"{name} must be a number in {'(' if open_low else '['}{low:g}, {high:g}]; got {_short(value)}"
        )
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
    total = p.sum()
    if (p < 0).any() or not abs(total - 1) <= SINGLE_PRECISION * (1 + np.log2(max(p.size, 1))):
        raise ValueError(
            f"{name} must lie in [0, 1] and sum to 1; got {'' if (p >= 0).all() else f'{p.min():g} and '}"
            f"a sum of {total:.9g}: divide them by their sum"
        )
    return p if abs(total - 1) <= 1e-12 else p / total


def integer(name: str, value, low: int, high: int | None = None) -> int:
    """A whole number of at least `low` (and at most `high`).

    >>> integer("n_heads", 0, 1)
    Traceback (most recent call last):
    ValueError: n_heads must be a whole number of at least 1; got 0
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if not whole or value < low or (high is not None and value > high):
        limits = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} must be a whole number {limits}; got {_short(value)}")
    return int(value)


def one_of(name: str, value, known) -> str:
    """`value` itself if it is one of the known names.

    >>> one_of("method", "sum", ("mean", "max"))
    Traceback (most recent call last):
    ValueError: method must be one of mean, max; got 'sum'
    """
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}; got {_short(value)}")
    return value


def classes(name: str, value, n_classes: int) -> np.ndarray:
    """A vector of class numbers in 0 … n_classes − 1.

    >>> classes("targets", [0, 5], 5)
    Traceback (most recent call last):
    ValueError: targets must be whole numbers from 0 to 4; got 5 at position 1
    """
    out = np.asarray(value)
    if out.ndim != 1 or out.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a vector of whole numbers from 0 to {n_classes - 1}; got {_short(value)}")
    bad = np.flatnonzero((out < 0) | (out >= n_classes))
    if bad.size:
        raise ValueError(
            f"{name} must be whole numbers from 0 to {n_classes - 1}; got {out[bad[0]]} at position {bad[0]}"
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


def _short(value) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
