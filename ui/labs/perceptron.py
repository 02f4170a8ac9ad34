"""One unit in the plane: its examples, its line, and what a look and a whole training came to."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui import charts
from ui.charts import Handle, Mark, Series
from ui.words import counted, told


def plane(data: Any, wrong, line, before, looked_at: int | None, tinted, *, low: float, high: float) -> go.Figure:
    """The examples, those answered wrongly crossed; the line and the one before the last look; where it answers 1.

    Shapes: data.x (n, 2), data.targets (n,) 0 or 1, wrong (n,) bool, the lines (m, 2), the half plane `tinted` (m, 2).
    Before the first look `before` and `looked_at` are None.
    """
    x, targets, bounds = data.x, data.targets, (low, high)
    groups = [
        Series("target 1", x[targets == 1, 1], "ink", x[targets == 1, 0], size=16),
        Series("target 0", x[targets == 0, 1], "ink", x[targets == 0, 0], size=16, symbol="circle-open"),
        Series("mistake", x[wrong, 1], "gradient", x[wrong, 0], size=9, symbol="x"),
    ]
    paths = [Series("the line", line[:, 1], "weight", line[:, 0])]
    if before is not None:
        paths.insert(0, Series("before", before[:, 1], "ghost", before[:, 0], dash="dash"))
        groups.append(Series("looked at", x[[looked_at], 1], "today", x[[looked_at], 0], size=28, symbol="circle-open"))
    figure = charts.points(groups, paths=paths, x_title="x₁", y_title="x₂", x_range=bounds, y_range=bounds, height=420)
    return charts.shade(figure, tinted, "answer 1", "weight")


def by_hand(weights: Any, line: np.ndarray) -> list[Handle]:
    """Where the visitor's own line is taken: its middle shifts it, its end turns it about the middle."""
    if not len(line):
        return []
    w, (x, y) = np.asarray(weights, dtype=float), line.mean(axis=0)

    def turned(at: dict) -> Any:
        across = np.array([y - at["y"], at["x"] - x])
        length = np.hypot(*across) or np.inf
        return np.hypot(*w) * across / length * (1 if across @ w >= 0 else -1)

    turns: Any = {
        "w_1": lambda at: turned(at)[0],
        "w_2": lambda at: turned(at)[1],
        "bias": lambda at: -(turned(at) @ [x, y]),
    }
    return [Handle({"bias": lambda at: -(w @ [at["x"], at["y"]])}, x, y), Handle(turns, *line[1])]


def epochs(mistakes: tuple[int, ...], ends, *, n: int, taken: int, looks: int) -> go.Figure:
    """Mistakes in each epoch, which `ends` after so many looks; those of the first `taken` looks are drawn full."""
    done = taken // n
    series = [
        Series("still to come", mistakes, "ghost", ends, dash="dot"),
        Series("so far", mistakes[:done], "gradient", ends[:done]),
    ]
    return charts.lines(
        ends,
        series,
        title="Mistakes per epoch",
        x_title=f"examples looked at, {n} an epoch",
        x_range=(-2, looks + 14),
        y_range=(-0.2, 4.9) if n == 4 else (-0.5, 12),
        marks=[Mark(taken, None, f"{taken}")],
        height=300,
        mode="lines+markers",
    )


def looked(step: Any, taken: int) -> list[tuple[Any, str]]:
    """What the last look came to, a claim with each sentence; `step` is its trace, None before the first.

    >>> [sentence for claim, sentence in looked(None, 0) if claim]
    ['Nothing learnt yet: w and b are those set by hand.']
    """
    now = told(by=step.update if step else 0.0)
    return [
        (not step, "Nothing learnt yet: w and b are those set by hand."),
        (step and not step.update, f"Look {taken} was right, so nothing moved: the unit learns from mistakes only."),
        (
            step and step.update > 0,
            f"Look {taken} was a mistake, so w moved by **{now.by} · x**, towards an example that should be 1.",
        ),
        (
            step and step.update < 0,
            f"Look {taken} was a mistake, so w moved by **{now.by} · x**, away from an example that should be 0.",
        ),
    ]


def ended(mistakes: tuple[int, ...], *, n: int, possible: bool) -> list[tuple[Any, str]]:
    """How training went with so many mistakes in each epoch of n examples; `possible`: a line gets all of them right.

    >>> [sentence for claim, sentence in ended((2, 0), n=4, possible=True) if claim]
    ['Training ends by itself after **2 epochs**, 8 looks: the last epoch was without a mistake.']
    """
    epochs, last = len(mistakes), mistakes[-1]
    passed, made = counted(epochs, "epoch", "epochs"), counted(last, "mistake", "mistakes")
    return [
        (
            last == 0,
            f"Training ends by itself after **{passed}**, {epochs * n} looks: the last epoch was without a mistake.",
        ),
        (
            last and possible,
            f"**Not ended yet** after {epochs * n} looks: epoch {epochs} still made {made}. A line gets all {n} right, "
            "so a clean epoch will come (Novikoff 1962).",
        ),
        (
            last and not possible,
            f"**No line gets all {n} right**, so the mistakes never die out, however long training goes on: "
            f"epoch {epochs} made {made}.",
        ),
    ]


def without_a_line(weights, b: float, line) -> list[tuple[Any, str]]:
    """Why no line is drawn, if none is."""
    answer = int(b > 0)
    return [
        (not any(weights), f"w = (0, 0) draws no line: the answer is {answer} everywhere."),
        (any(weights) and not len(line), "The line lies outside this square: one answer everywhere in it."),
    ]
