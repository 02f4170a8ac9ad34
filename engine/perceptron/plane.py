"""The unit's line in the plane: whether one can do it, which biases would, where it runs and what it encloses."""

from fractions import Fraction

import numpy as np

from engine import checks
from engine.perceptron.unit import predict

MAX_PAIRS = 20_000  # of points of different classes, compared in fractions


def is_separable(x, targets) -> bool:
    """Whether any line answers every example rightly: whether w·x + b > 0 for all of class 1 and none of class 0.

    Exact, in fractions: such a line exists just if all differences between a point of class 1 and one of class 0 lie
    in an open half-plane (the separation theorem for two convex hulls). One class alone is separable.
    Shapes: x (n, 2), targets (n,) of 0 and 1, at most 20,000 pairs of one of each. Raises ValueError for other shapes
    and targets.

    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> is_separable(corners, [0, 0, 0, 1]), is_separable(corners, [0, 1, 1, 0])
    (True, False)
    """
    x = checks.array("x", x, ndim=2)
    checks.shape("x", x, (len(x), 2), "points of a plane")
    targets = checks.shape("targets", checks.classes("targets", targets, 2), (len(x),), "one per row of x")
    n_ones = int(targets.sum())
    checks.within("the pairs of points", MAX_PAIRS, ones=n_ones, zeros=len(x) - n_ones)
    ones, zeros = ([tuple(map(Fraction, row)) for row in x[targets == side].tolist()] for side in (1, 0))
    apart = [(a[0] - b[0], a[1] - b[1]) for a in ones for b in zeros]
    return not apart or _in_half_plane(apart)


def right_biases(x, targets, weights) -> tuple[float, float] | None:
    """The biases under which these weights answer every example rightly: above the first, up to the second.

    None where there are none: the weights point the wrong way. −∞ or ∞ where a class has no examples.

    Shapes: x (n, 2), targets (n,) of 0 and 1, weights (2,). Raises ValueError as `is_separable`.

    >>> right_biases([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], [1, 1])
    (-2.0, -1.0)
    """
    x, targets = _checked_plane(x, targets)
    sums = predict(x, weights).weighted_sums
    low, high = -sums[targets == 1].min(initial=np.inf), -sums[targets == 0].max(initial=-np.inf)
    return (float(low), float(high)) if low < high else None


def decision_line(weights, bias, *, low: float, high: float) -> np.ndarray:
    """The two ends of the line w·x + b = 0 inside the square [low, high] × [low, high], to draw it.

    Shapes: weights (2,); returns (2, 2), a point a row, or (0, 2) where no line crosses the square (also for w = 0).
    Raises ValueError for other than 2 weights, or low not below high.

    >>> decision_line([1, 1], -1, low=0, high=1).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    w = checks.shape("weights", checks.array("weights", weights), (2,), "one per axis of the plane")
    low = checks.number("low", low, -1e6, 1e6)
    high = checks.number("high", high, low, 1e6, open_low=True)
    w, b = _scaled(w, checks.number("bias", bias))
    ends = []
    for axis in (0, 1):
        for side in (low, high):
            if w[1 - axis] != 0:
                with np.errstate(over="ignore"):
                    other = -(w[axis] * side + b) / w[1 - axis]
                if low <= other <= high:
                    ends.append((side, other) if axis == 0 else (other, side))
    ends = sorted(set(ends))
    return np.array([ends[0], ends[-1]]) + 0.0 if len(ends) > 1 else np.empty((0, 2))


def half_plane(weights, bias, *, low: float, high: float) -> np.ndarray:
    """The corners of the region w·x + b > 0, where the answer is 1, inside the square [low, high] × [low, high].

    Shapes: weights (2,); returns (m, 2), a corner a row in order around the region, m = 0 where the answer is 0 in the
    whole square. Raises ValueError as `decision_line`.

    >>> half_plane([1, 1], -1, low=0, high=1).tolist()
    [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    """
    ends = decision_line(weights, bias, low=low, high=high)
    corners = np.array([(low, low), (high, low), (high, high), (low, high)], dtype=float)
    sums = predict(corners, weights, bias).weighted_sums
    if not (sums > 0).any():
        return np.empty((0, 2))
    region = np.unique(np.concatenate([corners[sums >= 0], ends]), axis=0)  # the edge belongs to the drawing
    x, y = (region - region.mean(axis=0)).T
    return region[np.argsort(np.arctan2(y, x))]  # a convex region: its corners in the order of their angles


def _in_half_plane(vectors) -> bool:
    """Whether all lie strictly on one side of some line through the origin: the sector they span stays below 180°."""
    right = left = vectors[0]  # the sector reaches from right to left, counter-clockwise
    for v in vectors:
        past_right, past_left = _cross(right, v), _cross(left, v)
        if past_right == 0 == past_left:  # the sector is a single ray yet, and v lies along it or against it
            if v[0] * right[0] + v[1] * right[1] <= 0:
                return False
        elif past_right > 0 and past_left > 0:
            left = v
        elif past_right < 0 and past_left < 0:
            right = v
        elif past_right < 0 or past_left > 0:
            return False
    return True


def _cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def _checked_plane(x, targets) -> tuple[np.ndarray, np.ndarray]:
    x = checks.array("x", x, ndim=2)
    checks.shape("x", x, (len(x), 2), "points of the plane")
    targets = checks.classes("targets", targets, 2)
    return x, checks.shape("targets", targets, (len(x),), "one per row of x")


def _scaled(w: np.ndarray, b: float) -> tuple[np.ndarray, float]:
    """The same line with its largest coefficient 1, so that no product overflows."""
    top = max(np.abs(w).max(), abs(b)) or 1.0
    return w / top, b / top
