"""Where do plain descent, momentum and Adam go from the same start, and what does the learning rate do to each?"""

from dataclasses import replace

import numpy as np

from engine import optimizers, surfaces
from engine.optimizers import SGD, Adam, AdamW, Momentum, Nesterov, RMSProp
from engine.surfaces import SURFACES
from ui import charts
from ui.labs.optimizers import (
    LIMITS,
    RATES,
    SWEPT,
    best_rates,
    compared,
    final_heights,
    heights,
    libraries_differ,
    paths,
    remembered,
    small,
    what_became,
    what_symbols_mean,
    where_it_converges,
)
from ui.page import controls, lab
from ui.page.recall import recall
from ui.questions.optimizers import QUESTIONS
from ui.words import number, told

STEPS = 60
DECAYS = [0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0]
NAMES = {name.replace("_", "–").title(): name for name in SURFACES}

lab.begin(__file__, QUESTIONS)
with lab.panel():
    title = controls.choice("surface", "Surface", list(NAMES), "Ravine")
    name, surface = NAMES[title], SURFACES[NAMES[title]]
    written, about = "{:g}".format, "A click on the chart of learning rates sets this one and Adam's."
    lr = controls.stops("lr", "Learning rate, SGD and momentum", RATES, 0.083, show=written, help=about)
    adam_lr = controls.stops("adam_lr", "Learning rate, Adam", RATES, 0.2, show=written)
    about = "SGD and momentum add λθ to the slope; Adam becomes AdamW, which takes it off apart."
    decay = controls.stops("decay", "Weight decay λ", DECAYS, 0.0, show=written, help=about)
    beta = controls.slider("beta", "Momentum β", 0.0, 0.99, 0.8, step=0.01, help="The share of v that stays.")
    about = "The player under the surface shows it too."
    at = controls.slider("step", "Step looked at", 0, STEPS, STEPS, help=about)
    about = "How v gathers slopes: see Conventions. Nesterov's looks one step ahead."
    form = controls.choice("form", "Momentum as", list(LIMITS), help=about)
    (x_low, x_high), (y_low, y_high) = surface.bounds
    x, y = surface.start
    finely = {"step": 0.01, "help": "A click on the surface sets it."}
    x = controls.slider(f"x_{name}", "Start, x", float(x_low), float(x_high), x, **finely)
    y = controls.slider(f"y_{name}", "Start, y", float(y_low), float(y_high), y, **finely)

usual = {"lr": lr, "weight_decay": decay}
momentum = Nesterov(beta=beta, **usual) if form == "Nesterov" else Momentum(beta=beta, form=form, **usual)
chosen = {"SGD": SGD(**usual), "Momentum": momentum, "Adam": AdamW(lr=adam_lr, weight_decay=decay)}
runs = {key: recall(optimizers.descend, surface, one, (x, y), STEPS) for key, one in chosen.items()}
sweep = lambda one: recall(optimizers.sweep_learning_rates, surface, replace(one, lr=0.0), (x, y), STEPS, SWEPT)
sweeps = {key: sweep(one) for key, one in chosen.items()}
ends = {key: run.points[0 if run.diverged_at else -1] for key, run in runs.items()}
nearest = {key: surfaces.minimum_at(surface, end, reach=1e7) for key, end in ends.items()}
hessians = {key: surface.hessian(minimum.point) for key, minimum in nearest.items()}
limits = {key: optimizers.stability_limit(one, hessians[key]) for key, one in chosen.items()}
risen = {key: run for key, run in runs.items() if run.diverged_at or run.above[-1] > run.above[0]}
too_curved = {key: optimizers.first_beyond(surface, chosen[key], run.points) for key, run in risen.items()}
bounds = {"SGD": "2/c", "Momentum": LIMITS[form]}
if decay:
    bounds = {key: bound.replace("c", "(c + λ)") for key, bound in bounds.items()}

left, right = lab.columns(2)
with left:
    figure = paths(surfaces.surface_grid(surface, 60), runs, surface.minima, (x, y), title=title, steps=STEPS, step=at)
    alt = f"Level lines of {title}, its minima as dark dots, and the paths of SGD, momentum and Adam from "
    alt += f"({number(x, 2)}, {number(y, 2)}) to step {at}."
    charts.show("paths", figure, alt, **{f"x_{name}": "x", f"y_{name}": "y", "step": "step"})
with right:
    heights_now = ", ".join(f"{key} {small(run.above[-1])}" for key, run in runs.items())
    alt = f"Height above the deepest minimum against the step; at the end {heights_now}."
    charts.show("values", heights(runs, steps=STEPS, step=at), alt, step="x")
    alt = "Height after 60 steps against the learning rate; upright lines where SGD and momentum begin to run away."
    now = {key: (one.lr, runs[key].above[-1]) for key, one in chosen.items()}
    charts.show("rates", final_heights(SWEPT, sweeps, limits, now), alt, lr="x", adam_lr="x")

memories = [remembered(key, run, at, form, decay) for key, run in runs.items()]
lab.step(f"What each remembers at step {at}", *(formula for memory in memories for formula in memory))
lab.say(what_symbols_mean(memories, decay))
lab.notice(
    *(what_became(key, run, too_curved.get(key), bounds.get(key, ""), lr) for key, run in runs.items()),
    *where_it_converges(nearest, limits, bounds, runs, lr),
    *compared(runs, adam_lr),
    *best_rates(sweeps),
    "SGD here is descent by the whole slope of one surface: there are no batches, so nothing in it is stochastic.",
)


def taken_elsewhere():
    """A few steps by every library's rules, for the conventions."""
    down = lambda *ways: optimizers.follow(SURFACES["bowl"], ways, (1, 0)).points[1:, 0]
    thrice = lambda **form: down(*[Momentum(lr=0.1, **form)] * 3)
    lowered = lambda form: down(*(Momentum(lr=rate, form=form) for rate in (0.1, 0.1, 0.01)))
    once = lambda way, slope: way.step([1.0], [slope], way.initial_state([1.0])).param[0]
    adam, rms = {"lr": 0.1, "eps": 0.01}, {"lr": 0.1, "beta": 0.99, "eps": 1.0}
    little = {"lr": 0.1, "weight_decay": 0.01}
    here = told(
        sum=thrice(),
        out=lowered("sum"),
        eps=once(Adam(**adam), 2.0),
        apart=once(AdamW(**little), 0.0),
        rms=down(*[RMSProp(**rms)] * 2),
    )
    elsewhere = told(
        average=thrice(form="average"),
        dampened=thrice(dampening=0.1),
        inside=lowered("lr_inside"),
        eps_inside=once(Adam(**adam, eps_form="inside"), 2.0),
        eps_hat=once(Adam(**adam, eps_form="hat"), 2.0),
        added=once(Adam(**little), 0.0),
        whole=once(AdamW(**little, decay_times_lr=False), 0.0),
        rms=down(*[RMSProp(**rms, eps_form="inside")] * 2),
    )
    return libraries_differ(here, elsewhere)


lab.conventions(taken_elsewhere)
numbers = {key.lower(): run.points for key, run in runs.items()}
numbers["above"] = {key: run.above for key, run in runs.items()}
inputs = {"start": np.array([x, y]), "minimum": surface.minima[0], "lr": lr, "adam_lr": adam_lr, "beta": beta}
inputs |= {"share": 1 - beta if form == "average" else 1.0, "nesterov": form == "Nesterov", "decay": decay}
lab.take_away(numbers, ("(x**2 + 20 * y**2) / 2", surface.code), **inputs)
lab.source(optimizers.descend, SGD.move, Momentum.move, Adam._adapt, optimizers.stability_limit)
