"""How alike vectors are: length, cosine, projection, angle, nearest neighbours, and what removing the mean does."""

import math
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import binary_exponent, mean_along
from engine.vectors.cosines import row_cosines
from engine.vectors.products import as_matrix, as_pair, as_vector, matmul

TIE = 1e-12  # two similarities closer than this share of their size are equal but for rounding


class AngleTrace(NamedTuple):
    """Both measures over the angle between two vectors: angles in degrees, dots and cosines, (m,) each."""

    angles: np.ndarray
    dots: np.ndarray
    cosines: np.ndarray


class RowPair(NamedTuple):
    """Two rows of a matrix, first < second, and how much they differ."""

    first: int
    second: int
    difference: float


def norm(a) -> float:
    """The length of a vector: ‖a‖ = √(Σ_i a_i²) (Strang 2016, §1.2), without overflow or underflow on the way.

    Shapes: a (d,), returns a float ≥ 0. Raises ValueError for an empty vector or a length beyond float64.

    >>> norm([3, 4])
    5.0
    """
    return float(checks.in_range("the length", np.array([math.hypot(*as_vector("a", a))]))[0])


def cosine_similarity(a, b) -> float:
    """How much two vectors point the same way, lengths left out: cos(a, b) = a·b / (‖a‖·‖b‖).

    Shapes: a, b (d,), returns a float in [−1, 1]. With a zero vector it is undefined and shown as 0, as in PyTorch.
    Raises ValueError for two lengths or an empty vector. Manning, Raghavan & Schütze 2008, §6.3.1.

    >>> cosine_similarity([3, 4], [4, 3])
    0.96
    """
    return float(similarity_matrix(as_pair(a, b), "cosine")[0, 1])


def projection(a, b) -> np.ndarray:
    """The shadow of a on the line through b: (a·b / b·b)·b (Strang 2016, §4.2).

    Shapes: a, b (d,), returns (d,). On a zero vector there is no line: the projection is the zero vector.
    Raises ValueError for two lengths, an empty vector, or a result beyond float64.

    >>> projection([2, 3], [1, 1]).tolist()
    [2.5, 2.5]
    """
    a, b = as_pair(a, b)
    along = np.ldexp(b, -binary_exponent(b))  # b made shorter or longer by a power of two: the same line
    squared = along @ along
    if squared == 0:
        return np.zeros_like(a)
    with np.errstate(over="ignore", invalid="ignore"):
        return checks.in_range("the projection", a @ along / squared * along)


def angle_between(a, b) -> float:
    """The angle between two vectors in degrees, exact near 0° and 180° too, where the arc cosine is not.

    2·atan2(‖u − v‖, ‖u + v‖) with u = a / ‖a‖ and v = b / ‖b‖ (Kahan 2006, "How futile are mindless assessments of
    roundoff", §12). Shapes: a, b (d,), returns a float in [0, 180]. Raises ValueError for a zero vector: it has no
    direction.

    >>> round(angle_between([1, 0], [1, 1]), 6)
    45.0
    """
    units = []
    for name, vector in zip("ab", as_pair(a, b), strict=True):
        scaled = np.ldexp(vector, -binary_exponent(vector))
        if not scaled.any():
            raise ValueError(f"{name} must have a direction; got the zero vector: change one of its entries")
        units.append(scaled / norm(scaled))
    return math.degrees(2 * math.atan2(norm(units[0] - units[1]), norm(units[0] + units[1])))


def vector_at(angle_degrees: float, length: float) -> np.ndarray:
    """The vector of a given angle and length: length·(cos θ, sin θ), exact at every quarter turn.

    Angle in degrees, counted from the first axis towards the second; any number of turns. Returns (2,).
    Raises ValueError for a negative length.

    >>> vector_at(90, 2).tolist()
    [0.0, 2.0]
    """
    quarters, rest = divmod(checks.number("angle_degrees", angle_degrees), 90.0)
    x, y = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    for _ in range(int(quarters) % 4):
        x, y = -y, x
    return checks.number("length", length, 0) * np.array([x, y]) + 0.0


