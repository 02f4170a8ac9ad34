"""One vector for a sentence from its token rows, and what padding rows do to it unless a mask keeps them out."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import mean_along
from engine.vectors import cosine_similarity, norm, similarity_matrix

METHODS = ("cls", "mean", "max", "last")
FILLS = ("zeros", "noise", "large")
SIDES = ("right", "left")
NOISE = 0.1  # standard deviation of "noise" padding
LARGE = 9.0  # every entry of "large" padding


class Padded(NamedTuple):
    """hidden (n, d) with its padding rows, and mask (n,), True = a real token."""

    hidden: np.ndarray
    mask: np.ndarray


class DriftTrace(NamedTuple):
    """The pooled vector with the mask and without it, (d,) each, their cosine and their distance."""

    masked: np.ndarray
    unmasked: np.ndarray
    cosine: float
    distance: float


class DriftCurve(NamedTuple):
    """Cosine and distance between masked and unmasked pooling for 0, 1, 2 … padding rows, (m + 1,) each."""

    n_padding: np.ndarray
    cosine: np.ndarray
    distance: np.ndarray


def pool(hidden, mask=None, *, method: str) -> np.ndarray:
    """One vector from many rows: the first or the last real token, the mean of the real tokens, or their maximum.

    "cls": h_i of the first i in the mask (Devlin et al. 2019, §3); "last": of the last one, the only token of a decoder
    that has seen all others (Wang et al. 2024, E5-Mistral); "mean" and "max" over the rows in the mask only, the
    maximum by column (Reimers & Gurevych 2019, Sentence-BERT, §3). All of them whichever side the padding is on.
    Shapes: hidden (n, d), mask (n,) boolean, True = a real token, or None for all; returns (d,). Raises ValueError if
    no row is left to pool, or for a mask of another length.

    >>> pool([[1, 2], [3, 4], [9, 9]], [True, True, False], method="mean").tolist()
    [2.0, 3.0]
    """
    hidden = checks.array("hidden", hidden, ndim=2)
    method = checks.one_of("method", method, METHODS)
    if mask is not None:
        mask = checks.shape("mask", checks.boolean("mask", mask), (len(hidden),), "one entry per row of hidden")
        hidden = hidden[mask]  # (n_real, d)
    if hidden.size == 0:
        why = "hidden is empty" if mask is None or mask.any() else "every row is padding"
        raise ValueError(f"there must be a real token to pool; {why}: let at least one row take part")
    if method in ("cls", "last"):
        return hidden[0 if method == "cls" else -1].copy()
    return mean_along(hidden, 0)[0] if method == "mean" else hidden.max(axis=0)


def pool_zeroed(hidden, mask) -> np.ndarray:
    """The other convention for a maximum under a mask: rows multiplied by the mask, so that zeros join in.

    Shapes: hidden (n, d), mask (n,), True = a real token; returns (d,). Raises ValueError as `pool`, but not for a mask
    that leaves nothing.

    >>> pool_zeroed([[-1, 2], [5, 5]], [True, False]).tolist()
    [0.0, 2.0]
    """
    hidden = checks.array("hidden", hidden, ndim=2)
    mask = checks.shape("mask", checks.boolean("mask", mask), (len(hidden),), "one per row of hidden")
    return pool(np.where(mask[:, None], hidden, 0.0), method="max")


def last_by_count(hidden, mask) -> np.ndarray:
    """The classic slip, to show beside "last": row Σ mask − 1, the last real one only where the padding comes last.

    Shapes: hidden (n, d), mask (n,), True = a real token; returns (d,). Raises ValueError as `pool`.

    >>> last_by_count([[9, 9], [1, 2], [3, 4]], [False, True, True]).tolist()
    [1.0, 2.0]
    """
    hidden, mask = checks.array("hidden", hidden, ndim=2), checks.boolean("mask", mask)
    pool(hidden, mask, method="last")  # refuses what it refuses
    return hidden[np.count_nonzero(mask) - 1].copy()


def padding_rows(n_padding: int, d: int, *, fill: str, rng: np.random.Generator) -> np.ndarray:
    """Rows that stand for padding: all 0, small normal noise (standard deviation 0.1), or all 9.

    Shapes: returns (n_padding, d); with the same seed, fewer rows are the first ones of more.
    Raises ValueError for an unknown fill, a negative number of rows, or an rng that is no generator.

    >>> padding_rows(1, 2, fill="large", rng=np.random.default_rng(0)).tolist()
    [[9.0, 9.0]]
    """
    shape = (checks.integer("n_padding", n_padding, 0, 10_000), checks.integer("d", d, 1, 10_000))
    checks.within("the padding", checks.MAX_NUMBERS, n_padding=shape[0], d=shape[1])
    checks.one_of("fill", fill, FILLS)
    checks.generator("rng", rng)
    return NOISE * rng.normal(size=shape) if fill == "noise" else np.full(shape, LARGE if fill == "large" else 0.0)


def add_padding(rows, padding, *, side: str) -> Padded:
    """Real rows and padding rows in one matrix, with the mask that tells them apart.

    Shapes: rows (n_real, d), padding (n_padding, d), side "right" (padding last) or "left" (padding first).
    Raises ValueError for two widths or an unknown side.

    >>> add_padding([[1, 2]], [[0, 0]], side="left")
    Padded(hidden=array([[0., 0.],
           [1., 2.]]), mask=array([False,  True]))
    """
    rows, padding = checks.array("rows", rows, ndim=2), checks.array("padding", padding, ndim=2)
    checks.shape("padding", padding, (len(padding), rows.shape[1]), "as wide as rows")
    order = 1 if checks.one_of("side", side, SIDES) == "right" else -1
    parts = [(rows, np.ones(len(rows), dtype=bool)), (padding, np.zeros(len(padding), dtype=bool))][::order]
    return Padded(np.concatenate([hidden for hidden, _ in parts]), np.concatenate([mask for _, mask in parts]))


def drift(hidden, mask, *, method: str) -> DriftTrace:
    """How far pooling without the mask lands from pooling with it: cos(m, u) and ‖m − u‖.

    Shapes: hidden (n, d), mask (n,); the vectors (d,). A zero vector has no direction: the cosine is then 0.
    Raises ValueError as `pool`.

    >>> drift([[1, 0], [1, 0], [0, 2], [0, 2]], [True, True, False, False], method="mean").unmasked.tolist()
    [0.5, 1.0]
    """
    masked, unmasked = pool(hidden, mask, method=method), pool(hidden, method=method)
    with np.errstate(over="ignore"):
        apart = checks.in_range("the difference", masked - unmasked)
    return DriftTrace(masked, unmasked, cosine_similarity(masked, unmasked), norm(apart))


def drift_by_method(hidden, mask) -> dict[str, DriftTrace]:
    """The drift of `drift` for each of the methods, by name.

    Shapes: hidden (n, d), mask (n,). Raises ValueError as `pool`.

    >>> drifts = drift_by_method([[1, 3], [9, 9]], [True, False])
    >>> {method: trace.unmasked.tolist() for method, trace in drifts.items()}
    {'cls': [1.0, 3.0], 'mean': [5.0, 6.0], 'max': [9.0, 9.0], 'last': [9.0, 9.0]}
    """
    return {method: drift(hidden, mask, method=method) for method in METHODS}


def drift_by_padding(rows, padding, *, method: str, side: str) -> DriftCurve:
    """The drift of `drift` as one padding row after another is added.

    Shapes: rows (n, d), padding (m, d), m up to 1,000; for 0 … m padding rows, (m + 1,) each. Raises ValueError as
    `pool`.

    >>> drift_by_padding([[3, 4]], [[0, 0], [0, 0]], method="mean", side="right").distance.round(4).tolist()
    [0.0, 2.5, 3.3333]
    """
    rows, padding = checks.array("rows", rows, ndim=2), checks.array("padding", padding, ndim=2)
    counts = np.arange(1 + checks.integer("the number of padding rows", len(padding), 0, 1_000))
    sizes = {"steps": len(counts), "rows": len(rows) + len(padding), "d": rows.shape[1]}
    checks.within("the steps", 16 * checks.MAX_NUMBERS, **sizes)
    masked = pool(rows, method=method)
    pooled = [pool(add_padding(rows, padding[:n], side=side).hidden, method=method) for n in counts]
    with np.errstate(over="ignore"):
        apart = checks.in_range("the difference", masked - pooled)  # (m + 1, d)
    cosines = similarity_matrix([masked, *pooled], "cosine")[0, 1:]
    return DriftCurve(counts, cosines, np.array([norm(difference) for difference in apart]))
