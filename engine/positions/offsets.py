"""A score matrix read along its diagonals: does a score depend on the offset only?"""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.positions.sinusoidal import sinusoidal_table

MAX_POSITIONS = 2_048  # of a score matrix


class OffsetTrace(NamedTuple):
    """A square score matrix read along its diagonals."""

    offsets: np.ndarray  # (n, n): key position − query position; row i is the horizontal axis of start i's curve
    diagonals: np.ndarray  # (2n − 1,): −(n − 1) … n − 1
    spread: np.ndarray  # (2n − 1,): largest − smallest score on each diagonal
    out: float  # the largest spread: 0 up to rounding if the score depends on the offset only


def scores_by_offset(scores) -> OffsetTrace:
    """How far a score depends on more than the offset between its two positions.

    Shapes: scores (n, n), n at most 2,048. Raises ValueError for a matrix that is not square or is empty.

    >>> scores_by_offset([[1, 2], [3, 1.5]]).spread.tolist()
    [0.0, 0.5, 0.0]
    """
    scores = checks.array("scores", scores, ndim=2)
    n = checks.integer("the rows of scores", scores.shape[0], 0, MAX_POSITIONS)
    if n == 0 or scores.shape[1] != n:
        raise ValueError(f"scores must be square, a row and a column per position; got shape {scores.shape}")
    offsets, diagonals = np.arange(n) - np.arange(n)[:, None], np.arange(1 - n, n)
    in_a_row = scores.ravel()[np.argsort(offsets.ravel(), kind="stable")]  # (n²,): diagonal after diagonal
    starts = np.cumsum(n - np.abs(diagonals)) - (n - np.abs(diagonals))
    with np.errstate(over="ignore"):
        spread = np.maximum.reduceat(in_a_row, starts) - np.minimum.reduceat(in_a_row, starts)  # (2n − 1,)
    largest = float(checks.in_range("spread", spread).max())
    return OffsetTrace(offsets, diagonals, spread, largest)


class OffsetCurve(NamedTuple):
    """The scores of all n starts against the offset, one start after the other with a gap (NaN) after each."""

    x: np.ndarray  # (n·(n + 1),) offsets, 0 in a gap
    y: np.ndarray  # (n·(n + 1),) scores


def offset_curve(scores) -> OffsetCurve:
    """A square score matrix as one line to draw: a curve for each start, laid over each other.

    Shapes: scores (n, n), see `OffsetCurve`. Raises ValueError as `scores_by_offset`.

    >>> offset_curve([[1, 2], [3, 4]]).x.tolist(), offset_curve([[1, 2], [3, 4]]).y.tolist()
    ([0, 1, 0, -1, 0, 0], [1.0, 2.0, nan, 3.0, 4.0, nan])
    """
    gap = ((0, 0), (0, 1))
    offsets = scores_by_offset(scores).offsets
    padded = np.pad(checks.array("scores", scores), gap, constant_values=np.nan)
    return OffsetCurve(np.pad(offsets, gap).ravel(), padded.ravel())


def spread_by_width(n_positions, widths, *, base: float = 10_000.0) -> tuple[float, ...]:
    """How far the score PE·PEᵀ depends on more than the offset, for tables of several widths.

    The `out` of `scores_by_offset`: rounding at an even width, far more at an odd one, whose last sine has no cosine.
    Shapes: widths (m,) whole numbers, m at most 100 and m·n_positions² at most 2²²; returns m numbers. Raises
    ValueError as `sinusoidal_table`.

    >>> [spread > 1e-9 for spread in spread_by_width(8, [4, 5])]
    [False, True]
    """
    widths = [
        checks.integer("a width", width, 1) for width in checks.items("widths", widths, "whole numbers", most=100)
    ]
    n = checks.integer("n_positions", n_positions, 1, MAX_POSITIONS)
    checks.within("the scores", checks.MAX_NUMBERS, widths=len(widths) or 1, n_positions=n, n=n)
    checks.within("the products", checks.MAX_PRODUCTS, n_positions=n, n=n, widths_in_all=sum(widths))
    tables = [sinusoidal_table(n, width, base=base) for width in widths]
    return tuple(scores_by_offset(table @ table.T).out for table in tables)
