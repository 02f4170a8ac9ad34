"""The loss down its gradient: along one step, and step by step."""

from typing import Any

import plotly.graph_objects as go

from ui import charts
from ui.charts import Mark, Series
from ui.words import number, told


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
    view: dict[str, Any] = {"x_title": "η", "x_range": (-0.27, 2.3), "y_range": (0, 2), "height": 205}
    return charts.lines(line.learning_rates, series, title="Loss down the slope", marks=marks, **view)


def by_step(path: Any, taken: int) -> go.Figure:
    """The loss after each step of a path's trace, and what the first `taken` steps promised."""
    steps, now = range(len(path.losses)), path.losses[taken]
    series = [
        Series("still to come", path.losses, "ghost", dash="dot"),
        Series("promised", path.promised[:taken], "gradient", steps[1 : taken + 1], dash="dash"),
        Series("so far", path.losses[: taken + 1], "ink", steps[: taken + 1]),
    ]
    view: dict[str, Any] = {"x_title": "steps", "x_range": (-0.5, 23), "y_range": (0, 2), "height": 205}
    return charts.lines(steps, series, title="Loss by step", marks=[Mark(taken, now, number(now))], **view)


def on_the_step(step: Any, rate: float, usual: Any, usual_rate: float) -> list[tuple[Any, str]]:
    """What the next step promises and brings, and what one of the usual learning rate would; both are traces."""
    now = told(promised=step.predicted_change, brought=step.actual_change)
    was = told(promised=usual.predicted_change, brought=usual.actual_change)
    rises, factor = step.actual_change > 1e-12, rate / usual_rate
    return [
        (not rises, f"The next step promises {now.promised:5} and brings **{now.brought:5}**."),
        (
            rises,
            f"The next step promises {now.promised:5} and brings **+{now.brought:5}**: the loss rises, it is too long.",
        ),
        (
            rate != usual_rate,
            f"With η = {usual_rate:g} it would promise {was.promised:5} and bring {was.brought:5}: {factor:g} times "
            f"the learning rate promises {factor:g} times the gain, which holds while the loss is nearly straight.",
        ),
    ]


def since_the_start(taken: int, row: int, norms: tuple[float, float], pink: tuple[list, list]) -> tuple[Any, str]:
    """What the steps taken have made of ‖g‖² and of the pink numbers of a row, each (at the start, now)."""
    sizes = [max(abs(float(v)) for column in columns if column is not None for v in column) for columns in pink]
    now = told(norms=list(norms), sizes=sizes)
    return (
        taken,
        f"Since the start ‖g‖² has gone from {now.norms[0]} to **{now.norms[1]}**, the largest pink number of row "
        f"{row} from {now.sizes[0]} to **{now.sizes[1]}** in size.",
    )
