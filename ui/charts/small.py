"""Small pictures as SVG, 100 wide and high: a lab's card has one. Colours are meanings of `theme`, by name."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ui.charts import theme

_SHADES = 5


def picture(*parts: str) -> str:
    """The parts in one picture, for eyes only."""
    return f'<svg viewBox="0 0 100 100" aria-hidden="true" focusable="false">{"".join(parts)}</svg>'


def colours() -> str:
    """The custom properties that the pictures are coloured by, each light and dark: they follow the page's scheme."""
    return ";".join(f"--{name}:light-dark({light},{dark})" for name, (light, dark) in theme.MEANING.items())


def cells(matrix: Any, colour: str = "query", below: str = "today", *, box: Sequence[float] = (4, 4, 92, 92)) -> str:
    """A matrix as shaded cells, the darker the larger; numbers below 0 in a colour of their own.

    >>> cells([[1, 0], [0, -1]])
    '<path d="M4 4h45v45h-45z" fill="var(--query)"/><path d="M50 50h45v45h-45z" fill="var(--today)"/>'
    """
    values = np.asarray(matrix, dtype=float)
    n, m = values.shape
    x, y, width, height = box
    wide, high = width / m, height / n
    most = np.abs(values).max(initial=0) or 1.0
    by_shade: dict[tuple[str, int], list[str]] = {}
    for (r, c), value in np.ndenumerate(values):
        if shade := round(abs(float(value)) / most * _SHADES):
            cell = f"M{_n(x + c * wide)} {_n(y + r * high)}h{_n(wide - 1)}v{_n(high - 1)}h-{_n(wide - 1)}z"
            by_shade.setdefault((below if value < 0 else colour, shade), []).append(cell)
    return "".join(
        f'<path d="{"".join(drawn)}" {_fill(name, shade / _SHADES)}/>' for (name, shade), drawn in by_shade.items()
    )


def curve(x: Any, y: Any, colour: str = "query", *, width: float = 4, dash: str = "", limits: Any = None) -> str:
    """A line through points; `limits` = (x low, x high, y low, y high) fill the picture, or the points do.

    >>> curve([0, 1], [0, 1])
    '<path d="M6 94 94 6" fill="none" stroke="var(--query)" stroke-width="4"/>'
    """
    points = " ".join(f"{_n(a)} {_n(b)}" for a, b in _placed(x, y, limits))
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="M{points}" fill="none" stroke="var(--{colour})" stroke-width="{_n(width)}"{dashed}/>'


def dots(x: Any, y: Any, colour: str = "query", *, radius: float = 5, limits: Any = None) -> str:
    """Round points.

    >>> dots([0.5], [0.5], limits=(0, 1, 0, 1))
    '<path d="M50 50h0" stroke="var(--query)" stroke-width="10" stroke-linecap="round"/>'
    """
    drawn = "".join(f"M{_n(a)} {_n(b)}h0" for a, b in _placed(x, y, limits))
    return f'<path d="{drawn}" stroke="var(--{colour})" stroke-width="{_n(2 * radius)}" stroke-linecap="round"/>'


def bars(values: Any, colours: Sequence[str], *, across: bool = False) -> str:
    """Upright bars from the bottom, or, `across`, lying ones from the left; a colour each."""
    shares = np.asarray(values, dtype=float) / (np.max(values) or 1.0)
    step = 92 / len(shares)
    drawn = ""
    for i, (share, colour) in enumerate(zip(shares, colours, strict=True)):
        at, long, thick = 4 + i * step, 92 * float(share), step * 0.76
        drawn += rect(4, at, long, thick, colour) if across else rect(at, 96 - long, thick, long, colour)
    return drawn


def rect(x: float, y: float, width: float, height: float, colour: str, strength: float = 1.0) -> str:
    """A block of colour.

    >>> rect(0, 0, 10, 5, "key", 0.5)
    '<path d="M0 0h10v5h-10z" fill="var(--key)" opacity=".5"/>'
    """
    return f'<path d="M{_n(x)} {_n(y)}h{_n(width)}v{_n(height)}h-{_n(width)}z" {_fill(colour, strength)}/>'


def arrow(x: float, y: float, colour: str, *, x0: float = 0, y0: float = 0, limits: Any, dash: str = "") -> str:
    """A vector with a head."""
    tail, tip = _placed([x0, x], [y0, y], limits)
    along = np.subtract(tip, tail)
    along = along / (np.hypot(*along) or 1.0)
    across = np.array([-along[1], along[0]])
    corners = [np.add(tip, 3 * along), tip - 11 * along + 6.5 * across, tip - 11 * along - 6.5 * across]
    head = " ".join(f"{_n(a)} {_n(b)}" for a, b in corners)
    return curve([x0, x], [y0, y], colour, limits=limits, dash=dash) + f'<path d="M{head}z" {_fill(colour, 1)}/>'


def arc(start: float, end: float, y: float, weight: float, colour: str, most: float = 9) -> str:
    """From one place on a line at height `y` to another, over it, as wide as its weight."""
    top = y - 14 - 0.75 * abs(end - start)
    path = f"M{_n(start)} {_n(y)}C{_n(start)} {_n(top)} {_n(end)} {_n(top)} {_n(end)} {_n(y)}"
    return f'<path d="{path}" fill="none" stroke="var(--{colour})" stroke-width="{_n(most * weight)}"/>'


def _placed(x: Any, y: Any, limits: Any) -> list[tuple[float, float]]:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    x_low, x_high, y_low, y_high = limits or (x.min(), x.max(), y.min(), y.max())
    across = 6 + 88 * (x - x_low) / ((x_high - x_low) or 1)
    down = 94 - 88 * (y - y_low) / ((y_high - y_low) or 1)
    return list(zip(across.tolist(), down.tolist(), strict=True))


def _fill(colour: str, strength: float) -> str:
    return f'fill="var(--{colour})"' + (f' opacity="{_n(strength)}"' if strength < 1 else "")


def _n(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.1f}".removesuffix(".0").replace("0.", ".") if abs(value) < 1 else f"{value:.0f}"
