"""One head of attention: queries score keys, scores become weights, weights mix values."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.attention.masks import fitting_mask
from engine.softmax import softmax


class AttentionTrace(NamedTuple):
    """Everything between queries and outputs of one head."""

    scores: np.ndarray  # (n_q, n_k) q·k
    scaled: np.ndarray  # (n_q, n_k) scores × scale
    masked: np.ndarray  # (n_q, n_k) scaled + bias, −∞ where the mask forbids
    weights: np.ndarray  # (n_q, n_k) softmax of each row
    out: np.ndarray  # (n_q, d_v) weighted sums of the value rows


def scaled_dot_product(q, k, v, *, mask=None, bias=None, scale=None) -> AttentionTrace:
    """Compare every query with every key and mix the values by how well they match.

    softmax(q kᵀ · scale + bias) v, scale = 1/√d_k unless given (Vaswani et al. 2017, §3.2.1). The bias (ALiBi; −∞
    allowed) is added after scaling; masking happens before exp, with −∞.
    Shapes: q (n_q, d_k), k (n_k, d_k), v (n_k, d_v), mask (n_q, n_k) or (n_k,), True = may attend, bias (n_q, n_k).
    A query with no key left gets weights 0 and output 0, as in PyTorch's scaled_dot_product_attention and ONNX: its
    weights then sum to 0, not to 1.
    n_q·n_k is at most 2²², n_q·n_k·(d_k + d_v) at most 2²⁹.
    Raises ValueError for shapes that do not fit, an empty matrix, NaN or ∞ (also under the mask), a mask that is not
    boolean, and entries so large that a score leaves float64.

    >>> trace = scaled_dot_product([[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]])
    >>> trace.scores.tolist(), trace.weights.round(3).tolist()
    ([[0.0, 2.0], [1.0, 0.0]], [[0.24, 0.76], [0.64, 0.36]])
    """
    q, k, v = filled("q", q), filled("k", k), filled("v", v)
    checks.shape("k", k, (len(k), q.shape[1]), "as many columns as q")
    checks.shape("v", v, (len(k), v.shape[1]), "one row per key")
    checks.within("the scores", checks.MAX_NUMBERS, n_q=len(q), n_k=len(k))
    checks.within("the products", checks.MAX_PRODUCTS, n_q=len(q), n_k=len(k), widths=q.shape[1] + v.shape[1])
    scale = 1 / np.sqrt(q.shape[1]) if scale is None else checks.number("scale", scale)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = checks.in_range("scores (q·k)", q @ k.T)  # (n_q, d_k) @ (d_k, n_k) -> (n_q, n_k)
        scaled = checks.in_range("scaled scores", scores * scale)
        biased = scaled if bias is None else _biased(scaled, bias)
        masked = biased if mask is None else np.where(fitting_mask(mask, scores.shape), biased, -np.inf)
        weights = softmax(masked)
        out = checks.in_range("out", weights @ v)  # (n_q, n_k) @ (n_k, d_v) -> (n_q, d_v)
    return AttentionTrace(scores, scaled, masked, weights, out)


def attend_to_scores(scaled, *, mask=None) -> AttentionTrace:
    """Attention from the scaled scores on, with the keys themselves for values: out repeats the weights.

    Shapes: scaled (n_q, n_k), mask (n_q, n_k) or (n_k,), True = may attend; out (n_q, n_k). Raises ValueError as
    `scaled_dot_product`.

    >>> attend_to_scores([[0, 0, 9]], mask=[True, True, False]).weights.tolist()
    [[0.5, 0.5, 0.0]]
    """
    scaled = filled("scaled", scaled)
    checks.within("the keys", checks.MAX_NUMBERS, n_k=scaled.shape[1], d_v=scaled.shape[1])
    keys = np.eye(scaled.shape[1])
    return scaled_dot_product(scaled, keys, keys, scale=1.0, mask=mask)


def attend_with_zeros(scaled, mask) -> AttentionTrace:
    """The classic slip, to show beside a mask: a score of 0 where −∞ should stand, so that what is hidden still counts.

    Shapes and errors as in `attend_to_scores`.

    >>> attend_with_zeros([[0, 9]], [True, False]).weights.tolist()
    [[0.5, 0.5]]
    """
    scaled = filled("scaled", scaled)
    return attend_to_scores(np.where(fitting_mask(mask, scaled.shape), scaled, 0.0))


def attend_alike(q, k, loudness, *, mask=None, bias=None) -> AttentionTrace:
    """One query and one key at every place, each key as loud as given: what is left is the mask and the bias.

    Key j is loudness_j·k. Shapes: q, k (d_k,), loudness (n,), mask and bias as in `scaled_dot_product`; out (n, n)
    repeats the weights. Raises ValueError as `scaled_dot_product`.

    >>> attend_alike([1, 0], [0, 0], [1, 3]).weights.tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    q, k = checks.array("q", q, ndim=1), checks.array("k", k, ndim=1)
    loud = checks.array("loudness", loudness, ndim=1)
    n = len(loud)
    checks.within("the scores", checks.MAX_NUMBERS, n=n, widest=max(n, q.size, k.size))
    with np.errstate(over="ignore"):
        keys = checks.in_range("loudness · k", k * loud[:, None])
    return scaled_dot_product(np.tile(q, (n, 1)), keys, np.eye(n), mask=mask, bias=bias)


