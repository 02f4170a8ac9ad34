"""RoPE: pairs of coordinates turn with the position, so that a score depends on the offset only."""

from typing import Any, NamedTuple

import numpy as np

from engine import checks
from engine.positions.sinusoidal import LAYOUTS, MAX_WIDTH, frequencies, wavelengths


class RopeTrace(NamedTuple):
    """One query and one key rotated at every position, and what they score."""

    q_angles: np.ndarray  # (n_q, d / 2) radians
    k_angles: np.ndarray  # (n_k, d / 2)
    q_rotated: np.ndarray  # (n_q, d)
    k_rotated: np.ndarray  # (n_k, d)
    out: np.ndarray  # (n_q, n_k) scores


def rope_angles(positions, d, *, base: float = 10_000.0, factor: float = 1.0) -> np.ndarray:
    """The angle by which RoPE turns every pair of coordinates at every position.

    θ_i = base^(−2i/d), angle = position·θ_i / factor (Su et al. 2021, RoFormer, §3.2). Positions may be fractions or
    negative. A factor above 1 is position interpolation: positions squeezed into the range the model knows (Chen et
    al. 2023); `ntk_base` stretches the base instead.

    Shapes: positions (n,) or one number, returns (n, d / 2) or (d / 2,); radians.
    Raises ValueError for an odd width, n·d beyond 2²², a base below 1, a factor of 0 or less, or positions that are not
    numbers.

    >>> rope_angles([0, 1, 2], 4).tolist()
    [[0.0, 0.0], [1.0, 0.01], [2.0, 0.02]]
    """
    places = checks.array("positions", positions)
    if places.ndim > 1:
        raise ValueError(f"positions must be one number or a vector; got shape {places.shape}")
    factor = checks.number("factor", factor, 1e-6, 1e6)
    d = _even("d", checks.integer("d", d, 1, MAX_WIDTH))
    checks.within("the angles", checks.MAX_NUMBERS, positions=places.size, d=d)
    with np.errstate(over="ignore"):
        return checks.in_range("the angles", places[..., None] / factor * frequencies(d, base))  # (n, d / 2)


def ntk_base(factor: float, d: int, *, base: float = 10_000.0) -> float:
    """The base that slows RoPE's slowest pair by `factor` and leaves the fastest as it is: base·factor^(d/(d − 2)).

    For contexts `factor` times longer without training: nearby tokens still differ as they did ("NTK-aware" scaling,
    2023; Peng et al. 2024, YaRN, §3.1; "dynamic" in transformers). d even, at least 4; factor from 1, else ValueError.

    >>> round(ntk_base(4, 128))
    40890
    """
    factor = checks.number("factor", factor, 1, 1e6)
    d = _even("d", checks.integer("d", d, 4))
    return checks.number("base", base, 1, 1e200) * factor ** (d / (d - 2))


