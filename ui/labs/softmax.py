"""The slopes of softmax drawn, over the scale too, their formulas, and what becomes of softmax without its shift."""

from types import SimpleNamespace
from typing import Any

import plotly.graph_objects as go

from ui import charts
from ui.charts import Handle, Mark, Panel, Series
from ui.charts.links import Link
from ui.words import bare, number, tex, together

OUTCOMES = {  # of softmax without the shift, in one number format
    None: "right to within 0.008",
    "overflow": "exp overflows, and ∞ / ∞ is no number",
    "sum overflow": "the sum overflows, so every probability is 0",
    "all zero": "every exp is 0, and 0 / 0 is no number",
    "wrong": "off by as much as **{error}**",
}


def by_hand(names: list[str], logits, colours: Any, control: str) -> tuple[go.Figure, list[Handle]]:
    """Logits as bars, and the handles at their ends; what a hand reaches leaves the axis as it is."""
    top = next(top for top in (4, 8, 20, 50, 100) if abs(logits).max() <= top)
    digits = 1 if top < 20 else 0
    pull = lambda at: max(-top, min(top, round(at["y"], digits)))
    figure = charts.bars(
        names,
        [Series("logit", logits, colours)],
        title="Logits, each to be dragged by its end",
        y_range=(-1.4 * top, 1.4 * top),
        height=190,
        digits=2,
    )
    return figure, [Handle({(control, 0, i): pull}, i, z, only="y") for i, z in enumerate(logits)]


def slopes(trace, names: list[str], target: int, moved: int, reach: float) -> go.Figure:
    """The Jacobian with the chosen cell, and the gradient that its row gives; `reach` is scale / T."""
    of_p: dict[str, Any] = {"limit": 0.25 * reach, "mark": (target, moved), "name": "jacobian"}
    of_loss: dict[str, Any] = {"limit": reach, "mark": (None, moved), "name": "loss", "colour": "gradient"}
    panels = [
        Panel(trace.jacobian, "Jacobian ∂p / ∂z", names, names, **of_p),
        Panel([trace.grad], "Gradient of −log p", ["∂loss"], names, **of_loss),
    ]
    way = Link("loss", "", (("jacobian", str(target), "c"),))  # over −p of the right class
    return charts.matrices(panels, per_row=1, cell=30, links=[way])


def by_scale(scales, values, title: str, colour: str, top: float, now: tuple[float, float]) -> go.Figure:
    """One number over the scale, with the point of now."""
    return charts.lines(
        scales,
        [Series(title, values, colour)],
        title=title,
        x_title="scale",
        x_range=(0, 20),
        y_range=(0, top),
        marks=[Mark(*now, number(now[1]))],
        height=260,
    )


def chain(trace, names: list[str], target: int, moved: int, scale: float, temperature: float) -> list[str]:
    """One cell of the Jacobian written out, then the gradient of the loss that follows from it."""
    t, j, p = names[target][1:], names[moved][1:], trace.out[target]
    slope = trace.jacobian[target, moved]
    same = int(target == moved)
    formulas = [
        rf"\frac{{\partial p_{t}}}{{\partial z_{j}}} = \frac{{{bare(scale)}}}{{{bare(temperature)}}} \cdot {tex(p)} "
        rf"\cdot ({same} - {bare(trace.out[moved])}) = {bare(slope)}"
    ]
    if p > 1e-200 and trace.grad.any():
        formulas.append(
            rf"\frac{{\partial (-\log p_{t})}}{{\partial z_{j}}} = -\frac{{{bare(slope)}}}{{{bare(p)}}} = "
            f"{bare(trace.grad[moved])}"
        )
    return formulas


def unshifted(traces: dict[str, Any]) -> str:
    """How softmax comes out in each number format where the largest is not subtracted before exp."""
    said: dict[str, list[str]] = {}
    for kind, trace in traces.items():
        said.setdefault(OUTCOMES[trace.fault].format(error=number(trace.error)), []).append(kind)
    each = "; ".join(f"{outcome} in {together(kinds)}" for outcome, kinds in said.items())
    return f"If the largest is not subtracted before exp: {each}."


def small(**values: float) -> SimpleNamespace:
    """Numbers for sentences that may come close to nought without being it.

    >>> small(p=0.25, loss=5e-12)
    namespace(p='0.250', loss='less than 10⁻⁹')
    """
    written = {name: "less than 10⁻⁹" if 0 < value < 1e-9 else number(value) for name, value in values.items()}
    return SimpleNamespace(**written)


def leaders(names: list[str], best: tuple[int, ...], choices: int) -> str:
    """Who shares the first place.

    >>> leaders(["z0", "z1"], (0, 1), 3), leaders(["z0", "z1"], (1,), 2), leaders(["z0", "z1"], (0, 1), 2)
    ('z0 and z1', 'z1', 'all alike')
    """
    return "all alike" if len(best) == choices > 1 else together(names[i] for i in best)
