"""Sinusoidal tables that are not the paper's: a spacing some libraries choose, and a slip seen in the wild."""

import numpy as np

from engine import checks
from engine.positions import LARGEST


def wavelengths_to_the_base(d_model, *, base: float = 10_000.0) -> np.ndarray:
    """How many positions each pair of columns takes for one turn where the slowest pair has to reach 2π·base.

    2π·base^(i/(m − 1)), i = 0 … m − 1, for m = ⌈d_model / 2⌉ pairs: the spacing of tensor2tensor and fairseq, whose
    exponents run over 0 … 1 with both ends. The paper's stop one step short: `positions.wavelengths`.

    Shapes: returns (m,), in positions. A single pair has 2π. Raises ValueError for a width or a base below 1.

    >>> wavelengths_to_the_base(4).round(2).tolist()
    [6.28, 62831.85]
    """
    n_pairs = (checks.integer("d_model", d_model, 1) + 1) // 2
    exponents = np.arange(n_pairs) / max(n_pairs - 1, 1)
    return 2 * np.pi * checks.number("base", base, 1, LARGEST / 10) ** exponents


def one_frequency_per_column(n_positions, d_model, *, base: float = 10_000.0) -> np.ndarray:
    """The classic slip, to show beside `sinusoidal_table`: the exponent 2c/d_model for column c, not for its pair.

    Sine in even and cosine in odd columns, but no two columns share a frequency, so that sin² + cos² is no longer 1
    and the scores PE·PEᵀ depend on more than the offset.

    Shapes: returns (n_positions, d_model). Raises ValueError for a size or a base below 1.

    >>> one_frequency_per_column(2, 4)[1].round(5).tolist()
    [0.84147, 0.99995, 0.0001, 1.0]
    """
    n_positions = checks.integer("n_positions", n_positions, 1)
    columns = np.arange(checks.integer("d_model", d_model, 1))
    with np.errstate(under="ignore"):
        frequencies = checks.number("base", base, 1, LARGEST) ** (-2.0 * columns / len(columns))
    angles = np.outer(np.arange(n_positions), frequencies)  # (n_positions, d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
