"""Where do plain descent, momentum and Adam go from the same start, and what does the learning rate do to each?"""

import numpy as np

from engine import optimizers as ways
from engine.surfaces import SURFACES, curvatures, surface_grid
from ui import charts
from ui.charts import Mark, Series
from ui.page import controls, lab
from ui.words import number, row

STEPS, SCALE = 60, (4e-7, 1e4)
RATES = [float(f"{rate:.1e}") for rate in np.geomspace(1e-4, 10, 121)]
NAMES = {name.replace("_", "–").title(): name for name in SURFACES}
COLOURS = {"SGD": "way_0", "Momentum": "way_1", "Adam": "way_2"}
LIMITS = {"sum": "2(1 + β)/c", "average": "2(1 + β)/((1 − β)c)", "Nesterov": "2(1 + β)/((1 + 2β)c)"}
MOVES = {"SGD": r"\eta\,g", "sum": r"\eta\,v", "average": r"\eta\,v", "Nesterov": r"\eta\,(g + \beta v)", "Adam": r"\tfrac{\eta}{\sqrt{\hat v} + \varepsilon} \odot \hat m"}  # fmt: skip
SYMBOLS = {"velocity": "v", "m": "m", "v": "v", "m_hat": r"\hat m", "v_hat": r"\hat v", "rates": r"\tfrac{\eta}{\sqrt{\hat v} + \varepsilon}"}  # fmt: skip

lab.begin(__file__)
with lab.panel():
    title = controls.choice("surface", "Surface", list(NAMES), "Ravine")
    name, surface = NAMES[title], SURFACES[NAMES[title]]
    lr = controls.stops("lr", "Learning rate, SGD and momentum", RATES, 0.083, show="{:g}".format, help="A click on the chart of learning rates sets this one and Adam's.")  # fmt: skip
    adam_lr = controls.stops("adam_lr", "Learning rate, Adam", RATES, 0.2, show="{:g}".format)
    beta = controls.slider("beta", "Momentum β", 0.0, 0.99, 0.8, step=0.01, help="The share of v that stays.")
    at = controls.slider("step", "Step looked at", 0, STEPS, STEPS, help="The player under the surface shows it too.")
    form = controls.choice("form", "Momentum as", list(LIMITS), help="How v gathers slopes: see Conventions.")
    start = [
        controls.slider(f"{axis}_{name}", f"Start, {axis}", float(low), float(high), value, step=0.01, help="A click on the surface sets it.")
        for axis, (low, high), value in zip("xy", surface.bounds, surface.start, strict=True)
    ]  # fmt: skip

momentum = ways.Nesterov(lr=lr, beta=beta) if form == "Nesterov" else ways.Momentum(lr=lr, beta=beta, form=form)
chosen = {"SGD": ways.SGD(lr=lr), "Momentum": momentum, "Adam": ways.Adam(lr=adam_lr)}
runs = {key: ways.descend(surface, one, start, STEPS) for key, one in chosen.items()}
sweeps = {key: ways.sweep_learning_rates(surface, one, start, STEPS, RATES) for key, one in chosen.items()}
limits = {key: ways.stability_limit(one, surface.hessian(surface.minima[0])) for key, one in chosen.items()}
grid = surface_grid(surface, 60)

left, right = lab.columns(2)
with left:
    paths = [Series(key, run.points[:, 1], COLOURS[key], x=run.points[:, 0]) for key, run in runs.items()]
    marks = [*(Mark(x, y, "", "ink") for x, y in surface.minima), Mark(*start, "start", "ink"), Mark(*start)]
    play = {"traces": [1, 2, 3], "steps": STEPS, "step": at}
    charts.show("paths", charts.surface_paths(grid.x, grid.y, grid.relief, paths, title=f"Paths on {title}", marks=marks, height=430, meta={"play": play}), f"Level lines of {title}, its minima as dark dots, and the paths of SGD, momentum and Adam from the start.", **{f"x_{name}": "x", f"y_{name}": "y", "step": "step"})  # fmt: skip
