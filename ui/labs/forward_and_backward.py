"""A small classifier as it is drawn on a blackboard: nodes with their numbers, edges as strong as their weights."""

from html import escape

import plotly.graph_objects as go

from ui.charts import theme
from ui.charts.axes import titled
from ui.charts.figure import Sketch
from ui.charts.heatmaps import Panel
from ui.words import number

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
    values: list, slopes: list, weights: list, probs, *, right: int, names: list[str], chosen: int,
    limit: float = 3.0, height: int = 380,
) -> go.Figure:  # fmt: skip
    """Columns of nodes: `values` in them, `slopes` (the gradient, None where there is none) under them, `probs` beside the last.

    `weights` are the matrices between two columns: vermilion edges for positive weights, blue for negative ones, wider for
    larger. Every edge, and after a matrix's edges every bias of the column it leads to, has a dot that tells its name; a
    click gives its number as "point", and `chosen` is the one of today. `right` is the right class. Numbers beyond ±limit
    take the last colour and the full width.
    """
    spots = [[(c, (len(column) - 1) / 2 - i) for i in range(len(column))] for c, column in enumerate(values)]
    nodes = [spot for column in spots for spot in column]
    edges, dots = {}, []  # the edges' ends by colour and width, so that one trace draws all that look alike
    for c, matrix in enumerate(weights):
        for a, row in zip(spots[c], matrix, strict=True):
            for b, w in zip(spots[c + 1], row, strict=True):
                edges.setdefault(_look(w / limit, len(dots) == chosen), []).extend([a, b, (None, None)])
                dots.append((a[0] + ALONG, round(a[1] + ALONG * (b[1] - a[1]), 2)))
        dots += [(round(x - 0.1, 1), y + 0.3) for x, y in spots[c + 1]]
    data = [
        {
            "type": "scatter",
            "mode": "lines",
            **_at(ends),
            "line": {"color": colour, "width": width},
            "hoverinfo": "skip",
        }
        for (width, colour), ends in sorted(edges.items())
    ]
    data += [
        {"type": "scatter", "mode": "markers", "name": "today", **_at([dots[chosen]]), "hoverinfo": "skip",
         "marker": {"size": 13, "color": theme.colour("today")}},
        {"type": "scatter", "mode": "markers", "name": "parameters", **_at(dots), "customdata": [escape(name) for name in names],
         "hovertemplate": "%{customdata}<extra></extra>", "marker": {"size": 6, "color": theme.colour("weight")}},
        {"type": "scatter", "mode": "markers+text", "name": "values", **_at(nodes), "hoverinfo": "skip", "cliponaxis": False,
         "text": [number(v, 2) for column in values for v in column], "textfont": {"size": 13, "color": theme.colour("ink")},
         "marker": {"size": 44, "color": [round(float(v), 3) for column in values for v in column], "cmin": -limit, "cmax": limit,
                    "colorscale": theme.ramp(theme.DIVERGING[0]), "line": {"width": 1.5, "color": theme.colour("soft_ink")}}},
    ]  # fmt: skip
    felt = [((x, y - 0.42), s) for column, slope in zip(spots, slopes, strict=True) if slope is not None
            for (x, y), s in zip(column, slope, strict=True)]  # fmt: skip
    data.append(_words([spot for spot, _ in felt], [number(s) for _, s in felt], "gradient"))
    titles = ["x", *(f"hidden {c}" for c in range(1, len(values) - 1)), "logits"]
    data.append(_words([(c, 2.2) for c in range(len(values))], titles, "ink"))
    beside = [
        {"x": x, "y": y, "text": f"p = {number(p, 2)}" + ("<br><b>right</b>" if c == right else ""), "showarrow": False,
         "xanchor": "left", "xshift": 28, "align": "left", "font": {"size": 13}}
        for c, ((x, y), p) in enumerate(zip(spots[-1], probs, strict=True))
    ]  # fmt: skip
    axis = {"showgrid": False, "zeroline": False, "showticklabels": False, "fixedrange": True}
    layout = titled("", height) | {
        "xaxis": axis | {"range": [-0.3, len(values) - 0.3]},
        "yaxis": axis | {"range": [-2.15, 2.4]},
        "meta": {"narrow": {"xaxis": {"range": [-0.35, len(values) + 0.05]}}},
        "margin": {"l": 0, "r": 0, "t": 4, "b": 4},
        "annotations": beside,
    }
    return Sketch(data, layout)


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
        panels += [
            Panel(ours, f"∂L / ∂W_{k + 1}, b_{k + 1}", limit=0.4, colour="gradient", **sides),
            Panel(theirs, "central difference", limit=0.4, **sides),
            Panel(
                wrong,
                "relative error",
                kind="probability",
                limit=1e-6,
                masked=corner,
                gone="kink",
                words=words,
                **sides,
            ),
        ]
    return panels


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
