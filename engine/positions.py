"""Where a token stands, told in three ways: a table that is added, a rotation (RoPE), a penalty on distance (ALiBi)."""

from typing import NamedTuple

import numpy as np

from engine import checks

LAYOUTS = ("pairs", "halves")
LARGEST = 1e300  # a base or slope beyond it would leave float64


def sinusoidal_table(n_positions, d_model, *, base: float = 10_000.0, layout: str = "pairs") -> np.ndarray:
    """Give every position a row of sines and cosines whose wavelengths grow geometrically.

    PE(pos, 2i) = sin(pos / base^(2i/d_model)), PE(pos, 2i + 1) = cos(pos / base^(2i/d_model)): both columns of a pair
    share one frequency (Vaswani et al. 2017, §3.5). Layout "pairs" is the paper's, sine in even and cosine in odd
    columns; "halves" has all sines, then all cosines, as fairseq orders them. The scores PE·PEᵀ are the same in both.

    Shapes: returns (n_positions, d_model). An odd width ends on a sine that has no cosine.
    Raises ValueError for a size below 1, a base below 1, or an unknown layout.

    >>> sinusoidal_table(2, 4)[1].round(5).tolist()
    [0.84147, 0.5403, 0.01, 0.99995]
    """
    n_positions = checks.integer("n_positions", n_positions, 1)
    d_model = checks.integer("d_model", d_model, 1)
    checks.one_of("layout", layout, LAYOUTS)
    angles = np.outer(np.arange(n_positions), _frequencies(d_model, base))  # (n_positions, ⌈d_model / 2⌉)
    sines, cosines = np.sin(angles), np.cos(angles[:, : d_model // 2])
    if layout == "halves":
        return np.hstack([sines, cosines])  # (n_positions, d_model)
    table = np.empty((n_positions, d_model))
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table


def wavelengths(d_model, *, base: float = 10_000.0) -> np.ndarray:
    """How many positions each pair of columns takes for one full turn, in the table and in RoPE alike.

    2π·base^(2i/d_model) (Vaswani et al. 2017, §3.5). Shapes: returns (⌈d_model / 2⌉,), in positions.
    Raises ValueError for a width below 1 or a base below 1.

    >>> wavelengths(4).round(3).tolist()
    [6.283, 628.319]
    """
    return 2 * np.pi / _frequencies(checks.integer("d_model", d_model, 1), base)


def rope_angles(positions, d, *, base: float = 10_000.0) -> np.ndarray:
    """The angle by which RoPE turns every pair of coordinates at every position.

    θ_i = base^(−2i/d), angle = position·θ_i (Su et al. 2021, RoFormer, §3.2). Positions may be fractions or negative.

    Shapes: positions (n,) or one number, returns (n, d / 2) or (d / 2,); radians.
    Raises ValueError for an odd width, a base below 1, or positions that are not numbers.

    >>> rope_angles([0, 1, 2], 4).tolist()
    [[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]]
    """
    places = checks.array("positions", positions)
    if places.ndim > 1:
        raise ValueError(f"positions must be one number or a vector; got shape {places.shape}")
    return places[..., None] * _frequencies(_even("d", checks.integer("d", d, 1)), base)  # (n, d / 2)


def rope_pairs(x, *, layout: str = "pairs") -> np.ndarray:
    """The plane points that RoPE rotates: which two coordinates form a pair.

    Layout "pairs" joins neighbours (0, 1), (2, 3), … (RoFormer, GPT-J); "halves" joins i with i + d/2 (Llama).

    Shapes: x (…, d), returns (…, d / 2, 2): pair i as (first, second).
    Raises ValueError for an odd width or an unknown layout.

    >>> rope_pairs([1, 2, 3, 4], layout="halves").tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    x = checks.array("x", x)
    checks.one_of("layout", layout, LAYOUTS)
    if x.ndim == 0:
        raise ValueError("x must have at least one axis, the d coordinates; got a single number")
    half = _even("the last axis of x", x.shape[-1]) // 2
    if layout == "pairs":
        return x.reshape(*x.shape[:-1], half, 2)  # (…, d) -> (…, d / 2, 2)
    return np.stack([x[..., :half], x[..., half:]], axis=-1)  # (…, d) -> (…, d / 2, 2)


def rope(x, positions, *, base: float = 10_000.0, layout: str = "pairs") -> np.ndarray:
    """Rotate every pair of coordinates by an angle that grows with the position.

    (a, b) -> (a·cos − b·sin, a·sin + b·cos) with the angles of `rope_angles` (Su et al. 2021, RoFormer, §3.4.2).
    Lengths stay; q at m times k at n depends on m − n only. The two layouts of `rope_pairs` give different numbers from
    the same weights; reordering the columns carries one into the other.

    Shapes: x (…, n, d) with positions (n,), or x (…, d) with one position; returns the shape of x.
    Raises ValueError for an odd width, a count of positions that does not fit, an unknown layout or a base below 1.

    >>> rope([1, 2, 3, 4], 1).round(5).tolist()
    [-1.14264, 1.92208, 2.95985, 4.0298]
    """
    x = checks.array("x", x)
    pairs = rope_pairs(x, layout=layout)  # (…, d / 2, 2)
    angles = rope_angles(positions, x.shape[-1], base=base)  # (n, d / 2) or (d / 2,)
    if angles.ndim == 2 and x.shape[-2:-1] != angles.shape[:1]:
        raise ValueError(f"positions must be one number or one per row of x, shape {x.shape}; got {angles.shape[0]}")
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = pairs[..., 0], pairs[..., 1]  # (…, d / 2) each
    with np.errstate(over="ignore"):
        turned = [first * cos - second * sin, first * sin + second * cos]
    out = np.concatenate(turned, -1) if layout == "halves" else np.stack(turned, -1).reshape(x.shape)  # (…, d)
    return checks.in_range("the rotated x", out)


class RopeTrace(NamedTuple):
    """One query and one key rotated at every position, and what they score."""

    q_angles: np.ndarray  # (n_q, d / 2) radians
    k_angles: np.ndarray  # (n_k, d / 2)
    q_rotated: np.ndarray  # (n_q, d)
    k_rotated: np.ndarray  # (n_k, d)
    out: np.ndarray  # (n_q, n_k) scores


def rope_scores(
    q, k, q_positions, k_positions, *, base: float = 10_000.0, layout: str = "pairs", scale: float | None = None
) -> RopeTrace:
    """What the same query scores with the same key wherever the two stand: scale·rope(q, m)·rope(k, n).

    With m − n fixed the score stays. Shapes: q, k (d,), positions (n_q,) and (n_k,); scale=None means 1/√d.
    Raises ValueError for vectors of unequal or odd width, or as `rope`.

    >>> rope_scores([1, 0], [1, 0], [0, 5], [0, 5], scale=1).out.round(5).tolist()
    [[1.0, 0.28366], [0.28366, 1.0]]
    """
    q, k, scale = _content(q, k, scale)
    rows = [checks.array("positions", places, ndim=1) for places in (q_positions, k_positions)]
    angles = [rope_angles(places, q.size, base=base) for places in rows]
    rotated = [
        rope(np.tile(content, (places.size, 1)), places, base=base, layout=layout)  # (d,) -> (n, d)
        for content, places in zip((q, k), rows, strict=True)
    ]
    with np.errstate(over="ignore", invalid="ignore"):
        scores = scale * (rotated[0] @ rotated[1].T)  # (n_q, n_k)
    return RopeTrace(*angles, *rotated, checks.in_range("scores", scores))


def alibi_slopes_geometric(n_heads) -> np.ndarray:
    """The slopes as the ALiBi paper words them, for any number of heads: 2^(−8h/n), h = 1 … n (Press et al. 2022, §3).

    Shapes: returns (n_heads,), falling. `alibi_slopes` agrees for a power of two only. Raises ValueError below 1 head.

    >>> alibi_slopes_geometric(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    """
    n_heads = checks.integer("n_heads", n_heads, 1)
    return 2.0 ** (-8.0 * np.arange(1, n_heads + 1) / n_heads)


def alibi_slopes(n_heads) -> np.ndarray:
    """How steeply each head's penalty grows with distance, by the rule of the released ALiBi code.

    With p the largest power of two up to n_heads: the slopes 2^(−8h/p) of p heads, then every other slope of 2p heads
    until there are enough (Press et al. 2022, their code; BLOOM does the same). Where n_heads is no power of two the
    paper's one-line rule gives other numbers: `alibi_slopes_geometric`.

    Shapes: returns (n_heads,). Raises ValueError below 1 head.

    >>> alibi_slopes(3).tolist()
    [0.0625, 0.00390625, 0.25]
    """
    n_heads = checks.integer("n_heads", n_heads, 1)
    power = 2 ** (n_heads.bit_length() - 1)
    between = alibi_slopes_geometric(2 * power)[::2]
    return np.concatenate([alibi_slopes_geometric(power), between[: n_heads - power]])


def alibi_bias(n_q, n_k, slope) -> np.ndarray:
    """What ALiBi adds to the scores: −slope·|i − j|, so 0 for a key at the query's own place (Press et al. 2022, §3).

    Queries are aligned to the last keys: query i stands at i + n_k − n_q. Shapes: returns (n_q, n_k).
    Raises ValueError for a size below 1 or a slope below 0.

    >>> alibi_bias(2, 3, 0.5).tolist()
    [[-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    """
    n_q, n_k = checks.integer("n_q", n_q, 1), checks.integer("n_k", n_k, 1)
    slope = checks.number("slope", slope, 0, LARGEST)
    places = np.arange(n_k - n_q, n_k)[:, None]  # (n_q, 1)
    return 0.0 - slope * np.abs(places - np.arange(n_k))  # (n_q, n_k)


def alibi_scores(q, k, n_positions, slope, *, scale: float | None = None) -> np.ndarray:
    """What the same query scores with the same key at every pair of positions under ALiBi: scale·q·k − slope·|i − j|.

    Shapes: q, k (d,), returns (n_positions, n_positions); scale=None means 1/√d. Raises ValueError as `alibi_bias`.

    >>> alibi_scores([1, 1], [1, 2], 2, 0.5, scale=1).tolist()
    [[3.0, 2.5], [2.5, 3.0]]
    """
    q, k, scale = _content(q, k, scale)
    bias = alibi_bias(n_positions, n_positions, slope)
    with np.errstate(over="ignore", invalid="ignore"):
        return checks.in_range("scores", scale * (q @ k) + bias)


class OffsetTrace(NamedTuple):
    """A square score matrix read along its diagonals."""

    offsets: np.ndarray  # (n, n): key position − query position; row i is the horizontal axis of start i's curve
    diagonals: np.ndarray  # (2n − 1,): −(n − 1) … n − 1
    spread: np.ndarray  # (2n − 1,): largest − smallest score on each diagonal
    out: float  # the largest spread: 0 up to rounding if the score depends on the offset only


def scores_by_offset(scores) -> OffsetTrace:
    """How far a score depends on more than the offset between its two positions.

    Shapes: scores (n, n). Raises ValueError for a matrix that is not square or is empty.

    >>> scores_by_offset([[1, 2], [3, 1.5]]).spread.tolist()
    [0.0, 0.5, 0.0]
    """
    scores = checks.array("scores", scores, ndim=2)
    n = scores.shape[0]
    if n == 0 or scores.shape[1] != n:
        raise ValueError(f"scores must be square, a row and a column per position; got shape {scores.shape}")
    diagonals = np.arange(1 - n, n)
    with np.errstate(over="ignore"):
        spread = np.array([np.ptp(np.diagonal(scores, offset)) for offset in diagonals])  # (2n − 1,)
    largest = float(checks.in_range("spread", spread).max())
    return OffsetTrace(np.arange(n) - np.arange(n)[:, None], diagonals, spread, largest)


def _frequencies(d: int, base) -> np.ndarray:
    """base^(−2i/d), one per pair: (⌈d / 2⌉,), radians per position."""
    return checks.number("base", base, 1, LARGEST) ** (-np.arange(0, d, 2) / d)


def _even(name: str, d: int) -> int:
    if d == 0 or d % 2:
        raise ValueError(f"{name} must be even and at least 2, because RoPE rotates pairs of coordinates; got {d}")
    return d


def _content(q, k, scale) -> tuple[np.ndarray, np.ndarray, float]:
    q, k = checks.array("q", q, ndim=1), checks.array("k", k, ndim=1)
    if q.size == 0:
        raise ValueError("q needs at least one number; got none")
    checks.shape("k", k, q.shape, "the width of q")
    return q, k, q.size**-0.5 if scale is None else checks.number("scale", scale)
