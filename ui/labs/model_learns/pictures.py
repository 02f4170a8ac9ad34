"""The pictures of a run: the loss by step, the length of every gradient, what one sentence sees, one matrix."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui import charts
from ui.charts import Mark, Panel, Series, theme
from ui.charts.figure import Sketch, parts
from ui.words import Words

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
POINTS = 1_000  # of all gradients together, and at most 50 a line: more would not be seen


def top(n_words: int) -> float:
    """Where the loss's axis ends: a model of so many words, not a run, decides, so that it stands still.

    >>> top(5), round(top(64), 2)
    (3.0, 6.24)
    """
    return max(3.0, 1.5 * float(np.log(n_words)))


def loss(run: Any, n_words: int, n_steps: int, step: int) -> go.Figure:
    """The loss of every step with the player, the floor, and what guessing costs."""
    last = max(n_steps, 1)
    lines = [
        Series("loss", _short(run.losses), "today"),
        Series("floor", [run.floor] * 2, "value", x=[0, last], dash="dash"),
        Series("guessing, ln V", [np.log(n_words)] * 2, "ghost", x=[0, last], dash="dot"),
    ]
    play = {"traces": [0], "steps": len(run.losses) - 1, "step": step}
    return charts.lines(
        range(len(run.losses)),
        lines,
        title="Loss by step, nats",
        x_title="step",
        x_range=(0, last),
        y_range=(-0.05, top(n_words)),
        height=225,
        meta={"play": play},
    )


def norms(run: Any, chosen: str, n_steps: int, step: int) -> go.Figure:
    """How long the gradient of each matrix is, step by step; the chosen matrix in the gradients' colour.

    All others are one line with gaps, which draws twice as fast as a line each.
    """
    points = min(50, POINTS // len(run.names))
    at = np.unique(np.linspace(0, len(run.losses) - 1, points).round().astype(int))
    lengths = dict(zip(run.names, run.grad_norms[at].T, strict=True))
    picture = charts.lines(
        at,
        [Series(chosen, _short(lengths.pop(chosen)), "gradient")],
        title="Length of each gradient",
        x_title="step",
        x_range=(0, max(n_steps, 1)),
        y_range=(1e-5, 1e2),
        log_y=True,
        height=225,
        marks=[Mark(step, None, chosen, "gradient")],
    )
    given = parts(picture)
    line = given["data"][0]
    others = line | {
        "name": "all others",
        "x": [*at.tolist(), None] * len(lengths),
        "y": [value for one in lengths.values() for value in [*_short(np.maximum(one, 1e-300)), None]],
        "text": [name for name in lengths for _ in range(len(at) + 1)],
        "line": {"color": theme.colour("ghost"), "width": 1},
        "hovertemplate": "%{text}, step %{x}<extra></extra>",
    }
    bold = {"line": line["line"] | {"width": 3.5}, "hovertemplate": "step %{x}"}
    return Sketch([others, line | bold], given["layout"] | {"showlegend": False})


def seen(trace: Any, line: Sequence[int], words: Sequence[Words], mask: Any, silent: Any) -> go.Figure:
    """The next word at each token, the right one outlined, and where each head of the last layer looks."""
    tokens = [str(words[i]) for i in line[:-1]]
    rows, places = [f"{token} →" for token in tokens], [str(at) for at in range(len(tokens))]
    right = tuple((at, i) for at, i in enumerate(line[1:]))
    predicted = Panel(
        trace.probs,
        "Next word",
        rows,
        [str(word) for word in words],
        kind="probability",
        digits=2,
        right=right,
        width=1.7 * min(len(words), 2 * len(tokens)),
    )
    maps = [
        Panel(
            head.weights,
            f"Head {h}{', silent' if silent[h] else ''}",
            places if h else [f"{at} {token}" for at, token in enumerate(tokens)],
            places,
            kind="probability",
            digits=2,
            masked=~mask,
            gone="",
            colour=theme.HEADS[h % 8],
        )
        for h, head in enumerate(trace.blocks[-1].attention.heads)
    ]
    return charts.matrices([predicted, *maps], per_row=4 if len(line) < 7 else 2, cell=30)


def weight_and_gradient(values, gradient, name: str, rows, columns, cell: tuple[int, int]) -> go.Figure:
    """A matrix with its gradient beside it, times the power of ten that brings it near 1; one cell of both outlined."""
    named: dict[str, Any] = {"rows": rows, "columns": columns, "mark": cell}
    largest = float(np.abs(gradient).max())
    zeros = min(max(-int(np.floor(np.log10(largest))) - 1, 0), 99) if largest else 0
    times = f"10{str(zeros).translate(RAISED)} · " if zeros else ""
    panels = [
        Panel(values, name, limit=2, colour="weight", **named),
        Panel(gradient * 10.0**zeros, f"{times}∂L / ∂{name}", limit=1, colour="gradient", **named),
    ]
    return charts.matrices(panels, per_row=2, cell=28)


def _short(values) -> list[float]:
    """Five digits: what a line needs."""
    return [float(f"{value:.5g}") for value in values]
