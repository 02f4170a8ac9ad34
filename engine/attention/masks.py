"""Which keys a query may see: nobody looks into the future, nobody looks at padding."""

import numpy as np

from engine import checks

MAX_TOKENS = 8_192  # a mask holds n_q·n_k cells: 64 MiB at most


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


def attention_mask(n_q: int, n_k: int | None = None, *, causal: bool = True, n_padding: int = 0) -> np.ndarray:
    """Which keys each query may see: those not in its future, where `causal`, and no padding at the end.

    Shapes: returns (n_q, n_k) bool, True = may attend; n_k is n_q where not given. Raises ValueError as `causal_mask`
    and `padding_mask`.

    >>> attention_mask(3, causal=False, n_padding=1).astype(int).tolist()
    [[1, 1, 0], [1, 1, 0], [1, 1, 0]]
    """
    ahead = causal_mask(n_q, n_k)
    seen = ahead if checks.flag("causal", causal) else np.ones_like(ahead)
    return padding_mask(seen.shape[1], n_padding) & seen


def fitting_mask(mask, shape) -> np.ndarray:
    """The mask itself if it is boolean and fits scores of that shape, by query and key or by key alone.

    >>> fitting_mask([True, False], (3, 2)).tolist()
    [True, False]
    """
    mask = checks.boolean("mask", mask)
    if mask.shape not in (shape, shape[1:]):
        raise ValueError(f"mask must have shape {shape} or {shape[1:]} (queries × keys, or keys); got {mask.shape}")
    return mask
