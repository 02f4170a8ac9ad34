"""Where do plain descent, momentum and Adam go from the same start, and what does the learning rate do to each?"""

import numpy as np

from engine import optimizers
from engine.optimizers import SGD, Adam, AdamW, Momentum, Nesterov
from engine.surfaces import SURFACES, curvatures, surface_grid
from ui import charts
from ui.labs.optimizers import LIMITS, final_heights, heights, paths, remembered, what_became
from ui.page import controls, lab
from ui.words import told

STEPS = 60
RATES = [float(f"{rate:.1e}") for rate in np.geomspace(1e-4, 10, 121)]
NAMES = {name.replace("_", "–").title(): name for name in SURFACES}

lab.begin(__file__)
with lab.panel():
    title = controls.choice("surface", "Surface", list(NAMES), "Ravine")
    name, surface = NAMES[title], SURFACES[NAMES[title]]
    written, about = "{:g}".format, "A click on the chart of learning rates sets this one and Adam's."
    lr = controls.stops("lr", "Learning rate, SGD and momentum", RATES, 0.083, show=written, help=about)
    adam_lr = controls.stops("adam_lr", "Learning rate, Adam", RATES, 0.2, show=written)
    beta = controls.slider("beta", "Momentum β", 0.0, 0.99, 0.8, step=0.01, help="The share of v that stays.")
    about = "The player under the surface shows it too."
    at = controls.slider("step", "Step looked at", 0, STEPS, STEPS, help=about)
    form = controls.choice("form", "Momentum as", list(LIMITS), help="How v gathers slopes: see Conventions.")
    (x_low, x_high), (y_low, y_high) = surface.bounds
    x, y = surface.start
    finely = {"step": 0.01, "help": "A click on the surface sets it."}
    x = controls.slider(f"x_{name}", "Start, x", float(x_low), float(x_high), x, **finely)
    y = controls.slider(f"y_{name}", "Start, y", float(y_low), float(y_high), y, **finely)

momentum = Nesterov(lr=lr, beta=beta) if form == "Nesterov" else Momentum(lr=lr, beta=beta, form=form)
chosen = {"SGD": SGD(lr=lr), "Momentum": momentum, "Adam": Adam(lr=adam_lr)}
runs = {key: optimizers.descend(surface, one, (x, y), STEPS) for key, one in chosen.items()}
sweeps = {key: optimizers.sweep_learning_rates(surface, one, (x, y), STEPS, RATES) for key, one in chosen.items()}
hessian = surface.hessian(surface.minima[0])
limits = {key: optimizers.stability_limit(one, hessian) for key, one in chosen.items()}
ends = told(**{key: run.above[-1] for key, run in runs.items()})
risen = {key: run for key, run in runs.items() if run.diverged_at or run.above[-1] > run.above[0]}
too_curved = {key: optimizers.first_beyond(surface, chosen[key], run.points) for key, run in risen.items()}
fates = [what_became(key, run, too_curved.get(key), form, lr) for key, run in runs.items()]
best = ", ".join(f"{key} at {sweep.best_rate or 'none'}" for key, sweep in sweeps.items())

left, right = lab.columns(2)
with left:
    figure = paths(
        surface_grid(surface, 60), runs, surface.minima, (x, y), title=f"Paths on {title}", steps=STEPS, step=at
    )
    alt = f"Level lines of {title}, its minima as dark dots, and the paths of SGD, momentum and Adam from the start."
    charts.show("paths", figure, alt, **{f"x_{name}": "x", f"y_{name}": "y", "step": "step"})
with right:
    alt = "Height above the deepest minimum against the step; at the end "
    alt += f"SGD {ends.SGD}, Momentum {ends.Momentum}, Adam {ends.Adam}."
    charts.show("values", heights(runs, steps=STEPS, step=at), alt)
    alt = "Height after 60 steps against the learning rate; "
    alt += "upright lines where SGD and momentum begin to run away."
    today = {key: (one.lr, runs[key].above[-1]) for key, one in chosen.items()}
    charts.show("rates", final_heights(RATES, sweeps, limits, today), alt, lr="x", adam_lr="x")