def value_shares(weights, v) -> np.ndarray:
    """What each value row adds to each output: share[i, j] = weights[i, j] · v[j].

    Summed over j this is `out` of `scaled_dot_product` (Vaswani et al. 2017, §3.2: "a weighted sum of the values").
    Shapes: weights (n_q, n_k), v (n_k, d_v), returns (n_q, n_k, d_v), at most 2²² numbers. Raises ValueError for shapes
    that do not fit, and shares beyond float64.

    >>> value_shares([[0.25, 0.75]], [[4, 0], [0, 4]]).tolist()
    [[[1.0, 0.0], [0.0, 3.0]]]
    """
    weights, v = filled("weights", weights), filled("v", v)
    checks.shape("v", v, (weights.shape[1], v.shape[1]), "one row per column of weights")
    checks.within("the shares", checks.MAX_NUMBERS, n_q=len(weights), n_k=len(v), d_v=v.shape[1])
    with np.errstate(over="ignore"):
        # (n_q, n_k, 1) * (n_k, d_v) -> (n_q, n_k, d_v)
        return checks.in_range("the shares", weights[:, :, None] * v)


def entropy_limits(masked) -> np.ndarray:
    """The largest entropy the weights of each query can have: log of the number of keys left to it.

    Shapes: masked (n_q, n_k), −∞ = out of reach, returns (n_q,); nats. 0 where one key or none is left.
    Raises ValueError for NaN or +∞.

    >>> entropy_limits([[0, -np.inf], [5, 5]]).round(4).tolist()
    [0.0, 0.6931]
    """
    left = np.isfinite(checks.array("masked", masked, ndim=2, allow_neg_inf=True)).sum(axis=1)  # (n_q,)
    return np.log(np.maximum(left, 1))


def filled(name, value, ndim=2) -> np.ndarray:
    """An array of finite numbers, at least one row and one column of them, or a ValueError that names it.

    >>> filled("q", [[1, 2]]).shape
    (1, 2)
    """
    out = checks.array(name, value, ndim=ndim)
    if out.size == 0:
        raise ValueError(f"{name} must hold at least one row and one column; got shape {out.shape}")
    return out


def _biased(scaled, bias) -> np.ndarray:
    bias = checks.shape("bias", checks.array("bias", bias, allow_neg_inf=True), scaled.shape, "one per query and key")
    with np.errstate(over="ignore"):
        checks.in_range("scaled scores + bias", scaled + np.where(np.isneginf(bias), 0.0, bias))
        return scaled + bias
