"""Attention: queries score keys, scores become weights, weights mix values; one head or several."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.softmax import softmax

MAX_TOKENS = 8_192  # a mask holds n_q·n_k cells: 64 MiB at most


class AttentionTrace(NamedTuple):
    """Everything between queries and outputs of one head."""

    scores: np.ndarray  # (n_q, n_k) q·k
    scaled: np.ndarray  # (n_q, n_k) scores × scale
    masked: np.ndarray  # (n_q, n_k) scaled + bias, −∞ where the mask forbids
    weights: np.ndarray  # (n_q, n_k) softmax of each row
    out: np.ndarray  # (n_q, d_v) weighted sums of the value rows


class MultiHeadTrace(NamedTuple):
    """Everything between the tokens and the mixed output of several heads."""

    q: np.ndarray  # (n_heads, n, d_k)
    k: np.ndarray  # (n_heads, n, d_k)
    v: np.ndarray  # (n_heads, n, d_k)
    heads: tuple[AttentionTrace, ...]
    concat: np.ndarray  # (n, n_heads·d_k), the columns of a silent head are 0
    contributions: np.ndarray  # (n_heads, n, d_model), each head's share of out
    out: np.ndarray  # (n, d_model) = concat @ W_O = the sum of the contributions


def causal_mask(n_q: int, n_k: int | None = None) -> np.ndarray:
    """Which keys each query may see when nobody sees the future, the last query aligned to the last key.

    mask[i, j] = (j ≤ i + n_k − n_q) (Vaswani et al. 2017, §3.2.3). With n_q > n_k the first n_q − n_k queries see
    nothing. Combine with a padding mask by `causal_mask(n) & padding_mask(n, p)`.
    Shapes: returns (n_q, n_k) bool, True = may attend; n_k is n_q where not given.
    Raises ValueError for a size that is not a whole number from 1 to 8,192.

    >>> causal_mask(2, 3).astype(int).tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    n_q = checks.integer("n_q", n_q, 1, MAX_TOKENS)
    n_k = n_q if n_k is None else checks.integer("n_k", n_k, 1, MAX_TOKENS)
    return np.tri(n_q, n_k, n_k - n_q, dtype=bool)


def padding_mask(n_tokens: int, n_padding: int, *, side: str = "right") -> np.ndarray:
    """Which tokens are real when the last `n_padding` of them (the first, with side "left") only fill up the row.

    Shapes: returns (n_tokens,) bool, True = a real token.
    Raises ValueError for counts that do not fit each other and for a side other than "right" or "left".

    >>> padding_mask(4, 1).tolist()
    [True, True, True, False]
    """
    n_tokens = checks.integer("n_tokens", n_tokens, 1, MAX_TOKENS)
    n_padding = checks.integer("n_padding", n_padding, 0, n_tokens)
    real = np.arange(n_tokens) < n_tokens - n_padding
    return real if checks.one_of("side", side, ("right", "left")) == "right" else real[::-1].copy()


def scaled_dot_product(q, k, v, *, mask=None, bias=None, scale=None) -> AttentionTrace:
    """Compare every query with every key and mix the values by how well they match.

    softmax(q kᵀ · scale + bias) v, scale = 1/√d_k unless given (Vaswani et al. 2017, §3.2.1). The bias (ALiBi; −∞
    allowed) is added after scaling; masking happens before exp, with −∞.
    Shapes: q (n_q, d_k), k (n_k, d_k), v (n_k, d_v), mask (n_q, n_k) or (n_k,), True = may attend, bias (n_q, n_k).
    A query with no key left gets weights 0 and output 0, as in PyTorch's scaled_dot_product_attention and ONNX: its
    weights then sum to 0, not to 1.
    Raises ValueError for shapes that do not fit, an empty matrix, NaN or ∞ (also under the mask), a mask that is not
    boolean, and entries so large that a score leaves float64.

    >>> trace = scaled_dot_product([[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]])
    >>> trace.scores.tolist(), trace.weights.round(3).tolist()
    ([[0.0, 2.0], [1.0, 0.0]], [[0.24, 0.76], [0.64, 0.36]])
    """
    q, k, v = _filled("q", q), _filled("k", k), _filled("v", v)
    checks.shape("k", k, (len(k), q.shape[1]), "as many columns as q")
    checks.shape("v", v, (len(k), v.shape[1]), "one row per key")
    scale = 1 / np.sqrt(q.shape[1]) if scale is None else checks.number("scale", scale)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = checks.in_range("scores (q·k)", q @ k.T)  # (n_q, d_k) @ (d_k, n_k) -> (n_q, n_k)
        scaled = checks.in_range("scaled scores", scores * scale)
        biased = scaled if bias is None else _biased(scaled, bias)
        masked = biased if mask is None else np.where(_fitting_mask(mask, scores.shape), biased, -np.inf)
        weights = softmax(masked)
        out = checks.in_range("out", weights @ v)  # (n_q, n_k) @ (n_k, d_v) -> (n_q, d_v)
    return AttentionTrace(scores, scaled, masked, weights, out)


