"""Two clusters of vectors: how similar they are inside and across, and what an offset they share does to that."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import mean_along
from engine.vectors.cosines import row_cosines
from engine.vectors.products import as_matrix
from engine.vectors.similarity import RowPair

# Eight vectors of four numbers in two clusters, of different lengths: the example of the labs on similarity.
TWO_CLUSTERS = (
    (2.0, 1.5, -1.0, -0.5),
    (1.0, 0.5, -0.5, -1.0),
    (3.0, 2.5, -2.0, -1.0),
    (0.5, 1.0, -1.0, 0.0),
    (-1.5, -1.0, 2.0, 1.0),
    (-0.5, -1.0, 0.5, 1.0),
    (-2.0, -0.5, 3.0, 1.5),
    (0.0, -1.5, 1.0, 2.0),
)
TWO_CLUSTERS_LABELS = (0, 0, 0, 0, 1, 1, 1, 1)


class ClusterMeans(NamedTuple):
    """The mean similarity of two different rows of one cluster, and of two rows of different clusters."""

    within: float
    between: float


class ClusterTrace(NamedTuple):
    """Mean cosine within and between clusters for every offset, (m,) each."""

    offsets: np.ndarray
    within: np.ndarray
    between: np.ndarray


def mean_within_between(similarity, labels) -> ClusterMeans:
    """The mean similarity inside the clusters and across them, a row never compared with itself.

    The mean of s_ij over i ≠ j of one cluster, and over i, j of two (Rousseeuw 1987 compares the same two groups).
    Shapes: similarity (n, n), labels (n,) cluster numbers 0 … n − 1. Raises ValueError for other shapes, and if no two
    rows share a cluster or all do.

    >>> mean_within_between([[1, 0.5, 0.1], [0.5, 1, 0.3], [0.1, 0.3, 1]], [0, 0, 1])
    ClusterMeans(within=0.5, between=0.2)
    """
    scores = checks.array("similarity", similarity, ndim=2)
    checks.shape("similarity", scores, (len(scores), len(scores)), "a row and a column per vector")
    return ClusterMeans(*(float(mean_along(scores[pairs])[0]) for pairs in _within_between(labels, len(scores))))


def _within_between(labels, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Which cells of an (n, n) table belong to two different rows of one cluster, and which to two clusters."""
    labels = checks.shape("labels", checks.classes("labels", labels, n), (n,), "one per row of similarity")
    same = labels[:, None] == labels[None, :]  # (n, n)
    within, between = same & ~np.eye(n, dtype=bool), ~same
    if not (within.any() and between.any()):
        raise ValueError(
            f"labels need two rows in one cluster and two clusters; got {checks.shown(labels.tolist())}: change one"
        )
    return within, between


def clusters_by_offset(X, labels, offsets, *, centre: bool = False) -> ClusterTrace:
    """Mean cosine within and between clusters when every row gets the same offset: why raw cosines run high.

    The offset is added to each entry; with `centre` the mean row is subtracted afterwards, which takes it out again
    (Ethayarajh 2019, How contextual are contextualized word representations?, on anisotropy; Mu & Viswanath 2018).
    Shapes: X (n, d), labels (n,), offsets (m,), m at most 1,000 and m·n·(n + d) at most 2²²; returns (m,) each. Raises
    ValueError as `mean_within_between`.

    >>> trace = clusters_by_offset([[1, 0], [1, 0], [0, 1]], [0, 0, 1], [0, 1])
    >>> trace.within.tolist(), trace.between.round(6).tolist()
    ([1.0, 1.0], [0.0, 0.8])
    """
    offsets = checks.array("offsets", offsets, ndim=1)
    X = checks.array("X", X, ndim=2)
    checks.integer("the number of offsets", offsets.size, 0, 1_000)
    sizes = {"offsets": offsets.size, "n": len(X), "n_and_d": len(X) + X.shape[1]}
    checks.within("the similarities", checks.MAX_NUMBERS, **sizes)
    pairs = _within_between(labels, len(X))
    with np.errstate(over="ignore"):
        moved = checks.in_range("X + offset", X + offsets[:, None, None])  # (m, n, d)
        if checks.flag("centre", centre):
            moved = checks.in_range("X minus its mean", moved - mean_along(moved, 1))
    cosines = row_cosines(moved)  # (m, n, n)
    means = (mean_along(np.ascontiguousarray(cosines[:, cells]))[:, 0] for cells in pairs)
    return ClusterTrace(offsets.copy(), *means)


