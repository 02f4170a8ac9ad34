"""The charts and sentences of a feed-forward layer: its matrices, its bends along a line, the curve that widths fit."""

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui.charts import Mark, Panel, Series, lines, links, matrices
from ui.words import agree, counted, noise, number

ENOUGH = 0.1  # an error below it follows a curve by eye
CURVE_CODE = {  # the curves to fit as NumPy code
    "wave": "np.sin(2 * np.pi * points)",
    "two bumps": "np.exp(-((points + 0.5) ** 2) / 0.02) + 0.6 * np.exp(-((points - 0.4) ** 2) / 0.05)",
    "step": "np.where(points > 0, 1.0, -1.0)",
    "hat": "1 - abs(points)",
    "line": "0.5 * points + 0.2",
}


def layers(x, trace: Any, activation: str, rows: list[str], columns: list[str], at: tuple) -> go.Figure:
    """The tokens, widened, activated and narrowed back; `at` is the token, the hidden unit and the output to follow."""
    token, unit, output = at
    d_ff = trace.hidden.shape[1]
    units = [f"h{i}" for i in range(d_ff)]
    narrow: dict[str, Any] = {"limit": 2, "digits": 2, "width": max(4, d_ff // 4)}
    wide: dict[str, Any] = {"limit": 2, "digits": 2 if d_ff > 12 else 3, "mark": (token, unit)}
    panels = [
        Panel(x, "1. x", rows, columns, mark=(token, None), name="x", held="x", **narrow),
        Panel(trace.hidden, "2. h = x·W₁ + b₁", rows, units, sign="→", name="h", **wide),
        Panel(trace.out, "4. y = a·W₂ + b₂", rows, columns, mark=(token, output), name="y", **narrow),
        Panel(trace.activated, f"3. a = {activation}(h)", rows, units, sign="←", name="a", **wide),
    ]
    way = (links.by_row("h", "x"), links.copied("a", "h"), links.by_row("y", "a"))
    return matrices(panels, per_row=2, cell=28, links=way)


def collapsed(two: Any, activation: str, rows: list[str], columns: list[str], bias: float) -> go.Figure:
    """The one layer that two would be without an activation, beside the two as they are."""
    look: dict[str, Any] = {"rows": rows, "columns": columns, "limit": 2, "digits": 2}
    panels = [
        Panel(two.W, "W = W₁·W₂", columns, columns, digits=2, colour="weight", name="W"),
        Panel(two.one_layer, "One layer, X·W + b", name="one", **look),
        Panel(two.two_layers, f"Two layers, {activation}", name="two", **look),
        Panel(two.differences, "Difference", name="difference", **look),
    ]
    one = links.product("one", "x", "W")
    way = (
        one._replace(op="" if bias else one.op),  # b is 0 or out of sight
        links.copied("two", "y"),
        links.copied("difference", "two", "one"),
    )
    return matrices(panels, per_row=4, cell=28, links=way)


def bought(two: Any, activation: str, silent: float) -> str:
    """What the activation changes; `silent` is the share of the hidden units that say nothing."""
    merged = "Without an activation the two matrices are one, W₁·W₂"
    size = max(1.0, float(abs(two.one_layer).max()))
    apart = noise(two.difference, size)
    if activation == "identity":
        return f"{merged}. The identity is no activation: the two layers **are that one layer** (difference {apart})."
    if two.difference < 1e-12 * size:
        why = "every h lies where the activation is straight, so these tokens gain nothing from it."
    elif silent == 1:
        why = "every unit is silent, and only b₂ = 0 comes out."
    else:
        why = "that is what the activation buys on these tokens."
    return f"{merged}. With {activation} the two layers differ from that one layer by at most **{apart}**: {why}"


def bent(line: Any, output: int, token: str) -> go.Figure:
    """One output for all multiples of a token, with the activation and without it; the token itself is at 1."""
    values = np.concatenate([line.out[:, output], line.straight[:, output]])
    limit = max(1, math.ceil(1.05 * abs(values).max()))
    series = [
        Series("without the activation", line.straight[:, output], "ghost"),
        Series("the layer's own units", line.out[:, output], "query"),
    ]
    return lines(
        line.scales,
        series,
        title=f"Output y{output} along the line through {token}",
        x_title=f"times {token}",
        x_range=(line.scales[0], line.scales[-1]),
        y_range=(-limit, limit),
        marks=[Mark(1.0, None, token)],
        height=260,
    )


def bends(line: Any, d_ff: int, bias: float, activation: str, token: str) -> list[tuple[bool, str]]:
    """Where the layer's own units bend its output, and what the width has to do with it."""
    n, nearest = len(line.bends), min(line.bends, key=lambda s: abs(s - 1), default=0.0)
    where, curved = f"between −4 and 4 times {token}", activation != "identity"
    bend = "bend" if activation == "relu" else "curve"
    return [
        (
            not curved,
            f"Along the line through {token} the output is straight: {d_ff} units without activation never bend.",
        ),
        (curved and not n, f"No unit passes through 0 {where}: the output does not {bend} there."),
        (
            curved and n > 0 and bias == 0,
            f"All {d_ff} units {bend} the output at one place, 0 times {token}, because every bias is 0: biases of "
            "their own would give each a place of its own.",
        ),
        (
            curved and n > 0 and bias != 0,
            f"Of the {d_ff} units, {n} {bend}{agree(n, 's', '')} the output {where}, each at a place of its own, the "
            f"nearest to {token} at {number(nearest)} times it: the activation buys bends, the width their number.",
        ),
    ]


def fitted(points: Any, fit: Any, curve: str, d_ff: int) -> go.Figure:
    """A curve and the best that d_ff hidden units can do."""
    series = [Series(curve, points.y, "ghost"), Series(f"fit with {d_ff} units", fit.out, "query")]
    axes: dict[str, Any] = {"x_title": "x", "x_range": (-1.05, 1.05), "y_range": (-2.1, 2.1)}
    return lines(points.x, series, title="The best fit", height=300, **axes)


def errors(expansions: list[int], rmse: list[float], expansion: int) -> go.Figure:
    """The error of the best fit against the expansion, the current one marked."""
    now = rmse[expansions.index(expansion)]
    return lines(
        expansions,
        [Series("error", rmse, "query")],
        mode="lines+markers",
        title="Error of the best fit",
        height=344,
        x_title="expansion",
        x_range=(0.7, 9.2),
        x_ticks={e: f"×{e}" for e in expansions},
        y_range=(0, 0.9),
        marks=[Mark(expansion, now, left_over(now))],
    )


def left_over(rmse: float) -> str:
    """The error of a fit; one that small is neither rounding nor a digit to be trusted.

    >>> left_over(0.264), left_over(9.8e-8)
    ('0.264', 'less than 10⁻⁶')
    """
    return number(rmse) if rmse >= 1e-6 else "less than 10⁻⁶"


def widths(curve: str, expansions: list[int], rmse: list[float], expansion: int) -> str:
    """The error of the narrowest, the current and the widest layer, and the first that follows the curve by eye."""
    d_ff = 4 * expansion
    told_once = dict.fromkeys([4, d_ff, 32])
    parts = [f"**{left_over(rmse[expansions.index(n // 4)])}** with {n}" for n in told_once]
    enough = next((4 * e for e, error in zip(expansions, rmse, strict=True) if error < ENOUGH), None)
    reached = (
        f"{enough} units are the first to bring it below {ENOUGH}"
        if enough
        else f"none of these widths brings it below {ENOUGH}"
    )
    return f"Fitting “{curve}” with units: an error of {', '.join(parts)}; {reached}."


def speaking(silent: Any, before: Any, bias: float, rows: list[str]) -> str:
    """How many hidden numbers are silent, for each token and for all, and with a bias of 0."""
    shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in zip(rows, silent.per_row, strict=True))
    opening = "" if bias == 0 else f" With a bias of 0 it is {100 * before.share:.0f} %."
    dead = counted(int(silent.dead.sum()), "unit is", "units are")
    return (
        f"**{100 * silent.share:.0f} %** of the hidden numbers are exactly 0, silent ({shares}); {dead} silent for "
        f"every token.{opening}"
    )


def differ(now: Any, unit: int, d_ff: int) -> list[tuple[str, str, str]]:
    """Where libraries and papers differ, with the current numbers."""
    return [
        (
            f"GELU of h{unit} = {now.hidden}",
            f"exact, with erf, as PyTorch's default and BERT: {now.gelu:6}",
            f"GPT-2's tanh formula: {now.gelu_tanh:6}",
        ),
        (
            "How the matrices are stored",
            f"x·W, as in Vaswani et al. 2017 and GPT-2: W₁ is 4 × {d_ff}, W₂ {d_ff} × 4",
            f"PyTorch's Linear keeps x·Wᵀ: {d_ff} × 4 and 4 × {d_ff}",
        ),
        (
            "How many matrices",
            f"two, as in Vaswani et al. 2017 and GPT-2: {now.matrices} weights",
            f"Llama (SwiGLU, Shazeer 2020): three, with a gate beside W₁, {now.gated} at this d_ff; it is cut to ⅔ to "
            "make up for that",
        ),
    ]
