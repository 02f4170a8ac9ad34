"""A small classifier as it is drawn on a blackboard: nodes with their numbers, edges as strong as their weights."""

from html import escape
from typing import Any

import plotly.graph_objects as go

from ui import charts
from ui.charts import Mark, Series, theme
from ui.charts.axes import titled
from ui.charts.figure import Sketch
from ui.charts.heatmaps import Panel
from ui.words import listed, number, told

ALONG = 0.38  # where on an edge its dot sits: no two dots meet there


def parameters(sizes: list[int]) -> dict[str, tuple[int, int, int]]:
    """The name of every parameter and where it stands: layer, row, column, with b as one more row under W.

    >>> parameters([1, 2])
    {'W_1[0, 0]': (0, 0, 0), 'W_1[0, 1]': (0, 0, 1), 'b_1[0]': (0, 1, 0), 'b_1[1]': (0, 1, 1)}
    """
    return {
        f"W_{k + 1}[{i}, {j}]" if i < n_in else f"b_{k + 1}[{j}]": (k, i, j)
        for k, (n_in, n_out) in enumerate(zip(sizes, sizes[1:], strict=False))
        for i in range(n_in + 1)
        for j in range(n_out)
    }


def network(
    values: list,
    slopes: list,
    weights: list,
    probs,
    *,
    right: int,
    names: list[str],
    chosen: int,
    limit: float = 3.0,
    height: int = 380,
) -> go.Figure:
    """Columns of nodes with their `values`; `slopes` (the gradient, None where there is none) under them, `probs` last.

    `weights` are the matrices between two columns: vermilion edges for positive weights, blue for negative ones, wider
    for larger. Every edge, and after a matrix's edges every bias of the column it leads to, has a dot that tells its
    name; a click gives its number as "point", and `chosen` is the one of today. `right` is the right class. Numbers
    beyond ±limit take the last colour and the full width.
    """
    spots = [[(c, (len(column) - 1) / 2 - i) for i in range(len(column))] for c, column in enumerate(values)]
    edges, dots = _edges(spots, weights, limit, chosen)
    felt = [
        ((x, y - 0.42), s)
        for column, slope in zip(spots, slopes, strict=True)
        if slope is not None
        for (x, y), s in zip(column, slope, strict=True)
    ]
    titles = ["x", *(f"hidden {c}" for c in range(1, len(values) - 1)), "logits"]
    data = [
        *edges,
        _named(
            "today", "markers", [dots[chosen]], hoverinfo="skip", marker={"size": 13, "color": theme.colour("today")}
        ),
        _named(
            "parameters",
            "markers",
            dots,
            customdata=[escape(name) for name in names],
            hovertemplate="%{customdata}<extra></extra>",
            marker={"size": 6, "color": theme.colour("weight")},
        ),
        _nodes(spots, values, limit),
        _words([spot for spot, _ in felt], [number(s) for _, s in felt], "gradient"),
        _words([(c, 2.2) for c in range(len(values))], titles, "ink"),
    ]
    axis = {"showgrid": False, "zeroline": False, "showticklabels": False, "fixedrange": True}
    layout = titled("", height) | {
        "xaxis": axis | {"range": [-0.3, len(values) - 0.3]},
        "yaxis": axis | {"range": [-2.15, 2.4]},
        "meta": {"narrow": {"xaxis": {"range": [-0.35, len(values) + 0.05]}}},
        "margin": {"l": 0, "r": 0, "t": 4, "b": 4},
        "annotations": [
            _probability(x, y, p, right=c == right) for c, ((x, y), p) in enumerate(zip(spots[-1], probs, strict=True))
        ],
    }
    return Sketch(data, layout)


def down_the_slope(line: Any, step: Any, rate: float) -> go.Figure:
    """The loss along the gradient with its tangent, before and after a step, and where the tangent promised it to end.

    `line` and `step` are the traces of the loss along the gradient and of the step.
    """
    marks = [
        Mark(0, step.backward.loss, "before", "ghost"),
        Mark(rate, step.promised, "", "gradient"),
        Mark(rate, step.loss, "after"),
    ]
    series = [Series("promised", line.tangent, "gradient", dash="dash"), Series("loss", line.losses, "ink")]
    view = {"x_title": "η", "x_range": (-0.27, 2.3), "y_range": (0, 2), "height": 250}
    return charts.lines(line.learning_rates, series, title="Loss down the slope", marks=marks, **view)


