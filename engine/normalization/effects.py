"""What a norm does to a matrix: moments of rows and columns, the variance each ε leaves, and the other layer norm."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.normalization.norms import NormTrace, batch_norm, layer_norm, layer_norm_stages, rows_of, spread


class Moments(NamedTuple):
    """Mean and biased variance of every row, (n, 1), and of every column, (1, d)."""

    row_mean: np.ndarray
    row_variance: np.ndarray
    column_mean: np.ndarray
    column_variance: np.ndarray


def moments(x) -> Moments:
    """Mean and biased variance of every row and of every column, to see what a norm evened out and what not.

    Shapes: x (n, d). Raises ValueError for an empty x; a variance beyond float64 is shown as ∞.

    >>> moments([[1, 3], [5, 7]]).column_mean.tolist()
    [[3.0, 5.0]]
    """
    x = checks.array("x", x, ndim=2)
    rows, columns = layer_norm(x), batch_norm(x)
    return Moments(rows.mean, rows.variance, columns.mean, columns.variance)


def moments_at(trace: NormTrace, row: int, column: int) -> tuple[float, float]:
    """The mean and the variance that a norm used for one cell, whether it took them over the row or the column.

    Shapes: trace of a matrix (n, d). Raises ValueError for a cell that does not exist.

    >>> moments_at(batch_norm([[1, 5], [3, 5]]), 1, 0)
    (2.0, 1.0)
    """
    checks.instance("trace", trace, NormTrace, "a NormTrace, what layer_norm and batch_norm return")
    n, d = checks.array("trace.out", trace.out, ndim=2).shape
    cell = checks.integer("row", row, 0, n - 1), checks.integer("column", column, 0, d - 1)
    found = []
    for name, moment in (("mean", trace.mean), ("variance", trace.variance)):
        moment = checks.array(f"trace.{name}", moment, ndim=2, allow_inf=True)
        if moment.shape not in ((n, 1), (1, d)):
            raise ValueError(f"trace.{name} must have one number per row or per column; got shape {moment.shape}")
        found.append(float(np.broadcast_to(moment, (n, d))[cell]))
    return found[0], found[1]


def with_moments(x) -> np.ndarray:
    """A matrix framed by its moments: two columns for the mean and variance of its rows, two rows for its columns'.

    Shapes: x (n, d), returns (n + 2, d + 2), NaN in the four cells where the frame meets. Raises ValueError as
    `moments`.

    >>> with_moments([[1, 3]]).tolist()
    [[1.0, 3.0, 2.0, 1.0], [1.0, 3.0, nan, nan], [0.0, 0.0, nan, nan]]
    """
    x, found = checks.array("x", x, ndim=2), moments(x)
    columns = np.vstack([found.column_mean, found.column_variance])  # (2, d)
    return np.block([[x, found.row_mean, found.row_variance], [columns, np.full((2, 2), np.nan)]])


def variance_after(x, eps_values) -> np.ndarray:
    """The variance layer norm leaves in each row, before γ and β, for several ε: σ² / (σ² + ε), not quite 1.

    The variance of the normalised row (Ba, Kiros & Hinton 2016, eq. 4), whose mean is 0.
    Shapes: x (n, d), eps_values (m,), m at most 1,000 and m·n·d at most 2²²; returns (m, n). Raises ValueError as
    `layer_norm`.

    >>> variance_after([[1, 3]], [0, 1]).round(6).tolist()
    [[1.0], [0.5]]
    """
    x = checks.array("x", x, ndim=2)
    eps_values = checks.array("eps_values", eps_values, ndim=1)
    checks.integer("the number of eps_values", eps_values.size, 0, 1_000)
    checks.within("the norms", checks.MAX_NUMBERS, eps_values=eps_values.size, numbers=x.size)
    found = spread(rows_of(x), -1)
    roots = np.sqrt([checks.number("eps", eps, 0) for eps in eps_values.tolist()])
    deviation = np.hypot(found.std, roots[:, None, None])  # (m, n, 1)
    if (deviation == 0).any():
        layer_norm(x, eps=0.0)  # refuses it in its own words
    below = np.ldexp(deviation, -found.k)
    normalized = found.centred / np.where(below == 0, 1.0, below)  # (m, n, d)
    return np.square(normalized).mean(axis=-1)


def sample_layer_norm(x, *, eps: float = 1e-5) -> NormTrace:
    """The other layer norm in circulation: variance with n − 1, and ε added to the deviation instead of the variance.

    y = (x − μ) / (s + ε) with s² = Σ (x − μ)² / (d − 1) (Rush 2018, The Annotated Transformer); compare `layer_norm`.
    Shapes: x (…, d) with d ≥ 2; mean and variance (…, 1). Raises ValueError for one feature, a variance beyond float64,
    a negative ε, or ε = 0 with a constant row (0/0).

    >>> sample_layer_norm([1, 0, 0, 0]).out.round(3).tolist()
    [1.5, -0.5, -0.5, -0.5]
    """
    stages = layer_norm_stages(x, eps=1.0)  # only its mean, centred row and variance are used
    d = stages.out.shape[-1]
    if d < 2:
        raise ValueError(f"x needs at least two features for a variance with n − 1; got {d}: add a feature")
    with np.errstate(over="ignore"):
        variance = checks.in_range("the variance", stages.variance * (d / (d - 1)))  # (…, 1)
    with np.errstate(over="ignore"):
        deviation = checks.in_range("the deviation + eps", np.sqrt(variance) + checks.number("eps", eps, 0))  # (…, 1)
    if (deviation == 0).any():
        raise ValueError("eps must be above 0 here: a row of x has variance 0, and 0/0 has no value; use eps=1e-5")
    with np.errstate(over="ignore", invalid="ignore"):
        out = checks.in_range("out", stages.centred / deviation)
    return NormTrace(stages.mean, variance, out, out.copy())
