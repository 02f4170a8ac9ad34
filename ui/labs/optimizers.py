"""Three ways down from one start: their paths, their heights, what each remembers and what became of it."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from ui.charts import Mark, Series, lines, surface_paths
from ui.words import listed, number, row, together, told

COLOURS = {"SGD": "way_0", "Momentum": "way_1", "Adam": "way_2"}
LIMITS = {"sum": "2(1 + β)/c", "average": "2(1 + β)/((1 − β)c)", "Nesterov": "2(1 + β)/((1 + 2β)c)"}
MOVES = {
    "SGD": r"\eta\,g",
    "sum": r"\eta\,v",
    "average": r"\eta\,v",
    "Nesterov": r"\eta\,(g + \beta v)",
    "Adam": r"\tfrac{\eta}{\sqrt{\hat s} + \varepsilon} \odot \hat m",
}
SYMBOLS = {
    "velocity": "v",
    "m": "m",
    "v": "s",
    "m_hat": r"\hat m",
    "v_hat": r"\hat s",
    "rates": r"\tfrac{\eta}{\sqrt{\hat s} + \varepsilon}",
}
TEXTBOOK = [float(f"{digit}e{power}") for power in range(-4, 1) for digit in range(1, 10)]
RATES = sorted({*(float(f"{rate:.1e}") for rate in np.geomspace(1e-4, 10, 121)), *TEXTBOOK})
SWEPT = [float(f"{rate:.1e}") for rate in np.geomspace(1e-4, 10, 61)]  # the points of the chart of learning rates
SCALE = (4e-7, 1e4)  # of heights, the same on every surface


def paths(grid: Any, runs: dict[str, Any], minima, start, *, title: str, steps: int, step: int) -> go.Figure:
    """The ways over the surface's level lines, with a player that shows step by step.

    Shapes: grid.x (n,), grid.y (n,), grid.relief (n, n); each run's points (t+1, 2); minima and start (x, y).
    """
    drawn = [Series(key, run.points[:, 1], COLOURS[key], x=run.points[:, 0]) for key, run in runs.items()]
    x_0, y_0 = start
    marks = [*(Mark(x, y, "", "ink") for x, y in minima), Mark(x_0, y_0, "start", "ink"), Mark(x_0, y_0)]
    meta = {"play": {"traces": [1, 2, 3], "steps": steps, "step": step}}
    named = f"Paths on {title}"
    return surface_paths(grid.x, grid.y, grid.relief, drawn, title=named, marks=marks, height=430, meta=meta)


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


def final_heights(rates: list[float], sweeps: dict[str, Any], limits: dict, now: dict) -> go.Figure:
    """Where each ends for every learning rate, `limits` as upright lines; `now` has (learning rate, height)."""
    marks = [Mark(limit, None, f"{limit:.3g}", COLOURS[key]) for key, limit in limits.items() if limit]
    marks += [Mark(rate, height, "", COLOURS[key]) for key, (rate, height) in now.items()]
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


def small(height: float) -> str:
    """A height for a sentence; one that a drawing cannot tell from 0 is said to be that near.

    >>> small(0.25), small(0.0), small(3e-17)
    ('0.250', '0.000', 'less than 10⁻⁹')
    """
    return "less than 10⁻⁹" if 0 < height < 1e-9 else number(height)


def place(point) -> str:
    """A point of the surface for a sentence, to three decimals.

    >>> place((-0.5, -1e-11))
    '(−0.500, 0.000)'
    """
    return f"({', '.join(f'{round(float(x), 3) + 0.0:,.3f}' for x in point)})".replace("-", "−")


def remembered(key: str, run: Any, step: int, form: str, decay: float = 0.0) -> list[str]:
    """What one remembers at a step, or at its last before that, and how it moved: formulas; none before the first."""
    t = min(step, len(run.updates))
    if not t:
        return []
    state, move = run.states[t], MOVES[form if key == "Momentum" else key]
    if decay and key != "Momentum":
        move = r"\eta\,(g + \lambda\theta)" if key == "SGD" else move + r" - \eta\lambda\theta"
    elif decay and form == "Nesterov":
        move = r"\eta\,(g + \lambda\theta + \beta v)"
    memory = [f"{SYMBOLS[f]} = {row(part)}" for f, part in state._asdict().items() if f in SYMBOLS]
    parts = [f"g = {row(run.grads[t - 1])}", *memory]
    first = rf"\textbf{{{key}, step {t}}}\quad " + r",\quad ".join(parts[:3])
    moved = f"{row(run.points[t - 1])} - {row(-run.updates[t - 1])} = {row(run.points[t])}"
    rest = [r",\quad ".join(parts[3:])] if parts[3:] else []
    return [first, *rest, rf"\theta_{{{t}}} = \theta_{{{t - 1}}} - {move} = {moved}"]


def what_symbols_mean(memories: list[list[str]], decay: float) -> str:
    """The letters of `remembered`, and what it means that one has no line."""
    said = "g is the slope, v momentum's velocity, m and s Adam's running means of the slope and of its square (the "
    said += "paper calls s by the letter v); a hat frees them of their start at 0."
    if decay:
        said += " v gathers g + λθ." if memories[1] else ""
    if not all(memories):
        said = f"Before its first step an optimizer remembers nothing: its running means and its velocity are 0. {said}"
    return said


def what_became(key: str, run: Any, too_curved: Any, bound: str, lr: float) -> str:
    """Where a run ended; `too_curved` is the first ground that its learning rate did not bear, or None."""
    height, why = small(run.above[-1]), ""
    if too_curved:
        curvature = told(c=too_curved.curvature).c
        why = (
            f" At step {too_curved.step} the curvature under it was c = {curvature}, where learning rates below "
            f"{bound} = {too_curved.limit:.3g} converge; here it is {lr:g}."
        )
    if run.diverged_at:
        return f"**{key} is lost**: step {run.diverged_at} would leave ±1,000,000, so it is not taken.{why}"
    if run.above[-1] > run.above[0]:
        return f"**{key}** ends higher than it began, {height} above the deepest minimum.{why}"
    return f"**{key}** ends at {place(run.points[-1])}, **{height}** above the deepest minimum."


def where_it_converges(nearest: dict, limits: dict, bounds: dict, runs: dict, lr: float) -> list[tuple[Any, str]]:
    """The limits at the minimum nearest to each end (of a lost run: its start), and SGD's zigzag exactly on its own."""
    sgd, momentum, minimum = limits["SGD"], limits["Momentum"], nearest["SGD"]
    same = minimum.point == nearest["Momentum"].point
    where = {key: "starts" if run.diverged_at else "ends" for key, run in runs.items()}
    both = f"SGD {where['SGD']} and momentum {where['Momentum']}"
    if where["SGD"] == where["Momentum"]:
        both = f"SGD and momentum {where['SGD'].removesuffix('s')}"
    near = {
        key: f"({told(p=one.point).p:2}), where the largest curvature is c = {one.curvature:.4g}"
        for key, one in nearest.items()
    }
    across = abs(runs["SGD"].points[:, 1] - minimum.point[1])
    size = told(first=across[0], last=across[-1])
    on_it = abs(lr - sgd) < 1e-9 * sgd and size.first > 0
    return [
        (
            same,
            f"The minimum nearest to where {both} is {near['SGD']}: near it plain descent converges "
            f"below {bounds['SGD']} = {sgd:.3g} and momentum below {bounds['Momentum']} = {momentum:.3g}.",
        ),
        (
            not same,
            f"The minimum nearest to where SGD {where['SGD']} is {near['SGD']}: near it plain descent converges below "
            f"{bounds['SGD']} = {sgd:.3g}. The one nearest to where momentum {where['Momentum']} is "
            f"{near['Momentum']}: its limit there is {bounds['Momentum']} = {momentum:.3g}.",
        ),
        (True, "Adam divides each slope by its recent size: curvature alone sets it no limit."),
        (
            on_it and abs(size.first - size.last) <= 1e-9 * size.first,
            f"SGD's learning rate is exactly {bounds['SGD']}: its zigzag neither shrinks nor grows, y is "
            f"{size.first} from the valley's floor at the start and {size.last} at the end.",
        ),
    ]


