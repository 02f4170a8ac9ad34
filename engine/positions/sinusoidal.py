"""A table of sines and cosines to add to the tokens, its wavelengths, and two spacings that are not the paper's."""

from typing import NamedTuple

import numpy as np

from engine import checks

LAYOUTS = ("pairs", "halves")
MAX_WIDTH = 100_000  # columns of a table
LARGEST_BASE = 1e300  # a base or slope beyond it would leave float64


def sinusoidal_table(n_positions, d_model, *, base: float = 10_000.0, layout: str = "pairs") -> np.ndarray:
    """Give every position a row of sines and cosines whose wavelengths grow geometrically.

    PE(pos, 2i) = sin(pos / base^(2i/d_model)), PE(pos, 2i + 1) = cos(pos / base^(2i/d_model)): both columns of a pair
    share one frequency (Vaswani et al. 2017, §3.5). Layout "pairs" is the paper's, sine in even and cosine in odd
    columns; "halves" has all sines, then all cosines. The scores PE·PEᵀ are the same in both. fairseq and tensor2tensor
    use that order, but other frequencies: `library_table`.

    Shapes: returns (n_positions, d_model), at most 2²² numbers. An odd width ends on a sine that has no cosine.
    Raises ValueError for a size below 1 or a larger table, a base below 1, or an unknown layout.

    >>> sinusoidal_table(2, 4)[1].round(5).tolist()
    [0.84147, 0.5403, 0.01, 0.99995]
    """
    n_positions, d_model = _sizes(n_positions, d_model)
    checks.one_of("layout", layout, LAYOUTS)
    angles = np.outer(np.arange(n_positions), frequencies(d_model, base))  # (n_positions, ⌈d_model / 2⌉)
    sines, cosines = np.sin(angles), np.cos(angles[:, : d_model // 2])
    if layout == "halves":
        return np.hstack([sines, cosines])  # (n_positions, d_model)
    table = np.empty((n_positions, d_model))
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table


def column_kinds(d_model, *, layout: str = "pairs") -> tuple[tuple[int, str], ...]:
    """Which pair each column of the table belongs to, and whether it holds its "sin" or its "cos".

    Layouts as in `sinusoidal_table`. Raises ValueError for a width below 1 or an unknown layout.

    >>> column_kinds(3), column_kinds(3, layout="halves")
    (((0, 'sin'), (0, 'cos'), (1, 'sin')), ((0, 'sin'), (1, 'sin'), (0, 'cos')))
    """
    d_model = checks.integer("d_model", d_model, 1, MAX_WIDTH)
    in_turn = tuple((i // 2, ("sin", "cos")[i % 2]) for i in range(d_model))
    return in_turn if checks.one_of("layout", layout, LAYOUTS) == "pairs" else in_turn[::2] + in_turn[1::2]


class RowGaps(NamedTuple):
    """How two rows of a table differ: |a − b| (d,), how many columns are close, and which column has the widest gap."""

    gaps: np.ndarray
    close: int
    widest: int


def row_gaps(table, p: int, q: int, *, tolerance: float = 0.1) -> RowGaps:
    """How far the rows of two positions lie apart, column by column.

    Shapes: table (n, d), p and q in 0 … n − 1. Raises ValueError for a row that does not exist.

    >>> row_gaps([[0, 1], [0, 3]], 0, 1)
    RowGaps(gaps=array([0., 2.]), close=1, widest=1)
    """
    table = checks.array("table", table, ndim=2)
    one, other = (table[checks.integer(name, row, 0, len(table) - 1)] for name, row in (("p", p), ("q", q)))
    if table.size == 0:
        raise ValueError(f"table needs at least one column; got shape {table.shape}")
    with np.errstate(over="ignore"):
        gaps = checks.in_range("the gaps", abs(one - other))
    return RowGaps(gaps, int((gaps < checks.number("tolerance", tolerance, 0)).sum()), int(gaps.argmax()))


def nearest_row(table, p: int) -> tuple[int, float]:
    """Which other position has the row most like that of p, the first of several, and how far away it lies.

    Shapes: table (n, d) with n ≥ 2, p in 0 … n − 1; the distance is Euclid's. Raises ValueError for a row that does
    not exist or a single one.

    >>> nearest_row([[0, 0], [3, 4], [0, 1]], 0)
    (2, 1.0)
    """
    table = checks.array("table", table, ndim=2)
    if len(table) < 2:
        raise ValueError(f"table needs at least two rows; got {len(table)}")
    p = checks.integer("p", p, 0, len(table) - 1)
    with np.errstate(over="ignore"):
        far = checks.in_range("the squared distances", ((table - table[p]) ** 2).sum(axis=1))
    far = np.sqrt(far)
    far[p] = np.inf
    return int(far.argmin()), float(far.min())


def wavelengths(d_model, *, base: float = 10_000.0) -> np.ndarray:
    """How many positions each pair of columns takes for one full turn, in the table and in RoPE alike.

    2π·base^(2i/d_model) (Vaswani et al. 2017, §3.5). Shapes: returns (⌈d_model / 2⌉,), in positions.
    Raises ValueError for a width outside 1 … 100,000 or a base below 1.

    >>> wavelengths(4).round(3).tolist()
    [6.283, 628.319]
    """
    return 2 * np.pi / frequencies(checks.integer("d_model", d_model, 1, MAX_WIDTH), base)


def wavelengths_to_the_base(d_model, *, base: float = 10_000.0) -> np.ndarray:
    """How many positions each pair of columns takes for one turn where the slowest pair has to reach 2π·base.

    2π·base^(i/(m − 1)), i = 0 … m − 1, for m = ⌊d_model / 2⌋ pairs: the spacing of tensor2tensor and fairseq, whose
    exponents run over 0 … 1 with both ends; an odd width ends on a column of zeros. The paper's stop one step short:
    `positions.wavelengths`. Shapes: returns (m,), in positions. A single pair has 2π in tensor2tensor; fairseq divides
    by 0 there. Raises ValueError for a width below 2 or a base below 1.

    >>> wavelengths_to_the_base(4).round(2).tolist(), wavelengths_to_the_base(3).round(2).tolist()
    ([6.28, 62831.85], [6.28])
    """
    n_pairs = checks.integer("d_model", d_model, 2, MAX_WIDTH) // 2
    exponents = np.arange(n_pairs) / max(n_pairs - 1, 1)
    return 2 * np.pi * checks.number("base", base, 1, LARGEST_BASE / 10) ** exponents


def library_table(n_positions, d_model, *, library: str, base: float = 10_000.0) -> np.ndarray:
    """The table as "fairseq" or "tensor2tensor" computes it: all sines, then all cosines, and the slowest reaches base.

    sin(pos·base^(−i/(m − 1))), i = 0 … m − 1, m = ⌊d_model / 2⌋, then the cosines, then a column of zeros at an odd
    width (SinusoidalPositionalEmbedding of fairseq; get_timing_signal_1d of tensor2tensor). In fairseq base is always
    10,000, and the first token stands at position padding_idx + 1: row 0 here is its row 0.
    Shapes: returns (n_positions, d_model). Raises ValueError for a size below 1, another library, another base with
    fairseq, and a width at which it divides by 0 (below 4) or leaves no wave (below 2).

    >>> library_table(2, 4, library="fairseq")[1].round(4).tolist()
    [0.8415, 0.0001, 0.5403, 1.0]
    """
    fairseq = checks.one_of("library", library, ("fairseq", "tensor2tensor")) == "fairseq"
    n_positions, d_model = _sizes(n_positions, d_model, narrowest=4 if fairseq else 2)
    base = checks.number("base", base)
    if fairseq and base != 10_000:
        raise ValueError(f"base must be 10,000 with fairseq, which knows no other; got {base:g}")
    waves = wavelengths_to_the_base(d_model, base=base)  # (⌊d_model / 2⌋,)
    angles = np.outer(np.arange(n_positions), 2 * np.pi / waves)
    return np.hstack([np.sin(angles), np.cos(angles), np.zeros((n_positions, d_model % 2))])


def one_frequency_per_column(n_positions, d_model, *, base: float = 10_000.0) -> np.ndarray:
    """The classic slip, to show beside `sinusoidal_table`: the exponent 2c/d_model for column c, not for its pair.

    Sine in even and cosine in odd columns, but no two columns share a frequency, so that sin² + cos² is no longer 1
    and the scores PE·PEᵀ depend on more than the offset.

    Shapes: returns (n_positions, d_model). Raises ValueError for a size or a base below 1.

    >>> one_frequency_per_column(2, 4)[1].round(5).tolist()
    [0.84147, 0.99995, 0.0001, 1.0]
    """
    n_positions, d_model = _sizes(n_positions, d_model)
    columns = np.arange(d_model)
    with np.errstate(under="ignore"):
        frequencies = checks.number("base", base, 1, LARGEST_BASE) ** (-2.0 * columns / len(columns))
    angles = np.outer(np.arange(n_positions), frequencies)  # (n_positions, d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


def _sizes(n_positions, d_model, narrowest: int = 1) -> tuple[int, int]:
    """The sizes of a table, as long as it holds at most 2²² numbers."""
    n_positions = checks.integer("n_positions", n_positions, 1)
    d_model = checks.integer("d_model", d_model, narrowest, MAX_WIDTH)
    checks.within("the table", checks.MAX_NUMBERS, n_positions=n_positions, d_model=d_model)
    return n_positions, d_model


def frequencies(d: int, base) -> np.ndarray:
    """base^(−2i/d), one per pair: (⌈d / 2⌉,), radians per position.

    >>> frequencies(4, 10_000.0).tolist()
    [1.0, 0.01]
    """
    return checks.number("base", base, 1, LARGEST_BASE) ** (-np.arange(0, d, 2) / d)
