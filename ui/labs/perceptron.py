"""One unit in the plane: its examples, its line, and what a look and a whole training came to."""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from ui import charts
from ui.charts import Handle, Mark, Series
from ui.page import controls
from ui.page.matrices import filled_matrix
from ui.words import counted, told

COLUMNS, MOST = ["x₁", "x₂", "class"], 24  # of the examples as they are typed
GATES, CLOUDS = (-0.75, 1.75), ((-6.0, 6.0), (-8.0, 8.0))  # the squares that hold the examples


class Examples(NamedTuple):
    """What the unit learns from: x (n, 2), targets (n,) 0 or 1, what they are called, the square they lie in."""

    x: np.ndarray
    targets: np.ndarray
    name: str
    square: tuple[float, float]


def examples(data: Any, problem: str, by: Hashable) -> Examples:
    """The examples as a text to edit, filled with the `data` of a problem as often as `by`, what made them, changes.

    The gates have a square of their own, which holds whatever is typed; that of the clouds is wider.
    """
    default = np.column_stack([data.x, data.targets])
    square = next(one for one in CLOUDS if abs(data.x).max() <= one[1]) if problem == "two clouds" else GATES
    low, high = (f"{edge:g}".replace("-", "−") for edge in square)
    about = (
        f"2 to {MOST} examples, x₁ and x₂ from {low} to {high}, class 0 or 1. Another problem, seed or distance fills "
        "this anew. Arrow keys move a point that has the focus, Page Up and Page Down go to the next."
    )
    with controls.folded("Edit the examples"):
        typed = filled_matrix(
            "examples",
            "Examples",
            default,
            by,
            shape=(None, 3),
            least=2,
            most=(MOST, 3),
            columns=COLUMNS,
            limits=(square, square, (0, 1, True)),
            help=about,
        )
    name = problem if np.array_equal(typed, default) else "your own"
    return Examples(typed[:, :2], typed[:, 2].astype(int), name, square)


def points(of: Examples) -> list[Handle]:
    """Where each example is taken."""
    rounded = lambda axis: lambda at: round(at[axis], 2)
    return [
        Handle(
            {("examples", row, 0): rounded("x"), ("examples", row, 1): rounded("y")},
            float(x),
            float(y),
            name=f"Example {row + 1}, class {target}",
        )
        for row, ((x, y), target) in enumerate(zip(of.x, of.targets, strict=True))
    ]


def plane(data: Any, wrong, line, before, looked_at: int | None, tinted) -> go.Figure:
    """The examples, those answered wrongly crossed; the line and the one before the last look; where it answers 1.

    Shapes: wrong (n,) bool of the Examples `data`, the lines (m, 2), the half plane `tinted` (m, 2).
    Before the first look `before` and `looked_at` are None.
    """
    x, targets, bounds = data.x, data.targets, data.square
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
    done, most = taken // n, max(mistakes)
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
        y_range=(-0.2, 4.9) if n <= 4 else (-0.5, 12 if most < 12 else MOST + 1),
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
