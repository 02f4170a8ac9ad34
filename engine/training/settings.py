"""What stays the same for every pass of a call, checked once: the options, and the sequences side by side."""

from collections.abc import Callable
from inspect import unwrap
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.feed_forward import ACTIVATIONS
from engine.transformer import PLACEMENTS, layers_used
from engine.weights import Weights


class Options(NamedTuple):
    """The options of `transformer.forward`, checked and ready for a pass."""

    causal: bool
    placement: str
    activate: Callable[[np.ndarray], np.ndarray]
    derivative: Callable[[np.ndarray], np.ndarray]
    cornered: bool  # the activation has a corner at 0
    layers: tuple[int, ...]  # of each block, the number of the layer it works with
    n_heads: int
    scale: float
    speaks: np.ndarray | None  # (n_heads, 1, 1) bool, None where all heads speak
    final_norm: bool


class Batch(NamedTuple):
    """B sequences of up to n tokens, N = B·n rows; targets and what they weigh."""

    ids: np.ndarray  # (B, n)
    one_hot_ids: np.ndarray  # (V, N)
    one_hot_targets: np.ndarray  # (B, n, V)
    target_cells: np.ndarray  # (N,) where the target of each row stands among the N·V logits
    counts: np.ndarray  # (N,) bool, False in padding and where a mask says so
    divisor: np.ndarray  # (B, n, 1) how many rows count, ∞ in rows that do not
    hidden_keys: np.ndarray | None  # (B or 1, 1, n, n) bool, True = out of reach; None where nothing is


def checked_options(
    weights: Weights,
    *,
    causal: bool = True,
    norm_placement: str = "post",
    activation: str = "relu",
    n_layers: int | None = None,
    scale: bool = True,
    active_heads=None,
    final_norm: bool = False,
) -> Options:
    """The options of `transformer.forward` for a checked model, or the ValueError that `forward` would raise.

    >>> from engine.weights import load_weights
    >>> checked_options(load_weights(), n_layers=2).layers
    (0, 0)
    """
    heads, own = weights.layers[0].heads, len(weights.layers)
    speaks = np.ones(len(heads), bool) if active_heads is None else checks.boolean("active_heads", active_heads)
    checks.shape("active_heads", speaks, (len(heads),), "one entry per head")
    both = ACTIVATIONS[checks.one_of("activation", activation, ACTIVATIONS)]
    return Options(
        causal=checks.flag("causal", causal),
        placement=checks.one_of("norm_placement", norm_placement, PLACEMENTS),
        activate=unwrap(both.function),
        derivative=unwrap(both.derivative),
        cornered=activation == "relu",
        layers=tuple(i % own for i in range(len(layers_used(weights, n_layers)))),
        n_heads=len(heads),
        scale=1 / np.sqrt(heads[0].W_Q.shape[1]) if checks.flag("scale", scale) else 1.0,
        speaks=None if speaks.all() else speaks[:, None, None].copy(),
        final_norm=checks.flag("final_norm", final_norm),
    )


def batch_of(reads, targets, counts, vocabulary: int, causal: bool) -> Batch:
    """Sequences of ids, what should follow each token and which tokens count, padded at the end to the longest.

    Shapes: B vectors each, of the same lengths; all checked already.

    >>> batch_of([[0, 1], [2]], [[1, 2], [0]], [[True, True], [True]], 3, True).ids.tolist()
    [[0, 1], [2, 0]]
    """
    lengths = np.array([len(read) for read in reads])
    n = int(lengths.max())

    def padded(rows, kind):
        table = np.zeros((len(rows), n), dtype=kind)
        for row, values in zip(table, rows, strict=True):
            row[: len(values)] = values
        return table

    ids, wanted, keep = padded(reads, int), padded(targets, int), padded(counts, bool)
    words = np.eye(vocabulary)
    hidden = ~np.tri(n, dtype=bool)[None] if causal else np.arange(n) >= lengths[:, None, None]  # (1 or B, n or 1, n)
    return Batch(
        ids=ids,
        one_hot_ids=np.ascontiguousarray(words[ids.ravel()].T),
        one_hot_targets=words[wanted],
        target_cells=np.arange(ids.size) * vocabulary + wanted.ravel(),
        counts=keep.ravel(),
        divisor=np.where(keep, float(keep.sum()), np.inf)[..., None],
        hidden_keys=hidden[:, None] if hidden.any() else None,
    )