memories = [remembered(key, run, at, form) for key, run in runs.items()]
lab.step(f"What each remembers at step {at}", *(formula for memory in memories for formula in memory))
if not all(memories):
    lab.say("Before its first step an optimizer remembers nothing: its running means and its velocity are 0.")
lab.notice(
    *fates,
    f"At the deepest minimum the largest curvature is c = {curvatures(surface, surface.minima[0])[-1]:.4g}: near "
    f"it plain descent holds below 2/c = {limits['SGD']:.3g} and momentum below {LIMITS[form]} = "
    f"{limits['Momentum']:.3g}. "
    "Adam, which divides each slope by its recent size, has no limit set by curvature alone.",
    f"The learning rates tried that end lowest after 60 steps: {best}.",
)
lab.try_this(
    ("Past the limit", "SGD's limit is 2/20 = 0.1. What happens to SGD, and to momentum, at 0.13?", {"lr": "0.13"}),
    ("Exactly on it", "At a learning rate of exactly 2/c, does SGD's zigzag shrink, grow or stay?", {"lr": "0.1"}),
    (
        "Round the bend",
        "Which of the three gets furthest along the curved valley?",
        {"surface": "Rosenbrock", "lr": "0.001", "beta": 0.9},
    ),
    (
        "A plateau",
        "Every slope here is small. Who leaves, and why?",
        {"surface": "Plateau", "lr": "0.1", "adam_lr": "0.1", "beta": 0.9},
    ),
)

down = lambda *ways: optimizers.follow(SURFACES["bowl"], ways, (1, 0)).points[1:, 0]
thrice = lambda **form: down(*[Momentum(lr=0.1, **form)] * 3)
lowered = lambda form: down(*(Momentum(lr=rate, form=form) for rate in (0.1, 0.1, 0.01)))
once = lambda way, slope: way.step([1.0], [slope], way.initial_state([1.0])).param[0]
usual = {"lr": 0.1, "eps": 0.01}
decay = {"lr": 0.1, "weight_decay": 0.1}
here = told(sum=thrice(), out=lowered("sum"), eps=once(Adam(**usual), 2.0), apart=once(AdamW(**decay), 0.0))
elsewhere = told(
    average=thrice(form="average"),
    dampened=thrice(dampening=0.1),
    inside=lowered("lr_inside"),
    eps_inside=once(Adam(**usual, eps_form="inside"), 2.0),
    eps_hat=once(Adam(**usual, eps_form="hat"), 2.0),
    added=once(Adam(**decay), 0.0),
    whole=once(AdamW(**decay, decay_times_lr=False), 0.0),
)
lab.conventions(
    (
        "How much of the slope joins the velocity: f = x² from 1, learning rate 0.1, β 0.9 (switch: Momentum as)",
        f"all of it, as PyTorch: {here.sum:4}",
        f"the share 1 − β: {elsewhere.average:4}; PyTorch's dampening 0.1: {elsewhere.dampened:4}",
    ),
    (
        "The learning rate inside or outside the velocity: the same, lowered to 0.01 at step 3",
        f"outside, as PyTorch: {here.out:4}",
        f"inside: {elsewhere.inside:4}",
    ),
    (
        "Where Adam's ε stands: slope 2 at 1, learning rate 0.1, ε 0.01, one step",
        f"outside the root, as PyTorch: {here.eps:7}",
        f"inside: {elsewhere.eps_inside:7}; TensorFlow: {elsewhere.eps_hat:7}",
    ),
    (
        "Weight decay 0.1 with Adam: slope 0 at 1, learning rate 0.1, one step",
        f"apart from the slope, AdamW: {here.apart:7}",
        f"added to the slope: {elsewhere.added:7}; apart, but not times the learning rate: {elsewhere.whole:7}",
    ),
)
numbers = {key.lower(): run.points for key, run in runs.items()}
numbers["above"] = {key: run.above for key, run in runs.items()}
inputs = {"start": np.array([x, y]), "lr": lr, "adam_lr": adam_lr, "beta": beta}
inputs |= {"share": 1 - beta if form == "average" else 1.0, "nesterov": form == "Nesterov"}
lab.take_away(numbers, ("(x**2 + 20 * y**2) / 2", surface.code), **inputs)
lab.source(optimizers.descend, SGD.move, Momentum.move, Adam._adapt, optimizers.stability_limit)