with right:
    lines = [Series(key, run.above, COLOURS[key]) for key, run in runs.items()]
    values = charts.lines(
        range(STEPS + 1), lines, title="Height above the minimum", x_title="step", x_range=(0, STEPS), y_range=SCALE,
        log_y=True, height=215, meta={"play": play | {"traces": [0, 1, 2], "follow": True}},
    )  # fmt: skip
    ends = ", ".join(f"{key} {number(run.above[-1])}" for key, run in runs.items())
    charts.show("values", values, f"Height above the deepest minimum against the step; at the end {ends}.")
    lines = [Series(key, np.where(s.diverged, np.nan, s.above), COLOURS[key]) for key, s in sweeps.items()]
    marks = [Mark(limit, None, f"{limit:.3g}", COLOURS[key]) for key, limit in limits.items() if limit]
    marks += [Mark(chosen[key].lr, run.above[-1], "", COLOURS[key]) for key, run in runs.items()]
    charts.show("rates", charts.lines(
            RATES, lines, title="Final height by learning rate, and its limits", x_title="learning rate", x_range=(6e-5, 10),
            y_range=SCALE, log_x=True, log_y=True, marks=marks, height=215,
        ), "Height after 60 steps against the learning rate; upright lines where SGD and momentum begin to run away.", lr="x", adam_lr="x")  # fmt: skip

formulas, fates = [], []
for key, run in runs.items():
    t = min(at, len(run.updates))
    if t:
        state, move = run.states[t], MOVES[form if key == "Momentum" else key]
        memory = [f"{SYMBOLS[f]} = {row(part)}" for f, part in zip(state._fields, state, strict=True) if f in SYMBOLS]
        parts = [f"g = {row(run.grads[t - 1])}", *memory]
        formulas += [rf"\textbf{{{key}, step {t}}}\quad " + r",\quad ".join(parts[:3]), r",\quad ".join(parts[3:])]
        moved = f"{row(run.points[t - 1])} - {row(-run.updates[t - 1])} = {row(run.points[t])}"
        formulas.append(rf"\theta_{{{t}}} = \theta_{{{t - 1}}} - {move} = {moved}")
    where, grown, why = ", ".join(map(number, run.points[-1])), run.above[-1] > run.above[0], ""
    if ground := ways.first_beyond(surface, chosen[key], run.points) if grown or run.diverged_at else None:
        why = f" At step {ground.step} the curvature under it was c = {number(ground.curvature)}, which bears learning rates below "
        why += f"{'2/c' if key == 'SGD' else LIMITS[form]} = {ground.limit:.3g}; today's is {lr:g}."
    if run.diverged_at:
        fates.append(f"**{key} is lost**: step {run.diverged_at} would leave ±1,000,000, so it is not taken.{why}")
    elif grown:
        fates.append(f"**{key}** ends higher than it began, {number(run.above[-1])} above the minimum.{why}")
    else:
        fates.append(f"**{key}** ends at ({where}), **{number(run.above[-1])}** above the deepest minimum.")
lab.step(f"What each remembers at step {at}", *filter(None, formulas))
if len(formulas) < 9:
    lab.say("Before its first step an optimizer remembers nothing: its running means and its velocity are 0.")
ends = {key: np.where(sweep.diverged, np.inf, sweep.above) for key, sweep in sweeps.items()}
best = ", ".join(f"{key} at {'none' if s.diverged.all() else RATES[ends[key].argmin()]}" for key, s in sweeps.items())
lab.notice(
    *fates,
    f"At the deepest minimum the largest curvature is c = {curvatures(surface, surface.minima[0])[-1]:.4g}: near it plain descent holds below "
    f"2/c = {limits['SGD']:.3g} and momentum below {LIMITS[form]} = {limits['Momentum']:.3g}. Adam, which divides each slope by its recent size, "
    "has no limit set by curvature alone.",
    f"The learning rates tried that end lowest after 60 steps: {best}.",
)  # fmt: skip
lab.try_this(
    ("Past the limit", "SGD's limit is 2/20 = 0.1. What happens to SGD, and to momentum, at 0.13?", {"lr": "0.13"}),
    ("Exactly on it", "At a learning rate of exactly 2/c, does SGD's zigzag shrink, grow or stay?", {"lr": "0.1"}),
    ("Round the bend", "Which of the three gets furthest along the curved valley?", {"surface": "Rosenbrock", "lr": "0.001", "beta": 0.9}),
    ("A plateau", "Every slope here is small. Who leaves, and why?", {"surface": "Plateau", "lr": "0.1", "adam_lr": "0.1", "beta": 0.9}),
)  # fmt: skip

