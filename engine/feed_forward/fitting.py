"""How well a hidden layer of a given width can draw a curve: fixed hidden units, the best mixture of them."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.feed_forward.sublayer import feed_forward

STEEPEST = 16.0  # the steepest hidden unit rises through this many units of its input over the range of x
MAX_FIT = 5 * 10**7  # points × units × the fewer of the two: what the least squares of a fit cost
CURVES = {
    "wave": lambda x: np.sin(2 * np.pi * x),
    "two bumps": lambda x: np.exp(-((x + 0.5) ** 2) / 0.02) + 0.6 * np.exp(-((x - 0.4) ** 2) / 0.05),
    "step": lambda x: np.where(x > 0, 1.0, -1.0),
    "hat": lambda x: 1 - np.abs(x),
    "line": lambda x: 0.5 * x + 0.2,
}


class CurvePoints(NamedTuple):
    """Points of a curve: x evenly spaced in [−1, 1] and y, (m,) each."""

    x: np.ndarray
    y: np.ndarray


class FitTrace(NamedTuple):
    """The fixed first layer W_1 (1, width), b_1 (width,); hidden and activated (m, width); the fitted coefficients
    (width + 1,), one per unit and the bias last; the fitted curve out (m,) and its root mean square error."""

    W_1: np.ndarray
    b_1: np.ndarray
    hidden: np.ndarray
    activated: np.ndarray
    coefficients: np.ndarray
    out: np.ndarray
    rmse: float


def curve_points(name: str, n_points: int = 101) -> CurvePoints:
    """A curve to fit, by its name in `CURVES`. Returns (n_points,) each; n_points from 2 to 10,000.

    >>> curve_points("hat", 3).y.tolist()
    [0.0, 1.0, 0.0]
    """
    x = np.linspace(-1.0, 1.0, checks.integer("n_points", n_points, 2, 10_000))
    return CurvePoints(x, CURVES[checks.one_of("name", name, CURVES)](x))


def fit_curve(x, y, width: int, *, activation: str, rng: np.random.Generator) -> FitTrace:
    """The best a feed-forward layer of one width can do with hidden units drawn once and then left alone.

    The hidden units of W_1, b_1 are random: a place in the range of x and a steepness each (Huang, Zhu & Siew 2006,
    Extreme learning machine). W_2 and b_2 are the least-squares solution of min Σ (f(x·W_1 + b_1)·W_2 + b_2 − y)².
    A generator of the same seed gives a wider layer the units of a narrower one and more, so its error is not larger.
    Shapes: x, y (m,), see `FitTrace`; m · (width + 1) · the smaller of the two at most `MAX_FIT`; rmse in units of y.
    Raises ValueError for x and y of two lengths, an x that does not vary, a width below 1 or an unknown activation.

    >>> fit = fit_curve([0, 1, 2], [1, 3, 5], 1, activation="identity", rng=np.random.default_rng(0))
    >>> fit.out.round(6).tolist(), round(fit.rmse, 6)
    ([1.0, 3.0, 5.0], 0.0)
    """
    x = checks.array("x", x, ndim=1)
    y = checks.shape("y", checks.array("y", y), x.shape, "one per x")
    checks.generator("rng", rng)
    width = checks.integer("width", width, 1, 10_000)
    checks.within("the fit", MAX_FIT, points=len(x), units=width + 1, fewer=min(len(x), width + 1))
    W_1, b_1 = _hidden_units(x, width, rng)  # (1, width), (width,)
    mixture = np.zeros((len(b_1), 1))  # W_2 (width, 1), not fitted yet
    widened = feed_forward(x[:, None], W_1, b_1, mixture, [0.0], activation=activation)  # hidden, activated (m, width)
    design = np.column_stack([widened.activated, np.ones(len(x))])  # (m, width + 1)
    size = np.abs(y).max() or 1.0  # the fit is done on y / size, so that no square overflows
    try:
        fitted = np.linalg.lstsq(design, y / size, rcond=None)[0]  # (width + 1,)
    except np.linalg.LinAlgError:
        raise ValueError("the fit found no solution for these numbers: use others, or fewer units") from None
    rmse = np.sqrt(np.square(design @ fitted - y / size).mean(keepdims=True))  # (1,)
    with np.errstate(over="ignore"):
        coefficients, out, rmse = (checks.in_range("the fit", v * size) for v in (fitted, design @ fitted, rmse))
    return FitTrace(W_1, b_1, widened.hidden, widened.activated, coefficients, out, float(rmse[0]))


def fit_widths(x, y, widths, *, activation: str, seed: int) -> tuple[FitTrace, ...]:
    """`fit_curve` for several widths, each with the units of the narrower ones and more.

    Shapes: widths (m,) whole numbers; returns m fits, all of them within the work of one; seed from 0. Raises
    ValueError as `fit_curve`.

    >>> [len(fit.b_1) for fit in fit_widths([0, 1], [1, 3], [1, 2], activation="tanh", seed=0)]
    [1, 2]
    """
    widths = [checks.integer("a width", width, 1, 10_000) for width in checks.items("widths", widths, "whole numbers")]
    seed, n = checks.integer("seed", seed, 0), checks.array("x", x, ndim=1).size
    checks.within("the fits", MAX_FIT, points=n, units_and_fewer=sum((w + 1) * (min(n, w + 1) + 100) for w in widths))
    return tuple(fit_curve(x, y, width, activation=activation, rng=np.random.default_rng(seed)) for width in widths)


def _hidden_units(x: np.ndarray, width: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    if x.size < 2:
        raise ValueError(f"x needs at least two points; got {x.size}: add points")
    with np.errstate(over="ignore"):
        span = checks.number("the range of x (largest minus smallest)", np.ptp(x), 1e-150, 1e150)
    steepness, place = rng.random((width, 2)).T  # (width,) each, drawn unit by unit
    W_1 = STEEPEST / span * (2 * steepness - 1)
    return W_1[None, :], -W_1 * (x.min() + span * place)
