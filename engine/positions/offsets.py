"""A score matrix read along its diagonals: does a score depend on the offset only?"""

from typing import NamedTuple

import numpy as np

from engine import checks


class OffsetTrace(NamedTuple):
    """A square score matrix read along its diagonals."""

    offsets: np.ndarray  # (n, n): key position − query position; row i is the horizontal axis of start i's curve
    diagonals: np.ndarray  # (2n − 1,): −(n − 1) … n − 1
    spread: np.ndarray  # (2n − 1,): largest − smallest score on each diagonal
    out: float  # the largest spread: 0 up to rounding if the score depends on the offset only


def scores_by_offset(scores) -> OffsetTrace:
    """How far a score depends on more than the offset between its two positions.

    Shapes: scores (n, n). Raises ValueError for a matrix that is not square or is empty.

    >>> scores_by_offset([[1, 2], [3, 1.5]]).spread.tolist()
    [0.0, 0.5, 0.0]
    """
    scores = checks.array("scores", scores, ndim=2)
    n = scores.shape[0]
    if n == 0 or scores.shape[1] != n:
        raise ValueError(f"scores must be square, a row and a column per position; got shape {scores.shape}")
    diagonals = np.arange(1 - n, n)
    with np.errstate(over="ignore"):
        spread = np.array([np.ptp(np.diagonal(scores, offset)) for offset in diagonals])  # (2n − 1,)
    largest = float(checks.in_range("spread", spread).max())
    return OffsetTrace(np.arange(n) - np.arange(n)[:, None], diagonals, spread, largest)