def by_step(path: Any, taken: int) -> go.Figure:
    """The loss after each step of a path's trace, and what the first `taken` steps promised."""
    steps, now = range(len(path.losses)), path.losses[taken]
    series = [
        Series("still to come", path.losses, "ghost", dash="dot"),
        Series("promised", path.promised[:taken], "gradient", steps[1 : taken + 1], dash="dash"),
        Series("so far", path.losses[: taken + 1], "ink", steps[: taken + 1]),
    ]
    view = {"x_title": "steps", "x_range": (-0.5, 23), "y_range": (0, 2), "height": 250}
    return charts.lines(steps, series, title="Loss by step", marks=[Mark(taken, now, number(now))], **view)


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

    Errors from 10⁻⁶ on are dark. `chosen` = layer, row, column of today's parameter.
    """
    panels = []
    letters = ["x", *["h"] * (len(analytic) - 1), "z"]
    for k, (ours, theirs, wrong, corner) in enumerate(zip(analytic, numeric, error, kink, strict=True)):
        sides = {
            "rows": [*(f"{letters[k]}_{r}" for r in range(len(ours) - 1)), "b"],
            "columns": [f"{letters[k + 1]}_{c}" for c in range(ours.shape[1])],
            "mark": chosen[1:] if chosen[0] == k else None,
            "digits": 4,
        }
        words = [
            ["" if c else number(v, 0) for v, c in zip(*pair, strict=True)] for pair in zip(wrong, corner, strict=True)
        ]
        gone = {"masked": corner, "gone": "kink"}
        panels += [
            Panel(ours, f"∂L / ∂W_{k + 1}, b_{k + 1}", limit=0.4, colour="gradient", **sides),
            Panel(theirs, "central difference", limit=0.4, **sides),
            Panel(wrong, "relative error", kind="probability", limit=1e-6, words=words, **gone, **sides),
        ]
    return panels


def on_errors(n: int, worst: str, error: float, gradient: float) -> str:
    """The largest of the n relative errors off the kinks, the name of its parameter, and the gradient there.

    >>> on_errors(0, "", 0.0, 0.0)
    'Every gradient sits on a kink at this h: nothing is left to compare.'
    """
    if not n:
        return "Every gradient sits on a kink at this h: nothing is left to compare."
    now = told(worst=worst, error=error, gradient=gradient)
    return (
        f"Off the kinks the largest of {n} relative errors is **{now.error}**, at {now.worst}: "
        f"{'under' if error < 1e-6 else 'not under'} 10⁻⁶. Its gradient is {now.gradient}."
    )


def on_h(today: float, best: float) -> str:
    """Why another h is better than today's, if one is.

    >>> on_h(1e-5, 1e-5)
    "The best of these h, 1e-05, is today's."
    """
    why = "today's"
    if today < best:
        why = "larger than today's: rounding, about 10⁻¹⁶ / h, drowns the difference"
    elif today > best:
        why = "smaller than today's: the difference leaves the tangent, by about h²"
    return f"The best of these h, {best:.0e}, is {why}."


def on_kinks(kinks: list[str], activation: str) -> str:
    """The parameters on a kink, or why there are none.

    >>> on_kinks([], "tanh")
    'No kinks: tanh is smooth.'
    """
    if not kinks:
        corner = "no ± h carries a ReLU across its corner"
        return f"No kinks: {corner if activation == 'relu' else f'{activation} is smooth'}."
    return (
        f"**{len(kinks)} kinks** at this h: {listed(kinks[:5])}{' and more' if len(kinks) > 5 else ''}. Moved by ± h, "
        "a ReLU crosses 0: the loss has a corner there and no single slope, so their error is no fault."
    )


def _edges(spots: list, weights: list, limit: float, chosen: int) -> tuple[list[dict], list]:
    """Traces of the edges, one for all that look alike, and the dot of every parameter in order."""
    edges, dots = {}, []  # the edges' ends by colour and width
    for c, matrix in enumerate(weights):
        for a, row in zip(spots[c], matrix, strict=True):
            for b, w in zip(spots[c + 1], row, strict=True):
                edges.setdefault(_look(w / limit, len(dots) == chosen), []).extend([a, b, (None, None)])
                dots.append((a[0] + ALONG, round(a[1] + ALONG * (b[1] - a[1]), 2)))
        dots += [(round(x - 0.1, 1), y + 0.3) for x, y in spots[c + 1]]
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            **_at(ends),
            "line": {"color": colour, "width": width},
            "hoverinfo": "skip",
        }
        for (width, colour), ends in sorted(edges.items())
    ]
    return traces, dots


def _nodes(spots: list, values: list, limit: float) -> dict:
    """The trace of the nodes, their numbers in them."""
    flat = [v for column in values for v in column]
    return _named(
        "values",
        "markers+text",
        [spot for column in spots for spot in column],
        hoverinfo="skip",
        cliponaxis=False,
        text=[number(v, 2) for v in flat],
        textfont={"size": 13, "color": theme.colour("ink")},
        marker={
            "size": 44,
            "color": [round(float(v), 3) for v in flat],
            "cmin": -limit,
            "cmax": limit,
            "colorscale": theme.ramp(theme.DIVERGING[0]),
            "line": {"width": 1.5, "color": theme.colour("soft_ink")},
        },
    )


def _probability(x: float, y: float, p: float, *, right: bool) -> dict:
    """A class's probability beside its node."""
    return {
        "x": x,
        "y": y,
        "text": f"p = {number(p, 2)}{'<br><b>right</b>' if right else ''}",
        "showarrow": False,
        "xanchor": "left",
        "xshift": 28,
        "align": "left",
        "font": {"size": 13},
    }


def _named(name: str, mode: str, spots: list, **more) -> dict:
    return {"type": "scatter", "mode": mode, "name": name, **_at(spots), **more}


def _look(strength: float, chosen: bool) -> tuple[float, str]:
    """Width and colour of an edge, the width in half pixels."""
    width = 0.5 + 0.5 * round(11 * min(abs(float(strength)), 1.0))
    if chosen:
        return max(width, 2.5), theme.colour("today")
    return width, theme.DIVERGING[0][7 if strength > 0 else 2]


def _at(spots: list) -> dict:
    return {"x": [x for x, _ in spots], "y": [y for _, y in spots]}


def _words(spots: list, texts: list[str], colour: str) -> dict:
    font = {"size": 13, "color": theme.colour(colour)}
    bold = [f"<b>{text}</b>" for text in texts]
    return {"type": "scatter", "mode": "text", **_at(spots), "text": bold, "textfont": font, "hoverinfo": "skip"}
