"""Several heads: each looks at its own columns of the same tokens, and W_O mixes what they found."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.attention.scores import AttentionTrace, filled, scaled_dot_product

MAX_HEADS = 10_000
MAX_HEAD_WORK = 2**24  # heads × scores of one call of multi_head


class MultiHeadTrace(NamedTuple):
    """Everything between the tokens and the mixed output of several heads."""

    q: np.ndarray  # (n_heads, n, d_k)
    k: np.ndarray  # (n_kv_heads, n, d_k), n_kv_heads = n_heads unless heads share keys and values
    v: np.ndarray  # (n_kv_heads, n, d_k)
    key_heads: np.ndarray  # (n_heads,) which of those each head reads
    heads: tuple[AttentionTrace, ...]
    concat: np.ndarray  # (n, n_heads·d_k), the columns of a silent head are 0
    contributions: np.ndarray  # (n_heads, n, d_model), each head's share of out
    out: np.ndarray  # (n, d_model) = concat @ W_O = the sum of the contributions

    @property
    def maps(self) -> np.ndarray:
        """The weights of every head, (n_heads, n, n)."""
        return np.stack([head.weights for head in self.heads])

    @property
    def largest_shares(self) -> np.ndarray:
        """The most each head adds to any cell of out, in size, (n_heads,)."""
        return abs(self.contributions).max(axis=(1, 2))


class ReshapeOrigins(NamedTuple):
    """Where the numbers come from that a head holds after `reshape_without_split`."""

    token: np.ndarray  # (n_heads, n) the token whose numbers begin each row
    column: np.ndarray  # (n_heads, n) the column they begin with
    strangers: np.ndarray  # (n_heads,) how many rows begin with another token's numbers


def split_heads(x, n_heads: int) -> np.ndarray:
    """Cut the columns into heads: head h owns columns h·d_k … (h+1)·d_k − 1.

    Shapes: x (n, d_model), returns (n_heads, n, d_k) with d_k = d_model / n_heads.
    Raises ValueError where n_heads does not divide d_model.

    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2).tolist()
    [[[1.0, 2.0], [5.0, 6.0]], [[3.0, 4.0], [7.0, 8.0]]]
    """
    x, n_heads = _divisible(x, n_heads)
    return x.reshape(len(x), n_heads, -1).transpose(1, 0, 2).copy()  # (n, n_heads, d_k) -> (n_heads, n, d_k)


def reshape_without_split(x, n_heads: int) -> np.ndarray:
    """The classic slip, to show beside `split_heads`: reshaping straight to (n_heads, n, d_k) mixes tokens up.

    Shapes and errors as in `split_heads`; the two agree only for one head or one token.

    >>> reshape_without_split([[1, 2, 3, 4], [5, 6, 7, 8]], 2).tolist()
    [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]
    """
    x, n_heads = _divisible(x, n_heads)
    return x.reshape(n_heads, len(x), -1).copy()


def reshape_origins(n_tokens: int, d_model: int, n_heads: int) -> ReshapeOrigins:
    """Whose numbers stand where after the reshape without a transpose: row i of a head should be token i.

    Shapes: see `ReshapeOrigins`. Raises ValueError as `split_heads`.

    >>> reshape_origins(2, 4, 2).token.tolist()
    [[0, 0], [1, 1]]
    """
    n, d = checks.integer("n_tokens", n_tokens, 1), checks.integer("d_model", d_model, 1)
    checks.within("the table", checks.MAX_NUMBERS, n_tokens=n, d_model=d)
    first = reshape_without_split(np.arange(n * d).reshape(n, d), n_heads)[:, :, 0].astype(int)  # (n_heads, n)
    return ReshapeOrigins(first // d, first % d, (first // d != np.arange(n)).sum(axis=1))


def merge_heads(x) -> np.ndarray:
    """Put the heads side by side again, the inverse of `split_heads`.

    Shapes: x (n_heads, n, d_k), returns (n, n_heads·d_k). Raises ValueError for anything but three filled axes.

    >>> merge_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]).tolist()
    [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    """
    x = filled("x", x, ndim=3)
    return np.concatenate(x, axis=1)  # n_heads × (n, d_k) -> (n, n_heads·d_k)


def join_heads(heads) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """W_Q, W_K, W_V of all heads side by side, as `multi_head` takes them.

    Shapes: heads is a sequence of `weights.Head` (anything with W_Q, W_K, W_V, each (d_model, d_k)); returns three
    matrices (d_model, n_heads·d_k). Raises ValueError for no heads or heads of different shapes.

    >>> from engine.weights import load_weights
    >>> join_heads(load_weights().layers[0].heads)[0].shape
    (3, 6)
    """
    heads = tuple(heads[: MAX_HEADS + 1]) if isinstance(heads, tuple | list) else ()
    if len(heads) > MAX_HEADS:
        raise ValueError(f"heads may be at most {MAX_HEADS:,}; got more")
    if not heads or not all(hasattr(head, name) for head in heads for name in ("W_Q", "W_K", "W_V")):
        raise ValueError("heads must be a sequence of at least one head with W_Q, W_K and W_V")

    def side_by_side(name):
        parts = [checks.array(f"heads[{i}].{name}", getattr(head, name), ndim=2) for i, head in enumerate(heads)]
        checks.within("the heads side by side", checks.MAX_NUMBERS, n_heads=len(parts), numbers=parts[0].size)
        for i, part in enumerate(parts):
            checks.shape(f"heads[{i}].{name}", part, parts[0].shape, f"as heads[0].{name}")
        return np.concatenate(parts, axis=1)  # n_heads × (d_model, d_k) -> (d_model, n_heads·d_k)

    return side_by_side("W_Q"), side_by_side("W_K"), side_by_side("W_V")


def key_head_of_each(n_heads: int, n_kv_heads: int, *, interleaved: bool = False) -> np.ndarray:
    """Which key and value head each query head reads where several share one: neighbours share, h·n_kv_heads //
    n_heads.

    Grouped-query attention (Ainslie et al. 2023), as Llama lays it out and `enable_gqa` of PyTorch's
    scaled_dot_product_attention reads it. `interleaved` is the classic slip, h mod n_kv_heads: a tiled copy in place of
    a repeated one. Shapes: returns (n_heads,), 1 … 10,000. Raises ValueError where n_kv_heads does not divide n_heads.

    >>> key_head_of_each(4, 2).tolist(), key_head_of_each(4, 2, interleaved=True).tolist()
    ([0, 0, 1, 1], [0, 1, 0, 1])
    """
    n_heads = checks.integer("n_heads", n_heads, 1, MAX_HEADS)
    n_kv_heads = checks.integer("n_kv_heads", n_kv_heads, 1, n_heads)
    if n_heads % n_kv_heads:
        raise ValueError(f"n_kv_heads must divide n_heads; got {n_kv_heads} and {n_heads}")
    heads = np.arange(n_heads)
    return heads % n_kv_heads if checks.flag("interleaved", interleaved) else heads // (n_heads // n_kv_heads)


def pool_key_heads(W, n_heads: int, n_kv_heads: int) -> np.ndarray:
    """W_K or W_V for fewer heads, made from those of all: the mean of the heads that will share one.

    How a model of many heads becomes a grouped one before it is trained on (Ainslie et al. 2023, §2.1).
    Shapes: W (d_model, n_heads·d_k), returns (d_model, n_kv_heads·d_k). Raises ValueError as `split_heads` and
    `key_head_of_each`.

    >>> pool_key_heads([[1, 3, 10, 20]], 4, 2).tolist()
    [[2.0, 15.0]]
    """
    n_kv_heads = int(key_head_of_each(n_heads, n_kv_heads).max()) + 1
    heads = split_heads(W, n_heads)  # (n_heads, d_model, d_k)
    with np.errstate(over="ignore", invalid="ignore"):
        pooled = heads.reshape(n_kv_heads, -1, *heads.shape[1:]).mean(axis=1)
    return merge_heads(checks.in_range("the means of the heads", pooled))


def multi_head(
    x,
    W_Q,
    W_K,
    W_V,
    W_O,
    *,
    n_heads,
    mask=None,
    bias=None,
    scale=None,
    active=None,
    n_kv_heads=None,
    interleaved=False,
) -> MultiHeadTrace:
    """Let several heads attend to the same tokens and mix what they found.

    out = Concat(head_1, …, head_h) W_O, head_i = Attention(x W_Q^i, x W_K^i, x W_V^i) (Vaswani et al. 2017, §3.2.2).
    Shapes: x (n, d_model), W_Q (d_model, n_heads·d_k), W_K, W_V (d_model, n_kv_heads·d_k), W_O (n_heads·d_k, d_model),
    mask (n, n) or (n,), bias (n, n) or (n_heads, n, n), active (n_heads,) bool: a head with False is silent and
    contributes 0; n_kv_heads as many as n_heads where None, else heads share keys and values by `key_head_of_each`.
    The width of a head, not d_model, sets the scale 1/√d_k.
    Raises ValueError as `scaled_dot_product`, and where n_heads does not divide the columns of W_Q.

    >>> one = np.eye(2)
    >>> multi_head([[1, 0], [0, 1]], one, one, one, one, n_heads=2, active=[True, False]).out.round(3).tolist()
    [[0.731, 0.0], [0.5, 0.0]]
    """
    x, W_Q, W_O = filled("x", x), filled("W_Q", W_Q), filled("W_O", W_O)
    checks.shape("W_Q", W_Q, (x.shape[1], W_Q.shape[1]), "one row per column of x")
    W_Q, n_heads = _divisible(W_Q, n_heads, "W_Q")
    key_heads = key_head_of_each(n_heads, n_heads if n_kv_heads is None else n_kv_heads, interleaved=interleaved)
    n_kv_heads = int(key_heads.max()) + 1
    shared = (W_Q.shape[0], W_Q.shape[1] // n_heads * n_kv_heads)
    why = "as W_Q" if n_kv_heads == n_heads else f"{n_kv_heads} heads as wide as those of W_Q"
    W_K = checks.shape("W_K", checks.array("W_K", W_K), shared, why)
    W_V = checks.shape("W_V", checks.array("W_V", W_V), shared, why)
    checks.shape("W_O", W_O, W_Q.shape[::-1], "from the heads side by side back to d_model")
    speaks = np.ones(n_heads, bool) if active is None else checks.boolean("active", active)
    checks.shape("active", speaks, (n_heads,), "one entry per head")
    biases = _bias_per_head(bias, n_heads)
    checks.within("the projections", checks.MAX_PRODUCTS, n=len(x), d_model=x.shape[1], columns=W_Q.shape[1])
    checks.within("the heads", MAX_HEAD_WORK, n_heads=n_heads, n=len(x) + 100, n_k=len(x) + 100)
    checks.within("the contributions", checks.MAX_NUMBERS, n_heads=n_heads, n=len(x), d_model=x.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):  # x @ W: (n, heads·d_k), split: (heads, n, d_k)
        q = split_heads(checks.in_range("x @ W_Q", x @ W_Q), n_heads)
        k = split_heads(checks.in_range("x @ W_K", x @ W_K), n_kv_heads)
        v = split_heads(checks.in_range("x @ W_V", x @ W_V), n_kv_heads)
        per_head = zip(q, k[key_heads], v[key_heads], biases, strict=True)
        heads = tuple(scaled_dot_product(*qkv, mask=mask, bias=b, scale=scale) for *qkv, b in per_head)
        contexts = np.where(speaks[:, None, None], np.stack([head.out for head in heads]), 0.0)  # (n_heads, n, d_k)
        # (n_heads, n, d_k) @ (n_heads, d_k, d_model) -> (n_heads, n, d_model)
        contributions = checks.in_range("contributions", contexts @ W_O.reshape(n_heads, -1, W_O.shape[1]))
        out = checks.in_range("out", contributions.sum(axis=0))  # (n, d_model)
    return MultiHeadTrace(q, k, v, key_heads, heads, merge_heads(contexts), contributions, out)


def _divisible(x, n_heads, name="x") -> tuple[np.ndarray, int]:
    x, n_heads = filled(name, x), checks.integer("n_heads", n_heads, 1)
    if x.shape[1] % n_heads:
        raise ValueError(f"n_heads must divide the {x.shape[1]} columns of {name}; got {n_heads}")
    return x, n_heads


def _bias_per_head(bias, n_heads):
    if bias is None:
        return (None,) * n_heads
    bias = checks.array("bias", bias, allow_neg_inf=True)
    if bias.ndim < 3:
        return (bias,) * n_heads
    return checks.shape("bias", bias, (n_heads, *bias.shape[1:]), "one matrix per head")
