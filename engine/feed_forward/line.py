"""What a feed-forward layer's own units do along a line: a straight one without activation, bent at its units with."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.feed_forward.sublayer import collapse, feed_forward


class BendTrace(NamedTuple):
    """Along the multiples of one row: out of the two layers and straight of the one they would be, (m, d_out) each, and
    the places, in order, where the hidden number of a unit passes through 0."""

    scales: np.ndarray
    out: np.ndarray
    straight: np.ndarray
    bends: np.ndarray


def along_line(x, W_1, b_1, W_2, b_2, scales, *, activation: str) -> BendTrace:
    """The layer's output for s·x, and where its units bend it: h_i = s·(x·W_1)_i + b_i is 0 at s = −b_i / (x·W_1)_i.

    Units that share a place count once; one that x does not reach has none. With ReLU the output is straight between
    two bends (Montúfar et al. 2014, On the Number of Linear Regions of Deep Neural Networks).
    Shapes: x (d_in,), scales (m,), the others as in `feed_forward`; bends lie between the smallest and largest scale.
    Raises ValueError as `feed_forward`, and for no scales.

    >>> along_line([1], [[1, 2]], [-1, -1], [[1], [1]], [0], [-2, 2], activation="relu").bends.tolist()
    [0.5, 1.0]
    """
    x, scales = checks.array("x", x, ndim=1), checks.array("scales", scales, ndim=1)
    if scales.size == 0:
        raise ValueError("scales needs at least one number: which multiples of x to look at")
    checks.within("the rows", checks.MAX_NUMBERS, scales=scales.size, d_in=x.size)
    with np.errstate(over="ignore"):
        rows = checks.in_range("s·x", scales[:, None] * x)  # (m, d_in)
    two = feed_forward(rows, W_1, b_1, W_2, b_2, activation=activation)
    one = collapse(rows, W_1, b_1, W_2, b_2, activation=activation).one_layer  # (m, d_out)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        rise, start = x @ checks.array("W_1", W_1), checks.array("b_1", b_1)  # (d_ff,) each
        checks.in_range("x @ W_1", rise)
        places = -start[rise != 0] / rise[rise != 0] + 0.0
        inside = places[(places >= scales.min()) & (places <= scales.max())]
        rounded = np.where(np.abs(inside) < 1e15, inside.round(12), inside)  # so large a number has no such digits
    return BendTrace(scales.copy(), two.out, one, np.unique(rounded))