along = lambda *steps: ", ".join(number(x, 4) for x in ways.follow(SURFACES["bowl"], steps, (1, 0)).points[1:, 0])
three = lambda **form: along(*[ways.Momentum(lr=0.1, **form)] * 3)
slower = lambda form: along(*(ways.Momentum(lr=rate, form=form) for rate in (0.1, 0.1, 0.01)))
zero = {kind: kind(lr=0.1).initial_state([1.0]) for kind in (ways.Adam, ways.AdamW)}
one = lambda kind, slope, **form: number(kind(lr=0.1, **form).step([1.0], [slope], zero[kind]).param[0], 7)
lab.conventions(
    ("How much of the slope joins the velocity: f = x² from 1, learning rate 0.1, β 0.9 (switch: Momentum as)", f"all of it, as PyTorch: {three()}", f"the share 1 − β: {three(form='average')}; PyTorch's dampening 0.1: {three(dampening=0.1)}"),
    ("The learning rate inside or outside the velocity: the same, lowered to 0.01 at step 3", f"outside, as PyTorch: {slower('sum')}", f"inside: {slower('lr_inside')}"),
    ("Where Adam's ε stands: slope 2 at 1, learning rate 0.1, ε 0.01, one step", f"outside the root, as PyTorch: {one(ways.Adam, 2.0, eps=0.01)}", f"inside: {one(ways.Adam, 2.0, eps=0.01, eps_form='inside')}; TensorFlow: {one(ways.Adam, 2.0, eps=0.01, eps_form='hat')}"),
    ("Weight decay 0.1 with Adam: slope 0 at 1, learning rate 0.1, one step", f"apart from the slope, AdamW: {one(ways.AdamW, 0.0, weight_decay=0.1)}", f"added to the slope: {one(ways.Adam, 0.0, weight_decay=0.1)}; apart, but not times the learning rate: "
        f"{one(ways.AdamW, 0.0, weight_decay=0.1, decay_times_lr=False)}"),
)  # fmt: skip
lab.take_away({key.lower(): run.points for key, run in runs.items()} | {"above": {key: run.above for key, run in runs.items()}}, code=f"""
def f(x, y):
    return {surface.code}
def slope(p):  # by a tiny imaginary step: exact but for rounding, which tells only on a chaotic path
    return np.array([f(p[0] + 1e-30j, p[1]).imag, f(p[0], p[1] + 1e-30j).imag]) / 1e-30
def path(step, memory):
    points = [start]
    for t in range(1, 61):
        update, memory = step(slope(points[-1]), memory, t)
        if not (np.abs(points[-1] + update) <= 1e6).all():
            break
        points.append(points[-1] + update)
    return np.array(points)
def with_velocity(g, v, t):
    v = beta * v + share * g
    return -lr * (g + beta * v if nesterov else v), v
def per_coordinate(g, means, t):
    m, v = 0.9 * means[0] + 0.1 * g, 0.999 * means[1] + 0.001 * g**2
    return -adam_lr * m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8), (m, v)

sgd = path(lambda g, nothing, t: (-lr * g, nothing), None)
momentum = path(with_velocity, 0.0)
adam = path(per_coordinate, (0.0, 0.0))
""", start=np.array(start), lr=lr, adam_lr=adam_lr, beta=beta, share=1 - beta if form == "average" else 1.0, nesterov=form == "Nesterov")  # fmt: skip
lab.source(ways.descend, ways.SGD.move, ways.Momentum.move, ways.Adam._adapt, ways.stability_limit)