def measures_by_angle(length_a: float, length_b: float, angles) -> AngleTrace:
    """Dot product and cosine of two vectors of fixed length while the angle between them turns.

    Shapes: angles (m,) in degrees, m at most 10,000; returns (m,) each. Raises ValueError for a negative length.

    >>> measures_by_angle(2, 3, [0, 90, 180]).dots.tolist()
    [6.0, 0.0, -6.0]
    """
    angles, a = as_vector("angles", angles).copy(), vector_at(0, length_a)
    checks.integer("the number of angles", angles.size, 1, checks.MAX_ITEMS)
    turned = np.array([vector_at(angle, length_b) for angle in angles])  # (m, 2)
    pairs = np.stack([np.broadcast_to(a, turned.shape), turned], axis=1)  # (m, 2, 2)
    with np.errstate(over="ignore", invalid="ignore"):
        dots = checks.in_range("the sum", checks.in_range("the products", a * turned).sum(axis=1))
    return AngleTrace(angles, dots, row_cosines(pairs)[:, 0, 1].copy())


def similarity_matrix(X, measure: str) -> np.ndarray:
    """How alike every two rows are: X·Xᵀ for "dot", and the same divided by both lengths for "cosine".

    Shapes: X (n, d), n at most 2,048, returns (n, n), symmetric. Cosines stay in [−1, 1]; with a zero row they are 0.
    Raises ValueError for an unknown measure, an empty matrix, or dot products beyond float64.

    >>> similarity_matrix([[3, 4], [6, 8], [0, 0]], "cosine").tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    X = as_matrix("X", X)
    if checks.one_of("measure", measure, ("dot", "cosine")) == "dot":
        return matmul(X, X.T).out  # (n, n)
    checks.within("the products", checks.MAX_PRODUCTS, rows=len(X), columns=len(X), d=X.shape[1] + 128)
    return row_cosines(X)


def has_direction(X) -> np.ndarray:
    """Which rows point anywhere at all: those that are not zero. Of the others every cosine is undefined.

    Shapes: X (n, d), returns (n,) bool. Raises ValueError for an empty matrix.

    >>> has_direction([[3, 4], [0, 0]]).tolist()
    [True, False]
    """
    return np.asarray(as_matrix("X", X).any(axis=1))


def nearest_neighbours(similarity, *, defined=None) -> np.ndarray:
    """For each row the most similar other row; the lowest index where several are equally similar, −1 where none is.

    Equal means equal but for rounding: within 1e-12 of the best. A row that is not `defined` (see `has_direction`) has
    no neighbour and is nobody's. Shapes: similarity (n, n), its diagonal unread; defined (n,) bool, None for all;
    returns (n,) indices. Raises ValueError for a matrix that is not square or has one row only, or a defined that does
    not fit.

    >>> nearest_neighbours([[9, 1, 2], [1, 9, 1], [2, 1, 9]]).tolist()
    [2, 0, 0]
    >>> nearest_neighbours([[9, 1, 2], [1, 9, 1], [2, 1, 9]], defined=[True, True, False]).tolist()
    [1, 0, -1]
    """
    scores = checks.array("similarity", similarity, ndim=2)
    if scores.shape[0] != scores.shape[1] or len(scores) < 2:
        raise ValueError(f"similarity must be square with at least two rows; got shape {scores.shape}")
    pairs = _pairs(len(scores), defined)
    best = np.where(pairs, scores, -np.inf).max(axis=1, keepdims=True)  # (n, 1)
    best = np.where(np.isneginf(best), 0.0, best)  # without a neighbour, whatever it is
    with np.errstate(over="ignore"):
        near = pairs & (scores >= best - TIE * np.abs(best))
    return np.where(near.any(axis=1), near.argmax(axis=1), -1)  # (n,)


def most_popular(neighbours) -> int | None:
    """The row that is nearest for most others, the lowest index on a tie; None where no row has a neighbour.

    Shapes: neighbours (n,), as `nearest_neighbours` gives them, −1 for none. Raises ValueError for no rows or a row
    that does not exist.

    >>> most_popular([2, 0, 0]), most_popular([-1, -1])
    (0, None)
    """
    nearest = checks.classes("neighbours", neighbours, as_vector("neighbours", neighbours).size, low=-1)
    nearest = nearest[nearest >= 0]
    return int(np.bincount(nearest).argmax()) if nearest.size else None


def least_alike(similarity, *, defined=None) -> tuple[int, int] | None:
    """The row and the column of the lowest similarity of two different rows, the first of several.

    None where no two rows are `defined` (see `has_direction`). Shapes: similarity (n, n), its diagonal unread; defined
    (n,) bool, None for all. Raises ValueError for an empty matrix, one that is not square, or a defined that does not
    fit.

    >>> least_alike([[1, 0.5], [-0.5, 1]]), least_alike([[0, 0], [0, 1]], defined=[False, True])
    ((1, 0), None)
    """
    scores = as_matrix("similarity", similarity)
    checks.shape("similarity", scores, (len(scores), len(scores)), "a row and a column per vector")
    pairs = _pairs(len(scores), defined)
    if not pairs.any():
        return None
    row, column = np.unravel_index(np.where(pairs, scores, np.inf).argmin(), scores.shape)
    return int(row), int(column)


def closest_rows(x) -> RowPair:
    """The two rows that differ least, by their largest difference in any entry; the first such pair on a tie.

    Shapes: x (n, d), n at least 2 and n²·d at most 2²². Raises ValueError for fewer rows or none that are finite.

    >>> closest_rows([[0, 5], [1, 1], [1.5, 1]])
    RowPair(first=1, second=2, difference=0.5)
    """
    rows = as_matrix("x", x)
    if len(rows) < 2:
        raise ValueError(f"x needs at least two rows to compare; got {len(rows)}")
    checks.within("the differences", checks.MAX_NUMBERS, rows=len(rows), others=len(rows), d=rows.shape[1])
    with np.errstate(over="ignore"):
        apart = checks.in_range("the differences", abs(rows[:, None] - rows).max(axis=2))  # (n, n)
    apart[np.tril_indices(len(rows))] = np.inf
    first, second = np.unravel_index(apart.argmin(), apart.shape)
    return RowPair(int(first), int(second), float(apart[first, second]))


def finds_itself(similarity) -> np.ndarray:
    """Which rows a search would find themselves, with the diagonal left in: nobody is more similar, nor comes first.

    Shapes: similarity (n, n), returns (n,) bool. Raises ValueError for an empty matrix.

    >>> finds_itself([[1, 2], [2, 4]]).tolist()
    [False, True]
    """
    scores = as_matrix("similarity", similarity)
    return scores.argmax(axis=1) == np.arange(len(scores))


def alike_within(points, reach: float) -> tuple[tuple[int, ...], ...]:
    """For every point those that are closer than `reach` in each coordinate, itself among them.

    Shapes: points (n, d), n²·d at most 2²²; returns n tuples of indices, rising. Raises ValueError for an empty matrix
    or a negative reach.

    >>> alike_within([[0, 0], [0.5, 0], [5, 5]], 1)
    ((0, 1), (0, 1), (2,))
    """
    points, reach = as_matrix("points", points), checks.number("reach", reach, 0)
    checks.within("the differences", checks.MAX_NUMBERS, points=len(points), others=len(points), d=points.shape[1])
    with np.errstate(over="ignore"):
        return tuple(tuple(np.flatnonzero((abs(points - one) < reach).all(axis=1)).tolist()) for one in points)


def largest_difference(a, b) -> float:
    """How far two arrays of one shape lie apart in the cell where they differ most: max |a − b|.

    Raises ValueError for two shapes or no numbers.

    >>> largest_difference([1, 5], [2, 2])
    3.0
    """
    a = checks.array("a", a)
    if a.size == 0:
        raise ValueError(f"a needs at least one number; got shape {a.shape}")
    with np.errstate(over="ignore"):
        apart = abs(a - checks.shape("b", checks.array("b", b), a.shape, "that of a"))
    return float(checks.in_range("the difference", apart).max())


def remove_own_mean(X) -> np.ndarray:
    """Subtract from every row its own mean, which makes its cosines Pearson's correlations.

    Shapes: X (n, d), returns (n, d) with rows that sum to 0. Raises ValueError as `remove_mean`.

    >>> remove_own_mean([[1, 3], [5, 5]]).tolist()
    [[-1.0, 1.0], [0.0, 0.0]]
    """
    return remove_mean(as_matrix("X", X).T).T


def remove_mean(X) -> np.ndarray:
    """Subtract the mean row from every row, so that a shared offset no longer makes all rows look alike.

    X − (1/n)·Σ_i x_i (Mu & Viswanath 2018, All-but-the-Top, step 1). Shapes: X (n, d), returns (n, d) with columns that
    sum to 0; equal rows become exactly zero. Raises ValueError for an empty matrix or a result beyond float64.

    >>> remove_mean([[1, 2], [3, 6]]).tolist()
    [[-1.0, -2.0], [1.0, 2.0]]
    """
    X = as_matrix("X", X)
    with np.errstate(over="ignore"):
        return checks.in_range("X minus its mean", X - mean_along(X, 0))


def _pairs(n: int, defined) -> np.ndarray:
    """Which cells of an (n, n) table belong to two different rows that are both defined."""
    there = np.ones(n, dtype=bool) if defined is None else checks.boolean("defined", defined)
    checks.shape("defined", there, (n,), "one per row")
    return there[:, None] & there & ~np.eye(n, dtype=bool)
