"""Three ways down from one start: their paths, their heights, what each remembers and what became of it."""

from typing import Any

import plotly.graph_objects as go

from ui.charts import Mark, Series, lines, surface_paths
from ui.words import row, told

COLOURS = {"SGD": "way_0", "Momentum": "way_1", "Adam": "way_2"}
LIMITS = {"sum": "2(1 + β)/c", "average": "2(1 + β)/((1 − β)c)", "Nesterov": "2(1 + β)/((1 + 2β)c)"}
MOVES = {
    "SGD": r"\eta\,g",
    "sum": r"\eta\,v",
    "average": r"\eta\,v",
    "Nesterov": r"\eta\,(g + \beta v)",
    "Adam": r"\tfrac{\eta}{\sqrt{\hat v} + \varepsilon} \odot \hat m",
}
SYMBOLS = {
    "velocity": "v",
    "m": "m",
    "v": "v",
    "m_hat": r"\hat m",
    "v_hat": r"\hat v",
    "rates": r"\tfrac{\eta}{\sqrt{\hat v} + \varepsilon}",
}
SCALE = (4e-7, 1e4)  # of heights, the same on every surface


def paths(grid: Any, runs: dict[str, Any], minima, start, *, title: str, steps: int, step: int) -> go.Figure:
    """The ways over the surface's level lines, with a player that shows step by step.

    Shapes: grid.x (n,), grid.y (n,), grid.relief (n, n); each run's points (t+1, 2); minima and start (x, y).
    """
    drawn = [Series(key, run.points[:, 1], COLOURS[key], x=run.points[:, 0]) for key, run in runs.items()]
    marks = [*(Mark(x, y, "", "ink") for x, y in minima), Mark(*start, "start", "ink"), Mark(*start)]
    meta = {"play": {"traces": [1, 2, 3], "steps": steps, "step": step}}
    return surface_paths(grid.x, grid.y, grid.relief, drawn, title=title, marks=marks, height=430, meta=meta)


def heights(runs: dict[str, Any], *, steps: int, step: int) -> go.Figure:
    """Each run's height above the minimum, step by step; the player of `paths` moves it."""
    return lines(
        range(steps + 1),
        [Series(key, run.above, COLOURS[key]) for key, run in runs.items()],
        title="Height above the minimum",
        x_title="step",
        x_range=(0, steps),
        y_range=SCALE,
        log_y=True,
        height=215,
        meta={"play": {"traces": [0, 1, 2], "steps": steps, "step": step, "follow": True}},
    )


def final_heights(rates: list[float], sweeps: dict[str, Any], limits: dict, today: dict) -> go.Figure:
    """Where each ends for every learning rate, `limits` as upright lines; `today` has (learning rate, height)."""
    marks = [Mark(limit, None, f"{limit:.3g}", COLOURS[key]) for key, limit in limits.items() if limit]
    marks += [Mark(rate, height, "", COLOURS[key]) for key, (rate, height) in today.items()]
    return lines(
        rates,
        [Series(key, sweep.reached, COLOURS[key]) for key, sweep in sweeps.items()],
        title="Final height by learning rate, and its limits",
        x_title="learning rate",
        x_range=(6e-5, 10),
        y_range=SCALE,
        log_x=True,
        log_y=True,
        marks=marks,
        height=215,
    )


def remembered(key: str, run: Any, step: int, form: str) -> list[str]:
    """What one remembers at a step, or at its last before that, and how it moved: formulas; none before the first."""
    t = min(step, len(run.updates))
    if not t:
        return []
    state, move = run.states[t], MOVES[form if key == "Momentum" else key]
    memory = [f"{SYMBOLS[f]} = {row(part)}" for f, part in state._asdict().items() if f in SYMBOLS]
    parts = [f"g = {row(run.grads[t - 1])}", *memory]
    first = rf"\textbf{{{key}, step {t}}}\quad " + r",\quad ".join(parts[:3])
    moved = f"{row(run.points[t - 1])} - {row(-run.updates[t - 1])} = {row(run.points[t])}"
    rest = [r",\quad ".join(parts[3:])] if parts[3:] else []
    return [first, *rest, rf"\theta_{{{t}}} = \theta_{{{t - 1}}} - {move} = {moved}"]


def what_became(key: str, run: Any, too_curved: Any, form: str, lr: float) -> str:
    """Where a run ended; `too_curved` is the first ground that its learning rate did not bear, or None."""
    now, why = told(where=run.points[-1], height=run.above[-1]), ""
    if too_curved:
        curvature, bound = told(c=too_curved.curvature).c, "2/c" if key == "SGD" else LIMITS[form]
        why = (
            f" At step {too_curved.step} the curvature under it was c = {curvature}, which bears learning rates "
            f"below {bound} = {too_curved.limit:.3g}; today's is {lr:g}."
        )
    if run.diverged_at:
        return f"**{key} is lost**: step {run.diverged_at} would leave ±1,000,000, so it is not taken.{why}"
    if run.above[-1] > run.above[0]:
        return f"**{key}** ends higher than it began, {now.height} above the minimum.{why}"
    return f"**{key}** ends at ({now.where}), **{now.height}** above the deepest minimum."
