"""Attention worked by hand: any step may be overwritten, and all steps after it follow from what was written."""

import numpy as np

from engine import checks
from engine.attention.scores import AttentionTrace, filled, scaled_dot_product, value_shares


def attention_by_hand(q, k, v, *, scores=None, scaled=None, weights=None) -> AttentionTrace:
    """Compute one head of attention, but go on from a learner's own numbers wherever some are given.

    scores = q kᵀ, scaled = scores / √d_k, weights = softmax of each row, out = weights v (Vaswani et al. 2017, §3.2.1),
    all by `scaled_dot_product`; there is no mask. A step that is given replaces the computed one; the steps before it
    stay as computed. Weights that are given are taken as they are, also if a row does not sum to 1.

    Shapes: q (n_q, d_k), k (n_k, d_k), v (n_k, d_v), each step (n_q, n_k).
    Raises ValueError as `scaled_dot_product`, and for a step of another shape.

    >>> trace = attention_by_hand([[1, 0]], [[1, 0], [0, 1]], [[4, 0], [0, 4]], weights=[[0.25, 0.75]])
    >>> trace.scores.tolist(), trace.out.tolist()
    ([[1.0, 0.0]], [[1.0, 3.0]])
    """
    q = filled("q", q)
    trace = scaled_dot_product(q, k, v)
    shape, scale = trace.scores.shape, q.shape[1] ** -0.5
    keys = np.eye(shape[1])  # scores @ keysᵀ = scores: the steps after a given one are the engine's own
    if scores is not None:
        trace = scaled_dot_product(_step("scores", scores, shape), keys, v, scale=scale)
    if scaled is not None:
        follows = scaled_dot_product(_step("scaled", scaled, shape), keys, v, scale=1.0)
        trace = follows._replace(scores=trace.scores)
    if weights is not None:
        weights = _step("weights", weights, shape)
        with np.errstate(over="ignore", invalid="ignore"):
            out = checks.in_range("out", value_shares(weights, v).sum(axis=1))  # (n_q, n_k, d_v) -> (n_q, d_v)
        trace = trace._replace(weights=weights.copy(), out=out)
    return trace


def _step(name: str, value, shape: tuple[int, int]) -> np.ndarray:
    return checks.shape(name, checks.array(name, value, ndim=2), shape, "a row per query, a column per key")