def rope_pairs(x, *, layout: str = "pairs") -> np.ndarray:
    """The plane points that RoPE rotates: which two coordinates form a pair.

    Layout "pairs" joins neighbours (0, 1), (2, 3), … (RoFormer, GPT-J, Meta's Llama code); "halves" joins i with
    i + d/2 (GPT-NeoX, and Llama in Hugging Face transformers, whose weights have their columns reordered to match).

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
        return x.reshape(*x.shape[:-1], half, 2).copy()  # (…, d) -> (…, d / 2, 2)
    return np.stack([x[..., :half], x[..., half:]], axis=-1)  # (…, d) -> (…, d / 2, 2)


def rope_columns(d, *, layout: str = "pairs") -> np.ndarray:
    """The numbers of the two columns that form each pair, as `rope_pairs` joins them.

    Shapes: returns (d / 2, 2) whole numbers. Raises ValueError as `rope_pairs`.

    >>> rope_columns(4, layout="halves").tolist()
    [[0, 2], [1, 3]]
    """
    return rope_pairs(np.arange(checks.integer("d", d, 1, MAX_WIDTH)), layout=layout).astype(int)


def rope(
    x,
    positions,
    *,
    base: float = 10_000.0,
    layout: str = "pairs",
    rotary_dim: int | None = None,
    factor: float = 1.0,
) -> np.ndarray:
    """Rotate every pair of coordinates by an angle that grows with the position.

    (a, b) -> (a·cos − b·sin, a·sin + b·cos) with the angles of `rope_angles` (Su et al. 2021, RoFormer, §3.4.2).
    Lengths stay; q at m times k at n depends on m − n only. The two layouts of `rope_pairs` give different numbers from
    the same weights; reordering the columns carries one into the other. With rotary_dim only the first so many
    coordinates turn, with the angles of that width; the rest say what they say at every position (GPT-J, GPT-NeoX).

    Shapes: x (…, n, d) with positions (n,), or x (…, d) with one position; returns the shape of x; rotary_dim even,
    2 … d, d where None. Raises ValueError for an odd width, a count of positions that does not fit, an unknown layout
    or a base below 1.

    >>> rope([1, 2, 3, 4], 1).round(5).tolist(), rope([1, 2, 3, 4], 1, rotary_dim=2).round(5).tolist()
    ([-1.14264, 1.92208, 2.95985, 4.0298], [-1.14264, 1.92208, 3.0, 4.0])
    """
    x = checks.array("x", x)
    if x.ndim == 0:
        raise ValueError("x must have at least one axis, the d coordinates; got a single number")
    d = _turned(x.shape[-1], rotary_dim)
    pairs = rope_pairs(x[..., :d], layout=layout)  # (…, d / 2, 2)
    angles = rope_angles(positions, d, base=base, factor=factor)  # (n, d / 2) or (d / 2,)
    if angles.ndim == 2 and x.shape[-2:-1] != angles.shape[:1]:
        raise ValueError(f"positions must be one number or one per row of x, shape {x.shape}; got {angles.shape[0]}")
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = pairs[..., 0], pairs[..., 1]  # (…, d / 2) each
    with np.errstate(over="ignore", invalid="ignore"):
        turned = [first * cos - second * sin, first * sin + second * cos]
    whole = (*x.shape[:-1], d)
    out = np.concatenate(turned, -1) if layout == "halves" else np.stack(turned, -1).reshape(whole)  # (…, rotary_dim)
    return checks.in_range("the rotated x", out if d == x.shape[-1] else np.concatenate([out, x[..., d:]], -1))


def rope_trail(
    x,
    position: float,
    pair: int,
    *,
    base: float = 10_000.0,
    layout: str = "pairs",
    n_points: int = 49,
    rotary_dim: int | None = None,
    factor: float = 1.0,
) -> np.ndarray:
    """The way of one pair of coordinates to where it stands at a position: its last turn, or all of it since 0.

    Shapes: x (d,), pair in 0 … rotary_dim / 2 − 1; returns (n_points, 2), the points in the plane, the last one at the
    position. Raises ValueError as `rope`, and for a pair that does not exist.

    >>> rope_trail([1, 0], np.pi / 2, 0, n_points=2).round(6).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    x = checks.array("x", x, ndim=1)
    d = _turned(_even("the width of x", len(x)) if rotary_dim is None else len(x), rotary_dim)
    pair = checks.integer("pair", pair, 0, d // 2 - 1)
    position, n = checks.number("position", position, 0), checks.integer("n_points", n_points, 2)
    checks.within("the trail", checks.MAX_NUMBERS, n_points=n, d=d)
    turn = wavelengths(d, base=base)[pair] * checks.number("factor", factor, 1e-6, 1e6)
    places = np.linspace(max(0, position - turn), position, n)
    options: dict[str, Any] = {"base": base, "layout": layout, "factor": factor}
    return rope_pairs(rope(np.tile(x[:d], (n, 1)), places, **options), layout=layout)[:, pair]


def example_contents(d, rng: np.random.Generator | None = None, *, most: int = 32) -> np.ndarray:
    """A query and a key to place: drawn from the normal distribution, or without rng all entries √½.

    Each is drawn `most` numbers wide and cut to d, so that a wider one begins with the narrower.
    Shapes: returns (2, d). Raises ValueError for a width outside 1 … most.

    >>> example_contents(2).round(3).tolist()
    [[0.707, 0.707], [0.707, 0.707]]
    """
    d = checks.integer("d", d, 1, checks.integer("most", most, 1, MAX_WIDTH))
    if rng is None:
        return np.full((2, d), 0.5**0.5)
    return checks.generator("rng", rng).normal(size=(2, int(most)))[:, :d]


def rope_scores(
    q,
    k,
    q_positions,
    k_positions,
    *,
    base: float = 10_000.0,
    layout: str = "pairs",
    scale: float | None = None,
    rotary_dim: int | None = None,
    factor: float = 1.0,
) -> RopeTrace:
    """What the same query scores with the same key wherever the two stand: scale·rope(q, m)·rope(k, n).

    With m − n fixed the score stays. Shapes: q, k (d,), positions (n_q,) and (n_k,); scale=None means 1/√d; the angles
    (n, rotary_dim / 2). Raises ValueError for vectors of unequal or odd width, or as `rope`.

    >>> rope_scores([1, 0], [1, 0], [0, 5], [0, 5], scale=1).out.round(5).tolist()
    [[1.0, 0.28366], [0.28366, 1.0]]
    """
    q, k, scale = checked_content(q, k, scale)
    rows = [checks.array("positions", places, ndim=1) for places in (q_positions, k_positions)]
    checks.within("the scores", checks.MAX_NUMBERS, q_positions=rows[0].size, k_positions=rows[1].size)
    checks.within("the rotated rows", checks.MAX_NUMBERS, positions=max(rows[0].size, rows[1].size), d=q.size)
    d = _turned(q.size, rotary_dim)
    q_angles, k_angles = (rope_angles(places, d, base=base, factor=factor) for places in rows)
    options: dict[str, Any] = {"base": base, "layout": layout, "rotary_dim": d, "factor": factor}
    q_rotated, k_rotated = (
        rope(np.tile(content, (places.size, 1)), places, **options)  # (d,) -> (n, d)
        for content, places in zip((q, k), rows, strict=True)
    )
    with np.errstate(over="ignore", invalid="ignore"):
        scores = scale * (q_rotated @ k_rotated.T)  # (n_q, n_k)
    return RopeTrace(q_angles, k_angles, q_rotated, k_rotated, checks.in_range("scores", scores))


def _turned(d: int, rotary_dim: int | None) -> int:
    """How many of d coordinates turn."""
    if rotary_dim is None:
        return d
    return _even("rotary_dim", checks.integer("rotary_dim", rotary_dim, 2, d))


def _even(name: str, d: int) -> int:
    if d == 0 or d % 2:
        raise ValueError(f"{name} must be even and at least 2, because RoPE rotates pairs of coordinates; got {d}")
    return d


def checked_content(q, k, scale) -> tuple[np.ndarray, np.ndarray, float]:
    """A query and a key of one width, and the scale of their score, 1/√d where none is given.

    >>> checked_content([3, 4], [1, 0], None)[2] == 2**-0.5
    True
    """
    q, k = checks.array("q", q, ndim=1), checks.array("k", k, ndim=1)
    if q.size == 0:
        raise ValueError("q needs at least one number; got none")
    checks.shape("k", k, q.shape, "the width of q")
    return q, k, q.size**-0.5 if scale is None else checks.number("scale", scale)