def compared(runs: dict[str, Any], adam_lr: float) -> list[tuple[Any, str]]:
    """Which ends lowest, and who gets away from ground that is nearly flat."""
    kept = {key: run.above[-1] for key, run in runs.items() if not run.diverged_at}
    least = min(kept.values(), default=0.0)
    lowest = [key for key, height in kept.items() if height <= least * (1 + 1e-9)]
    slope = told(g=float(max(abs(runs["SGD"].grads[0])))).g
    moved = told(**{key: run.moved for key, run in runs.items()})
    height = small(least)
    return [
        (len(lowest) == 1, f"Lowest of the three ends **{listed(lowest)}**, at {height} above the deepest minimum."),
        (len(lowest) > 1, f"{together(lowest)} end equally low, at {height} above the deepest minimum."),
        (
            0 < slope < 0.2 and len(kept) == 3 and min(moved.Momentum, moved.Adam) > moved.SGD,
            f"The slope at the start is only {slope}: SGD gets {moved.SGD} away from it. Momentum gets "
            f"{moved.Momentum} away, because slopes of one direction add up in v; Adam gets {moved.Adam} away, because "
            f"√ŝ divides out how small they are, so that its first step is η = {adam_lr:g} in each direction.",
        ),
    ]


def best_rates(sweeps: dict[str, Any]) -> list[str]:
    """Which learning rates end lowest after all steps, ties told as such."""
    told_of = lambda rates: (
        "none, all are lost"
        if not rates
        else f"{rates[0]:g}"
        if len(rates) == 1
        else f"{len(rates)} that tie, from {rates[0]:g} to {rates[-1]:g}"
    )
    best = "; ".join(f"{key}: {told_of(sweep.best_rates)}" for key, sweep in sweeps.items())
    return [f"The learning rates tried that end lowest after 60 steps. {best}."]