def value_shares(weights, v) -> np.ndarray:
    """What each value row adds to each output: share[i, j] = weights[i, j] · v[j].

    Summed over j this is `out` of `scaled_dot_product` (Vaswani et al. 2017, §3.2: "a weighted sum of the values").
    Shapes: weights (n_q, n_k), v (n_k, d_v), returns (n_q, n_k, d_v). Raises ValueError for shapes that do not fit.

    >>> value_shares([[0.25, 0.75]], [[4, 0], [0, 4]]).tolist()
    [[[1.0, 0.0], [0.0, 3.0]]]
    """
    weights, v = _filled("weights", weights), _filled("v", v)
    checks.shape("v", v, (weights.shape[1], v.shape[1]), "one row per column of weights")
    return weights[:, :, None] * v  # (n_q, n_k, 1) * (n_k, d_v) -> (n_q, n_k, d_v)


def entropy_limits(masked) -> np.ndarray:
    """The largest entropy the weights of each query can have: log of the number of keys left to it.

    Shapes: masked (n_q, n_k), −∞ = out of reach, returns (n_q,); nats. 0 where one key or none is left.
    Raises ValueError for NaN or +∞.

    >>> entropy_limits([[0, -np.inf], [5, 5]]).round(4).tolist()
    [0.0, 0.6931]
    """
    left = np.isfinite(checks.array("masked", masked, ndim=2, allow_neg_inf=True)).sum(axis=1)  # (n_q,)
    return np.log(np.maximum(left, 1))


def split_heads(x, n_heads: int) -> np.ndarray:
    """Cut the columns into heads: head h owns columns h·d_k … (h+1)·d_k − 1.

    Shapes: x (n, d_model), returns (n_heads, n, d_k) with d_k = d_model / n_heads.
    Raises ValueError where n_heads does not divide d_model.

    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2).tolist()
    [[[1.0, 2.0], [5.0, 6.0]], [[3.0, 4.0], [7.0, 8.0]]]
    """
    x, n_heads = _divisible(x, n_heads)
    return x.reshape(len(x), n_heads, -1).transpose(1, 0, 2)  # (n, n_heads, d_k) -> (n_heads, n, d_k)


def reshape_without_split(x, n_heads: int) -> np.ndarray:
    """The classic slip, to show beside `split_heads`: reshaping straight to (n_heads, n, d_k) mixes tokens up.

    Shapes and errors as in `split_heads`; the two agree only for one head or one token.

    >>> reshape_without_split([[1, 2, 3, 4], [5, 6, 7, 8]], 2).tolist()
    [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]
    """
    x, n_heads = _divisible(x, n_heads)
    return x.reshape(n_heads, len(x), -1)


def merge_heads(x) -> np.ndarray:
    """Put the heads side by side again, the inverse of `split_heads`.

    Shapes: x (n_heads, n, d_k), returns (n, n_heads·d_k). Raises ValueError for anything but three filled axes.

    >>> merge_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]).tolist()
    [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    """
    x = _filled("x", x, ndim=3)
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)  # (n, n_heads, d_k) -> (n, n_heads·d_k)


def join_heads(heads) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """W_Q, W_K, W_V of all heads side by side, as `multi_head` takes them.

    Shapes: heads is a sequence of `weights.Head` (anything with W_Q, W_K, W_V, each (d_model, d_k)); returns three
    matrices (d_model, n_heads·d_k). Raises ValueError for no heads or heads of different shapes.

    >>> from engine.weights import load_weights
    >>> join_heads(load_weights().layers[0].heads)[0].shape
    (3, 6)
    """
    heads = tuple(heads) if isinstance(heads, tuple | list) else ()
    if not heads or not all(hasattr(head, name) for head in heads for name in ("W_Q", "W_K", "W_V")):
        raise ValueError("heads must be a sequence of at least one head with W_Q, W_K and W_V")

    def side_by_side(name):
        parts = [checks.array(f"heads[{i}].{name}", getattr(head, name), ndim=2) for i, head in enumerate(heads)]
        for i, part in enumerate(parts):
            checks.shape(f"heads[{i}].{name}", part, parts[0].shape, f"as heads[0].{name}")
        return np.concatenate(parts, axis=1)  # n_heads × (d_model, d_k) -> (d_model, n_heads·d_k)

    return side_by_side("W_Q"), side_by_side("W_K"), side_by_side("W_V")


