"""Dropout: zero a random share while training, scale the rest, and what many masks add up to."""

import math
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import mean_along


class DropoutTrace(NamedTuple):
    """Which entries stay, keep, as x; the factor for those that do, a float; and the result, as x."""

    keep: np.ndarray
    scale: float
    out: np.ndarray


class DropoutRows(NamedTuple):
    """Every row under a mask of its own: keep (n, d), the factor, the sum of each row before (n,), out (n, d), the sums
    after (n,)."""

    keep: np.ndarray
    scale: float
    before: np.ndarray
    out: np.ndarray
    after: np.ndarray


class MaskSums(NamedTuple):
    """The sum under each mask (n_masks,), the expected sum, its standard deviation, the band of ±2 deviations around
    the expectation, the mean of the sums, and the share of them inside the band."""

    sums: np.ndarray
    expectation: float
    deviation: float
    band: tuple[float, float]
    mean: float
    inside: float


class SumHistogram(NamedTuple):
    """The middle of every bin, (n_bins,), and how many sums fall into it, whole numbers."""

    centres: np.ndarray
    counts: np.ndarray


def dropout(x, p: float, rng: np.random.Generator, *, training: bool = True, scaled: bool = True) -> DropoutTrace:
    """Drop each entry with probability p while training, and scale the others so that the expected value stays.

    out = keep·x / (1 − p), keep ~ Bernoulli(1 − p) (Srivastava et al. 2014, Dropout, §4; scaled while training,
    "inverted", as in PyTorch). With training off, x as it is; `scaled=False` leaves the factor
    at 1, to see what it is for.
    Shapes: x of any shape, keep boolean and out as x. p = 1 gives zeros with scale 0, p = 0 gives x.
    Raises ValueError for a p outside [0, 1], an rng that is no generator, or a result beyond float64.

    >>> trace = dropout([1, 1, 1, 1], 0.5, np.random.default_rng(0))
    >>> trace.keep.tolist(), trace.scale, trace.out.tolist()
    ([True, False, False, False], 2.0, [2.0, 0.0, 0.0, 0.0])
    """
    x = checks.array("x", x)
    p = checks.number("p", p, 0, 1)
    checks.generator("rng", rng)
    if not checks.flag("training", training):
        return DropoutTrace(np.ones(x.shape, dtype=bool), 1.0, x.copy())
    keep = rng.random(x.shape) >= p  # x.shape; random() lies in [0, 1), so p = 0 keeps all and p = 1 none
    scale = _scale(p, scaled)
    with np.errstate(over="ignore"):
        return DropoutTrace(keep, scale, checks.in_range("out", np.where(keep, x, 0.0) * scale))


def dropout_rows(
    x, p: float, rng: np.random.Generator, *, n_rows: int | None = None, training: bool = True, scaled: bool = True
) -> DropoutRows:
    """Dropout on each row of a matrix, or on one row again and again, and what it does to the sums.

    Shapes: x (n, d), or (d,) with n_rows for n, n·d at most 2²²; see `DropoutRows`. Raises ValueError as `dropout`, for
    n_rows with a matrix and for a vector without.

    >>> dropout_rows([1, 1], 0.5, np.random.default_rng(0), n_rows=3).after.tolist()
    [2.0, 0.0, 4.0]
    """
    x = checks.array("x", x, ndim=2 if n_rows is None else 1)
    if n_rows is None:
        rows = x
    else:
        n_rows = checks.integer("n_rows", n_rows, 1)
        checks.within("the rows", checks.MAX_NUMBERS, n_rows=n_rows, d=x.size)
        rows = np.tile(x, (n_rows, 1))
    trace = dropout(rows, p, rng, training=training, scaled=scaled)
    with np.errstate(over="ignore"):
        sums = [checks.in_range("the sums", values.sum(axis=1)) for values in (rows, trace.out)]
    return DropoutRows(trace.keep, trace.scale, sums[0], trace.out, sums[1])


