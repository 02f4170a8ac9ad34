"""Which keys a query may see: nobody looks into the future, nobody looks at padding."""

import numpy as np

from engine import checks

MAX_TOKENS = 8_192  # a mask holds n_q·n_k cells: 64 MiB at most


def causal_mask(n_q: int, n_k: int | None = None, *, align: str = "end") -> np.ndarray:
    """Which keys each query may see when nobody sees the future (Vaswani et al. 2017, §3.2.3, where n_q = n_k).

    With fewer queries than keys the two must be aligned. align "end" puts the last query at the last key,
    mask[i, j] = (j ≤ i + n_k − n_q), right for queries that go on after keys in store; with n_q > n_k the first
    n_q − n_k queries see nothing. "start" puts query 0 at key 0, mask[i, j] = (j ≤ i): PyTorch's
    scaled_dot_product_attention with is_causal=True. Combine with a padding mask by `causal_mask(n) & padding_mask(n,
    p)`. Shapes: returns (n_q, n_k) bool, True = may attend; n_k is n_q where not given.
    Raises ValueError for a size that is not a whole number from 1 to 8,192, or another alignment.

    >>> causal_mask(2, 3).astype(int).tolist(), causal_mask(2, 3, align="start").astype(int).tolist()
    ([[1, 1, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]])
    """
    n_q = checks.integer("n_q", n_q, 1, MAX_TOKENS)
    n_k = n_q if n_k is None else checks.integer("n_k", n_k, 1, MAX_TOKENS)
    ahead = n_k - n_q if checks.one_of("align", align, ("end", "start")) == "end" else 0
    return np.tri(n_q, n_k, ahead, dtype=bool)


def sliding_window_mask(n_q: int, n_k: int | None = None, *, window: int) -> np.ndarray:
    """Which keys each query may see when nobody sees the future, nor further back than a window.

    mask[i, j] = (p − window < j ≤ p) with p = i + n_k − n_q: `window` keys, the query's own included (Beltagy et al.
    2020, Longformer; Jiang et al. 2023, Mistral 7B). Shapes and errors as `causal_mask`; window at least 1.

    >>> sliding_window_mask(3, window=2).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [0, 1, 1]]
    """
    ahead = causal_mask(n_q, n_k)
    n_q, n_k = ahead.shape
    far = np.tri(n_q, n_k, n_k - n_q - min(checks.integer("window", window, 1), n_q + n_k), dtype=bool)
    return ahead & ~far


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


def attention_mask(
    n_q: int, n_k: int | None = None, *, causal: bool = True, n_padding: int = 0, window: int | None = None
) -> np.ndarray:
    """Which keys each query may see: those not in its future, where `causal`, and no padding at the end.

    A window, None for none, keeps a causal query to its last `window` keys. Shapes: returns (n_q, n_k) bool, True = may
    attend; n_k is n_q where not given. Raises ValueError as `causal_mask`, `sliding_window_mask` and `padding_mask`,
    and for a window without `causal`.

    >>> attention_mask(3, causal=False, n_padding=1).astype(int).tolist()
    [[1, 1, 0], [1, 1, 0], [1, 1, 0]]
    """
    ahead = causal_mask(n_q, n_k) if window is None else sliding_window_mask(n_q, n_k, window=window)
    if window is not None and not checks.flag("causal", causal):
        raise ValueError(f"window must be None without causal, since it looks back only; got {window}")
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