def libraries_differ(here: Any, elsewhere: Any) -> list[tuple[str, str, str]]:
    """Where libraries take other steps by the same name, with both numbers: rows of a table."""
    return [
        (
            "How much of the slope joins the velocity: f = x² from 1, learning rate 0.1, β 0.9 (switch: Momentum as)",
            f"all of it, as PyTorch: {here.sum:4}",
            f"the share 1 − β, as m in Adam (Kingma & Ba 2015): {elsewhere.average:4}; PyTorch with dampening 0.1: "
            f"{elsewhere.dampened:4}",
        ),
        (
            "The learning rate inside or outside the velocity: the same, lowered to 0.01 at step 3",
            f"outside, as PyTorch: {here.out:4}",
            f"inside, as Keras and Sutskever et al. 2013: {elsewhere.inside:4}",
        ),
        (
            "Where Adam's ε stands: slope 2 at 1, learning rate 0.1, ε 0.01, one step",
            f"outside the root, as PyTorch: {here.eps:7}",
            f"inside, as optax with eps_root: {elsewhere.eps_inside:7}; beside a root not yet corrected, as TensorFlow "
            f"and Keras: {elsewhere.eps_hat:7}",
        ),
        (
            "Where RMSProp's ε stands: f = x² from 1, learning rate 0.1, α 0.99, ε 1, two steps",
            f"outside the root, as PyTorch: {here.rms:5}",
            f"inside, as TensorFlow and Keras: {elsewhere.rms:5}",
        ),
        (
            "Weight decay 0.01 with Adam: slope 0 at 1, learning rate 0.1, one step",
            f"apart from the slope, times the learning rate, as PyTorch's AdamW: {here.apart:7}",
            f"added to the slope, as PyTorch's Adam: {elsewhere.added:7}; apart, not times the learning rate, as "
            f"Loshchilov & Hutter 2019 write it: {elsewhere.whole:7}",
        ),
    ]