def mask_sums(x, p: float, n_masks: int, rng: np.random.Generator, *, scaled: bool = True) -> MaskSums:
    """Drop the same vector under many masks: the sums scatter around the sum of x, in a band that can be computed.

    S = s·Σ_i k_i·x_i with independent k_i ~ Bernoulli(1 − p) and the factor s. Since E k_i = 1 − p and
    Var k_i = p·(1 − p): E S = s·(1 − p)·Σ x_i, which is Σ x_i for s = 1 / (1 − p), and Var S = s²·p·(1 − p)·Σ x_i².
    The band is E S ± 2·√Var S, about 95 % of the sums where many entries take part (Srivastava et al. 2014, §4).
    Shapes: x of any shape, n_masks from 1 to 100,000, their product at most 2²²; sums (n_masks,). Raises ValueError as
    `dropout`.

    >>> trace = mask_sums([3, 4], 0.5, 1000, np.random.default_rng(0))
    >>> trace.expectation, trace.deviation, trace.band
    (7.0, 5.0, (-3.0, 17.0))
    """
    x, p = checks.array("x", x).ravel(), checks.number("p", p, 0, 1)  # (d,)
    n_masks = checks.integer("n_masks", n_masks, 1, 100_000)
    checks.within("the masks", checks.MAX_NUMBERS, n_masks=n_masks, d=x.size)
    copies = np.broadcast_to(x, (n_masks, x.size))  # (n_masks, d)
    out = dropout(copies, p, rng, scaled=scaled).out  # (n_masks, d)
    scale = _scale(p, scaled)
    with np.errstate(over="ignore", invalid="ignore"):
        sums = checks.in_range("the sums", out.sum(axis=1))  # (n_masks,)
        expectation = float(scale * (1 - p) * x.sum())
        deviation = float(scale * math.sqrt(p * (1 - p)) * math.hypot(*x))
        low, high = checks.in_range("the band", np.array([expectation - 2 * deviation, expectation + 2 * deviation]))
    rounding = 1e-12 * scale * np.abs(x).max(initial=0.0)  # a sum on the edge of the band is inside it
    inside = np.mean((sums >= low - rounding) & (sums <= high + rounding))
    return MaskSums(sums, expectation, deviation, (float(low), float(high)), float(mean_along(sums)[0]), float(inside))


def sum_histogram(x, sums, n_bins: int = 41) -> SumHistogram:
    """How often which sum came out, in equal bins around Σ x that do not depend on p, four norms of x to each side.

    The range Σ x ± 4·‖x‖ holds the whole ±2σ band for p up to 0.8; sums beyond it count in the first or last bin.
    Shapes: x of any shape, sums (m,), n_bins odd, from 3 to 1,001, so that Σ x is the middle of a bin; counts add up
    to m. Raises ValueError for another n_bins, and for an x whose range leaves float64.

    >>> sum_histogram([3, 4], [7, 7, -100], n_bins=5)
    SumHistogram(centres=array([-13.,  -3.,   7.,  17.,  27.]), counts=array([1, 0, 2, 0, 0]))
    """
    x, sums = checks.array("x", x).ravel(), checks.array("sums", sums, ndim=1)  # (d,), (m,)
    if checks.integer("n_bins", n_bins, 3, 1001) % 2 == 0:
        raise ValueError(f"n_bins must be odd; got {n_bins}: the middle bin lies around the sum of x")
    half = n_bins // 2
    with np.errstate(over="ignore", invalid="ignore"):
        step = 4 * math.hypot(*x) / half or 1.0
        centres = checks.in_range("the range of the bins", x.sum() + step * np.arange(-half, half + 1))  # (n_bins,)
        places = np.clip(np.rint((sums - centres[half]) / step), -half, half).astype(int) + half  # (m,)
    return SumHistogram(centres, np.bincount(places, minlength=n_bins))


def swapped_scale(p: float) -> float:
    """The wrong factor, 1 / p: right where p is the share that is kept, or by luck at p = 0.5. ∞ where p is 0, or so
    small that 1 / p leaves float64.

    >>> swapped_scale(0.1), swapped_scale(0.5)
    (10.0, 2.0)
    """
    p = checks.number("p", p, 0, 1)
    return 1 / p if p else math.inf


def _scale(p: float, scaled: bool) -> float:
    if not checks.flag("scaled", scaled):
        return 1.0
    return 0.0 if p == 1 else 1 / (1 - p)
