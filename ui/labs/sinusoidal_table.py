"""What the sinusoidal table alone draws and writes: its wavelengths, and the cell behind a point as a formula."""

from collections.abc import Sequence

import plotly.graph_objects as go

from ui.charts.parts import Mark, Series
from ui.charts.plots import lines
from ui.words import bare, number


def wavelength_chart(waves: Sequence[float], pair: int, last: int) -> go.Figure:
    """The wavelength of each pair on a log axis, with the chosen pair and where no pair finishes a turn by the last."""
    slow = sum(wave > last for wave in waves)
    at = "bottom right" if pair < 0.85 * len(waves) else "top left"
    marks = [Mark(pair, waves[pair], number(waves[pair], 1), at=at)]
    if slow:
        edge = f"from here no full turn by position {last}"
        marks.append(Mark(len(waves) - slow - 0.5, None, edge, "soft_ink"))
    return lines(
        range(len(waves)),
        [Series("wavelength", waves, "soft_ink")],
        title="Wavelength of each pair, in positions",
        x_title="pair",
        x_range=(-0.6, len(waves) - 0.4),
        y_range=(1.5, 4e6),
        log_y=True,
        mode="lines+markers",
        marks=marks,
        height=170,
    )


def cell(position: int, column: int, kind: tuple[int, str], powers: tuple[int, int], value: float) -> str:
    r"""A cell of the table as a formula: its position over a power of the base, as an angle, and its sine or cosine.

    `kind` is the pair and the function of its column, `powers` the base and the width of the table.

    >>> print(cell(1, 2, (1, "sin"), (100, 4), 0.099833))
    PE_{1,2} = \sin\left(\frac{1}{100^{2/4}}\right) = \sin\left(0.100\right) = 0.09983
    """
    (pair, function), (base, width) = kind, powers
    by_base = rf"\{function}\left(\frac{{{position}}}{{{base}^{{{2 * pair}/{width}}}}}\right)"
    by_angle = rf"\{function}\left({bare(position / base ** (2 * pair / width))}\right)"
    return rf"PE_{{{position},{column}}} = {by_base} = {by_angle} = {bare(value)}"


def library(width: int, base: int) -> str:
    """Which libraries compute a table of this width and base in the way of tensor2tensor.

    >>> library(32, 10_000), library(2, 10_000)
    ('tensor2tensor and fairseq', 'tensor2tensor (fairseq divides by 0)')
    """
    if width < 4:
        return "tensor2tensor (fairseq divides by 0)"
    return "tensor2tensor and fairseq" if base == 10_000 else "tensor2tensor (fairseq knows base 10,000 only)"
