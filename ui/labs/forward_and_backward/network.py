"""A small classifier as it is drawn on a blackboard: nodes with their numbers, edges as strong as their weights."""

import plotly.graph_objects as go

from ui.charts import theme
from ui.charts.axes import titled
from ui.charts.figure import Sketch
from ui.words import literal, number

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


def nodes(sizes: list[int]) -> list[list[str]]:
    """The name of every node, column by column: x for the input, h1, h2 … for the hidden layers, z for the logits.

    >>> nodes([1, 2, 1])
    [['x_0'], ['h1_0', 'h1_1'], ['z_0']]
    """
    letters = ["x", *(f"h{k}" for k in range(1, len(sizes) - 1)), "z"]
    return [[f"{letter}_{i}" for i in range(n)] for letter, n in zip(letters, sizes, strict=True)]


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
    height: int = 312,
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
        ((x, y - 0.45), s)
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
            customdata=[literal(name) for name in names],
            hovertemplate="%{customdata}<extra></extra>",
            marker={"size": 6, "color": theme.colour("weight")},
        ),
        _nodes(spots, values, nodes([len(column) for column in values]), limit),
        _words([spot for spot, _ in felt], [number(s) for _, s in felt], "gradient"),
        _words([(c, 2.2) for c in range(len(values))], titles, "ink"),
    ]
    axis = {"showgrid": False, "zeroline": False, "showticklabels": False, "fixedrange": True}
    layout = titled("", height) | {
        "xaxis": axis | {"range": [-0.3, len(values) - 0.3]},
        "yaxis": axis | {"range": [-2.1, 2.34]},
        "meta": {"narrow": {"xaxis": {"range": [-0.35, len(values) + 0.05]}}},
        "margin": {"l": 0, "r": 0, "t": 4, "b": 4},
        "annotations": [
            _probability(x, y, p, right=c == right) for c, ((x, y), p) in enumerate(zip(spots[-1], probs, strict=True))
        ],
    }
    return Sketch(data, layout)


def _edges(spots: list, weights: list, limit: float, chosen: int) -> tuple[list[dict], list]:
    """Traces of the edges, one for all that look alike, and the dot of every parameter in order."""
    edges: dict[tuple[float, str], list] = {}  # their ends by width and colour
    dots: list[tuple[float, float]] = []
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


def _nodes(spots: list, values: list, names: list[list[str]], limit: float) -> dict:
    """The trace of the nodes, their names and numbers in them."""
    flat = [v for column in values for v in column]
    return _named(
        "values",
        "markers+text",
        [spot for column in spots for spot in column],
        hoverinfo="skip",
        cliponaxis=False,
        text=[
            f'<span style="font-size:10px">{name}</span><br>{number(v, 2)}'
            for name, v in zip([name for column in names for name in column], flat, strict=True)
        ],
        textfont={"size": 13, "color": [theme.on_cell(v / limit) for v in flat]},
        marker={
            "size": 44,
            "color": [round(float(v), 3) for v in flat],
            "cmin": -limit,
            "cmax": limit,
            "colorscale": theme.cells(signed=True, numbers=True),
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