def add_offset(X, offset: float) -> np.ndarray:
    """Every entry of every row moved by the same number: x_ij + offset.

    Shapes: X (n, d), returns (n, d). Raises ValueError if an entry leaves float64.

    >>> add_offset([[1, 2]], 10).tolist()
    [[11.0, 12.0]]
    """
    with np.errstate(over="ignore"):
        return checks.in_range("X + offset", checks.array("X", X, ndim=2) + checks.number("offset", offset))


def scale_row(X, row: int, factor: float) -> np.ndarray:
    """One row made `factor` times as long, the others as they were: factor·x_row.

    Shapes: X (n, d), returns (n, d). Raises ValueError for a row that does not exist or an entry that leaves float64.

    >>> scale_row([[1, 2], [3, 4]], 1, 10).tolist()
    [[1.0, 2.0], [30.0, 40.0]]
    """
    out = checks.array("X", X, ndim=2).copy()
    with np.errstate(over="ignore"):
        out[checks.integer("row", row, 0, len(out) - 1)] *= checks.number("factor", factor)
    return checks.in_range("the scaled row", out)


def nudged(x, index: int, by: float) -> np.ndarray:
    """One entry of a vector moved by a number, the others as they were.

    Shapes: x (d,), returns (d,). Raises ValueError for an entry that does not exist or one that leaves float64.

    >>> nudged([1, 2], 1, 0.5).tolist()
    [1.0, 2.5]
    """
    x = checks.array("x", x, ndim=1)
    index = checks.integer("index", index, 0, len(x) - 1)
    x = x.copy()
    with np.errstate(over="ignore"):
        x[index] += checks.number("by", by)
    return checks.in_range("the nudged x", x)


def scaled_and_shifted(x, *, scale: float = 1.0, shift: float | None = None) -> np.ndarray:
    """Every entry times one number, plus another where that is given: scale·x + shift.

    Shapes: x of any shape, returns the same. Raises ValueError for an entry that leaves float64.

    >>> scaled_and_shifted([1, 2], scale=3, shift=-1).tolist()
    [2.0, 5.0]
    """
    with np.errstate(over="ignore"):
        out = checks.array("x", x) * checks.number("scale", scale)
        return checks.in_range("the result", out if shift is None else out + checks.number("shift", shift))


def furthest_rows(x) -> RowPair:
    """The two rows that lie furthest apart, by their distance ‖x_i − x_j‖; the first such pair on a tie.

    Shapes: x (n, d), n at least 2. Raises ValueError for fewer rows or none that are finite.

    >>> furthest_rows([[0, 0], [3, 4], [1, 1]])
    RowPair(first=0, second=1, difference=5.0)
    """
    rows = as_matrix("x", x)
    if len(rows) < 2:
        raise ValueError(f"x needs at least two rows to compare; got {len(rows)}")
    checks.within("the differences", checks.MAX_NUMBERS, rows=len(rows), others=len(rows), d=rows.shape[1])
    with np.errstate(over="ignore"):
        apart = checks.in_range("the distances", np.linalg.norm(rows[:, None] - rows, axis=2))  # (n, n)
    apart[np.tril_indices(len(rows))] = -1
    first, second = np.unravel_index(apart.argmax(), apart.shape)
    return RowPair(int(first), int(second), float(apart[first, second]))
