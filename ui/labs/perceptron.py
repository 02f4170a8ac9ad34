"""One unit in the plane: its examples, its line, and what a look and a whole training came to."""

from typing import Any

import plotly.graph_objects as go

from ui import charts
from ui.charts import Mark, Series
from ui.words import told


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


def looked(step: Any, taken: int) -> str:
    """What the last look came to; `step` is its trace, None before the first.

    >>> looked(None, 0)
    'Nothing learnt yet: this is the line set by hand.'
    """
    if not step:
        return "Nothing learnt yet: this is the line set by hand."
    if not step.update:
        return f"Look {taken} was right, so nothing moved: the unit learns from mistakes only."
    now = told(by=step.update)
    return (
        f"Look {taken} was a mistake, so w moved by **{now.by} · x**: towards an example that should be 1, "
        "away from one that should be 0."
    )


def ended(n_epochs: int, mistakes: int, *, xor: bool) -> str:
    """How the training ended, with so many mistakes in its last epoch.

    >>> ended(1, 0, xor=False)
    'Training ends by itself after **1 epoch**: the last one was without a mistake.'
    >>> ended(9, 1, xor=False)
    'The last of 9 epochs still made **1** mistake: no clean pass, so no end.'
    """
    if not mistakes:
        after = f"{n_epochs} epoch{'s' * (n_epochs != 1)}"
        return f"Training ends by itself after **{after}**: the last one was without a mistake."
    never = " **XOR never stops**, however long: no line separates it." if xor else ""
    made = f"**{mistakes}** mistake{'s' * (mistakes != 1)}"
    return f"The last of {n_epochs} epochs still made {made}: no clean pass, so no end.{never}"
