"""Every gradient held against the definition of a derivative, and how the chain rule found it."""

from typing import Any

import plotly.graph_objects as go

from ui import charts
from ui.charts import Mark, Series, links
from ui.charts.heatmaps import Panel
from ui.charts.links import Link
from ui.labs.forward_and_backward.network import nodes
from ui.words import agree, counted, dot, listed, number, told

NAMED = 8  # kinks named, at most


def error_by_h(errors: Any, today: int) -> go.Figure:
    """The relative errors of a check over its h, from the trace of both; `today` is which h is in use."""
    h, error = errors.h[today], errors.largest[today]
    series = [Series("largest off kinks", errors.largest, "ink")]
    series.append(Series("together", errors.overall, "ghost", dash="dot"))
    return charts.lines(
        errors.h,
        series,
        title=f"Relative error at h = {h:.0e}: {number(error)}",
        x_title="h",
        x_range=(3e-14, 0.5),
        y_range=(1e-12, 10),
        height=280,
        log_x=True,
        log_y=True,
        mode="lines+markers",
        marks=[Mark(h, error)],
    )


def check_panels(
    analytic: list, numeric: list, error: list, kink: list, *, chosen: tuple[int, int, int]
) -> list[Panel]:
    """For every layer three matrices, b under W: the gradient, its measurement, the relative error with kinks named.

    Errors from 10⁻⁶ on are dark. `chosen` = layer, row, column of the parameter worked out.
    """
    panels = []
    names = nodes([*(len(part) - 1 for part in analytic), analytic[-1].shape[1]])
    for k, (ours, theirs, wrong, corner) in enumerate(zip(analytic, numeric, error, kink, strict=True)):
        sides: dict[str, Any] = {
            "rows": [*names[k], "b"],
            "columns": names[k + 1],
            "mark": chosen[1:] if chosen[0] == k else None,
            "digits": 4,
        }
        words = [
            ["" if c else number(v, 0) for v, c in zip(*pair, strict=True)] for pair in zip(wrong, corner, strict=True)
        ]
        gone: dict[str, Any] = {"masked": corner, "gone": "kink"}
        panels += [
            Panel(ours, f"∂L / ∂W_{k + 1}, b_{k + 1}", limit=0.4, colour="gradient", name=f"chain {k}", **sides),
            Panel(theirs, "central difference", limit=0.4, name=f"difference {k}", **sides),
            Panel(
                wrong, "relative error", kind="probability", limit=1e-6, words=words, name=f"error {k}", **gone, **sides
            ),
        ]
    return panels


def links_of_check(n_layers: int) -> list[Link]:
    """Each relative error is of the two numbers before it."""
    return [links.copied(f"error {k}", f"chain {k}", f"difference {k}") for k in range(n_layers)]


def batch(x, logits, probs, targets: list[int], row: int, names: list[str]) -> go.Figure:
    """What goes in and what comes out, for every row: the right class of each has an outline."""
    classes = [f"z_{j}" for j in range(len(logits[0]))]
    side: dict[str, Any] = {"rows": names, "mark": (row, None), "digits": 2}
    panels = [
        Panel(x, "Input x", columns=[f"x_{j}" for j in range(len(x[0]))], limit=2, name="x", held="x", **side),
        Panel(logits, "Logits", columns=classes, limit=2, name="logits", **side),
        Panel(probs, "Softmax of each row", columns=classes, kind="probability", name="probs",
              right=tuple(enumerate(targets)), **side),
    ]  # fmt: skip
    return charts.matrices(panels, per_row=3, cell=24, links=[links.softmax("probs", "logits")])


def clicked_parameter(click: dict, places: dict[str, tuple[int, int, int]]) -> int | None:
    """Which parameter the clicked cell of those matrices is of.

    >>> clicked_parameter({"panel": 4, "row": 0, "column": 1}, {"W_1[0, 0]": (0, 0, 0), "W_2[0, 1]": (1, 0, 1)})
    1
    """
    spots = list(places.values())
    spot = (click["panel"] // 3, click["row"], click["column"])
    return spots.index(spot) if spot in spots else None


def delta_of(node: str, layers: Any, back: Any, probs: Any, targets: list[int], place: tuple[int, int, int]):
    """How δ, the gradient by what goes into a node, comes about in one row: from the layer above, or from the loss.

    `back` is the trace of the backward pass, place = (its layer, the row, the node).
    """
    k, row, j = place
    if k == len(layers) - 1:
        now = told(p=probs[row, j], delta=back.deltas[k][row, j])
        share = rf"\frac{{{now.p:bare} - {int(targets[row] == j)}}}{{{len(targets)}}}"
        return (rf"\delta_{{{node}}} = \frac{{p - y}}{{n}} = {share} = {now.delta:bare}",)
    now = told(felt=back.d_activations[k][row, j], slope=back.slopes[k][row, j], delta=back.deltas[k][row, j])
    by_node, above = rf"\frac{{\partial L}}{{\partial {node}}}", rf"\sum_m W_{k + 2}[{j}, m] \cdot \delta_m"
    return (
        dot(f"{by_node} = {above}", layers[k + 1].W[j], back.deltas[k + 1][row], now.felt),
        rf"\delta_{{{node}}} = {by_node} \cdot f'(z) = {now.felt:tex} \cdot {now.slope:tex} = {now.delta:bare}",
    )


def on_errors(n: int, kinks: int, worst: str, error: float, gradient: float) -> list[tuple[Any, str]]:
    """The largest of the n relative errors off the kinks, the name of its parameter, and the gradient there."""
    now = told(worst=worst, error=error, gradient=gradient)
    where = "Off the kinks the" if kinks else "The"
    held = "under" if error < 1e-6 else "not under"
    return [
        (not n, "Every gradient sits on a kink at this h: nothing is left to compare."),
        (
            n,
            f"{where} largest of {counted(n, 'relative error', 'relative errors')} is **{now.error}**, at {now.worst}: "
            f"{held} 10⁻⁶. Its gradient is {now.gradient}.",
        ),
    ]


def on_h(h: float, best: float, error: float, least: float) -> list[tuple[Any, str]]:
    """Why another h is better than the one in use, if one is; `error` and `least` are what either leaves."""
    now = told(error=error, least=least)
    better = f"The best h of the curve, {best:.0e}, leaves {now.least}, this one, {h:.0e}, leaves {now.error}: "
    return [
        (h == best, f"No h of the curve is better than {h:.0e}."),
        (h < best, f"{better}too small, rounding, about 10⁻¹⁶ / h, drowns the difference."),
        (h > best, f"{better}too large, the difference leaves the tangent, by about h²."),
    ]


def on_kinks(kinks: list[str], activation: str) -> list[tuple[Any, str]]:
    """The parameters on a kink, or why there are none."""
    n = len(kinks)
    more = f" and {n - NAMED} more" if n > NAMED else ""
    return [
        (not n and activation == "relu", "No kinks: no ± h carries a ReLU across its corner."),
        (not n and activation != "relu", f"No kinks: {activation} is smooth."),
        (
            n,
            f"**{counted(n, 'kink', 'kinks')}** at this h: {listed(kinks[:NAMED])}{more}. Moved by ± h, a ReLU crosses "
            f"0: the loss has a corner there and no single slope, so {agree(n, 'its', 'their')} error is no fault.",
        ),
    ]