def multi_head(x, W_Q, W_K, W_V, W_O, *, n_heads, mask=None, bias=None, scale=None, active=None) -> MultiHeadTrace:
    """Let several heads attend to the same tokens and mix what they found.

    out = Concat(head_1, …, head_h) W_O, head_i = Attention(x W_Q^i, x W_K^i, x W_V^i) (Vaswani et al. 2017, §3.2.2).
    Shapes: x (n, d_model), W_Q, W_K, W_V (d_model, n_heads·d_k), W_O (n_heads·d_k, d_model), mask (n, n) or (n,),
    bias (n, n) or (n_heads, n, n), active (n_heads,) bool: a head with False is silent and contributes 0.
    The width of a head, not d_model, sets the scale 1/√d_k.
    Raises ValueError as `scaled_dot_product`, and where n_heads does not divide the columns of W_Q.

    >>> one = np.eye(2)
    >>> multi_head([[1, 0], [0, 1]], one, one, one, one, n_heads=2, active=[True, False]).out.round(3).tolist()
    [[0.731, 0.0], [0.5, 0.0]]
    """
    x, W_Q, W_O = _filled("x", x), _filled("W_Q", W_Q), _filled("W_O", W_O)
    checks.shape("W_Q", W_Q, (x.shape[1], W_Q.shape[1]), "one row per column of x")
    W_K = checks.shape("W_K", checks.array("W_K", W_K), W_Q.shape, "as W_Q")
    W_V = checks.shape("W_V", checks.array("W_V", W_V), W_Q.shape, "as W_Q")
    checks.shape("W_O", W_O, W_Q.shape[::-1], "from the heads side by side back to d_model")
    W_Q, n_heads = _divisible(W_Q, n_heads, "W_Q")
    speaks = np.ones(n_heads, bool) if active is None else checks.boolean("active", active)
    checks.shape("active", speaks, (n_heads,), "one entry per head")
    biases = _bias_per_head(bias, n_heads)
    with np.errstate(over="ignore", invalid="ignore"):  # x @ W: (n, n_heads·d_k), split: (n_heads, n, d_k)
        q = split_heads(checks.in_range("x @ W_Q", x @ W_Q), n_heads)
        k = split_heads(checks.in_range("x @ W_K", x @ W_K), n_heads)
        v = split_heads(checks.in_range("x @ W_V", x @ W_V), n_heads)
        per_head = zip(q, k, v, biases, strict=True)
        heads = tuple(scaled_dot_product(*qkv, mask=mask, bias=b, scale=scale) for *qkv, b in per_head)
        contexts = np.where(speaks[:, None, None], np.stack([head.out for head in heads]), 0.0)  # (n_heads, n, d_k)
        # (n_heads, n, d_k) @ (n_heads, d_k, d_model) -> (n_heads, n, d_model)
        contributions = checks.in_range("contributions", contexts @ W_O.reshape(n_heads, -1, W_O.shape[1]))
        out = checks.in_range("out", contributions.sum(axis=0))  # (n, d_model)
    return MultiHeadTrace(q, k, v, heads, merge_heads(contexts), contributions, out)


def _filled(name, value, ndim=2) -> np.ndarray:
    out = checks.array(name, value, ndim=ndim)
    if out.size == 0:
        raise ValueError(f"{name} must hold at least one row and one column; got shape {out.shape}")
    return out


def _divisible(x, n_heads, name="x") -> tuple[np.ndarray, int]:
    x, n_heads = _filled(name, x), checks.integer("n_heads", n_heads, 1)
    if x.shape[1] % n_heads:
        raise ValueError(f"n_heads must divide the {x.shape[1]} columns of {name}; got {n_heads}")
    return x, n_heads


def _biased(scaled, bias) -> np.ndarray:
    bias = checks.shape("bias", checks.array("bias", bias, allow_neg_inf=True), scaled.shape, "one per query and key")
    checks.in_range("scaled scores + bias", scaled + np.where(np.isneginf(bias), 0.0, bias))
    return scaled + bias


def _bias_per_head(bias, n_heads):
    if bias is None:
        return (None,) * n_heads
    bias = checks.array("bias", bias, allow_neg_inf=True)
    if bias.ndim < 3:
        return (bias,) * n_heads
    return checks.shape("bias", bias, (n_heads, *bias.shape[1:]), "one matrix per head")


def _fitting_mask(mask, shape) -> np.ndarray:
    mask = checks.boolean("mask", mask)
    if mask.shape not in (shape, shape[1:]):
        raise ValueError(f"mask must have shape {shape} or {shape[1:]} (queries × keys, or keys); got {mask.shape}")
    return mask
