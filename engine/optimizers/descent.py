"""Every optimizer by name, the path each takes over a surface, and the learning rate at which it is lost.

The forms are PyTorch's; where other libraries differ, a setting of the optimizer names the other form.
"""

from itertools import repeat
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import eigenvalues
from engine.optimizers.adaptive import Adam, AdamW, RMSProp
from engine.optimizers.base import SGD, Optimizer
from engine.optimizers.momentum import Momentum, Nesterov
from engine.surfaces import REACH, Surface, check_surface

MAX_HESSIAN = 500  # rows of a matrix whose eigenvalues are asked for
MAX_DESCENT = 10_000  # of one path, or of a sweep
MAX_RATES_STEPS = 1_000_000  # learning rates × steps of one sweep
OPTIMIZERS: dict[str, type] = {
    "sgd": SGD,
    "momentum": Momentum,
    "nesterov": Nesterov,
    "rmsprop": RMSProp,
    "adam": Adam,
    "adamw": AdamW,
}


class DescentTrace(NamedTuple):
    """points (t+1, 2), values (t+1,), grads (t+1, 2) at the start and after each of the t steps taken;
    diverged_at: the number (from 1) of the step not taken, None where all were; updates (t, 2): what each step added;
    states: the optimizer's memory at each point, t+1 of them; above (t+1,): the values over the deepest minimum's."""

    points: np.ndarray
    values: np.ndarray
    grads: np.ndarray
    diverged_at: int | None
    updates: np.ndarray
    states: tuple
    above: np.ndarray

    @property
    def moved(self) -> float:
        """How far the last point lies from the first."""
        return float(np.hypot(*(self.points[-1] - self.points[0])))


class SweepTrace(NamedTuple):
    """learning_rates (k,); points (k, 2): where each run ended; diverged (k,) boolean; values (k,): height there;
    above (k,): the same over the deepest minimum's."""

    learning_rates: np.ndarray
    points: np.ndarray
    diverged: np.ndarray
    values: np.ndarray
    above: np.ndarray

    @property
    def reached(self) -> np.ndarray:
        """`above`, but NaN for a run that was lost, to draw it."""
        return np.where(self.diverged, np.nan, self.above)

    @property
    def best_rates(self) -> list[float]:
        """The learning rates that end lowest of those not lost, several where they tie; none where all were lost."""
        heights = np.where(self.diverged, np.inf, self.above)
        tied = heights <= heights.min() * (1 + 1e-9)
        return [] if self.diverged.all() else self.learning_rates[tied].tolist()


class Beyond(NamedTuple):
    """The first point of a path, by its number, whose largest curvature bears only learning rates below `limit`."""

    step: int
    curvature: float
    limit: float


def descend(surface: Surface, optimizer: Optimizer, start, n_steps: int) -> DescentTrace:
    """Follow an optimizer over a surface, step by step.

    A step that would leave float64 or |coordinate| ≤ 10⁶ is not taken: the arrays end at the last point inside, and
    diverged_at names the step. start (2,), n_steps 0 … 10,000. Raises ValueError for anything else.

    >>> from engine.surfaces import SURFACES
    >>> descend(SURFACES["bowl"], SGD(lr=1.1), (1, 0), 3).points[:, 0].round(3).tolist()
    [1.0, -1.2, 1.44, -1.728]
    """
    point = _checked(surface, optimizer, start)
    return _path(surface, optimizer, point, repeat(optimizer, checks.integer("n_steps", n_steps, 0, MAX_DESCENT)))


def follow(surface: Surface, optimizers, start) -> DescentTrace:
    """`descend` with an optimizer for each step, the memory handed on: a learning rate that changes on the way.

    optimizers: 1 … 10,000, all of one kind and form, else ValueError.

    >>> from engine.surfaces import SURFACES
    >>> follow(SURFACES["bowl"], [SGD(lr=0.5), SGD(lr=0.1)], (1, 1)).points.tolist()
    [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    """
    optimizers = checks.items("optimizers", optimizers, "optimizers, one for each step", most=MAX_DESCENT)
    if not optimizers or len({(type(one), getattr(one, "form", "")) for one in optimizers}) > 1:
        raise ValueError("optimizers must be at least one, all of one kind and form: their memory is handed on")
    point = _checked(surface, optimizers[0], start)
    return _path(surface, optimizers[0], point, optimizers)


def _path(surface, first, start, optimizers) -> DescentTrace:
    point, state = start, first.initial_state(start)
    points, updates, states, diverged_at = [point], [], [state], None
    grads = [surface.asked("gradient", point)]
    for number, optimizer in enumerate(optimizers, 1):
        step = optimizer.advance(point, grads[-1], state, optimizer.lr)
        if not _inside(step.param):
            diverged_at = number
            break
        state, point = step.state, step.param
        points.append(point)
        updates.append(step.update)
        states.append(state)
        grads.append(surface.asked("gradient", point))
    for part in states[-1]:
        checks.in_range("the optimizer's memory", np.asarray(part))
    values = surface.asked("function", np.array(points))
    return DescentTrace(
        np.array(points),
        values,
        np.array(grads),
        diverged_at,
        np.array(updates).reshape(-1, 2),
        tuple(states),
        _above(surface, values),
    )


def sweep_learning_rates(
    surface: Surface, optimizer: Optimizer, start, n_steps: int, learning_rates=None
) -> SweepTrace:
    """Where `descend` ends for each of many learning rates, all runs at once; optimizer.lr is not used.

    A run that is lost stands still at its last point inside. learning_rates (k,), ≥ 0; None means 121 of them from
    10⁻⁴ to 10, evenly on a log axis. k × n_steps at most a million; raises as `descend`.

    >>> from engine.surfaces import SURFACES
    >>> sweep = sweep_learning_rates(SURFACES["bowl"], SGD(lr=0), (1, 0), 100, [0.5, 1.0, 1.1])
    >>> sweep.values[:2].tolist(), sweep.diverged.tolist()
    ([0.0, 1.0], [False, False, True])
    """
    point = _checked(surface, optimizer, start)
    rates = np.geomspace(1e-4, 10, 121) if learning_rates is None else checks.array("learning_rates", learning_rates)
    if rates.ndim != 1 or rates.size == 0 or (rates < 0).any():
        raise ValueError(
            f"learning_rates must be a vector of numbers of at least 0; got shape {rates.shape}, {checks.shown(rates)}"
        )
    n_steps = checks.integer("n_steps", n_steps, 0, MAX_DESCENT)
    checks.within("the sweep", MAX_RATES_STEPS, learning_rates=rates.size, n_steps=n_steps)
    points = np.tile(point, (rates.size, 1))  # (2,) -> (k, 2)
    state, alive = optimizer.initial_state(points), np.ones(rates.size, dtype=bool)
    for _ in range(n_steps):
        step = optimizer.advance(points, surface.asked("gradient", points), state, rates[:, None])
        alive &= _inside(step.param)
        state, points = step.state, np.where(alive[:, None], step.param, points)
    values = surface.asked("function", points)
    return SweepTrace(rates.copy(), points, ~alive, values, _above(surface, values))


def stability_limit(optimizer: Optimizer, hessian) -> float | None:
    """The learning rate beyond which descent on a bowl of this curvature runs away; None where there is none.

    c is the largest eigenvalue of the Hessian. Plain descent multiplies the error e by 1 − lr·c, and |1 − lr·c| < 1
    gives 2/c. Weight decay adds to c. Momentum's error obeys e″ = (1 + β − lr·c·s)·e′ − β·e, s the share of g in the
    velocity (1 in PyTorch's form); its roots stay inside the unit circle for lr < 2(1 + β)/(s·c). Nesterov's obeys
    e″ = (1 − lr·c)·((1 + β)·e′ − β·e), which gives 2(1 + β)/((1 + 2β)·c). Goh 2017, "Why momentum really works".

    hessian (n, n), symmetric, n at most 500. None for c ≤ 0 (nothing to bounce on) and for RMSProp, Adam and AdamW,
    whose steps per coordinate have no limit set by curvature alone. Raises ValueError for a matrix that is not square
    and symmetric, a limit beyond float64, and anything but an optimizer.

    >>> stability_limit(Momentum(lr=0.1, beta=0.9), [[1, 0], [0, 20]])
    0.19
    """
    _checked_optimizer(optimizer)
    hessian = checks.array("hessian", hessian, ndim=2)
    checks.integer("the rows of hessian", len(hessian), 1, MAX_HESSIAN)
    with np.errstate(over="ignore"):
        symmetric = hessian.shape[0] == hessian.shape[1] and np.allclose(hessian, hessian.T)
    if not symmetric:
        raise ValueError(
            f"hessian must be a square, symmetric matrix; got shape {hessian.shape}, {checks.shown(hessian.tolist())}"
        )
    if not isinstance(optimizer, SGD | Momentum):
        return None
    curvature = float(checks.in_range("the curvature", eigenvalues(hessian))[-1]) + optimizer.weight_decay
    if curvature <= 0:
        return None
    if isinstance(optimizer, SGD):
        return _limit(2, curvature)
    beta = optimizer.beta
    share = 1 - beta if optimizer.form == "average" else 1 - optimizer.dampening
    if share == 0:
        return None
    return _limit(2 * (1 + beta), ((1 + 2 * beta) if optimizer.nesterov else share) * curvature)


def first_beyond(surface: Surface, optimizer: Optimizer, points) -> Beyond | None:
    """Where a path first stands on ground too curved for the optimizer's learning rate; None where it never does.

    points (t, 2). The reason a descent runs away; on a surface whose curvature changes it may also pass unharmed.
    Raises ValueError as `stability_limit` and for points that are no points.

    >>> from engine.surfaces import SURFACES
    >>> first_beyond(SURFACES["ravine"], SGD(lr=0.2), [(1.0, 1.0)])
    Beyond(step=0, curvature=20.0, limit=0.1)
    """
    _checked_optimizer(optimizer)
    path = checks.array("points", points, ndim=2)
    checks.shape("points", path, (len(path), 2), "an (x, y) in each row")
    checks.integer("the number of points", len(path), 0, MAX_DESCENT + 1)
    check_surface(surface)
    for number, hessian in enumerate(surface.asked("hessian", path)):
        limit = stability_limit(optimizer, hessian)
        if limit is not None and optimizer.lr > limit:
            return Beyond(number, float(eigenvalues(hessian)[-1]), limit)
    return None


def _limit(above: float, below: float) -> float:
    with np.errstate(over="ignore", divide="ignore"):
        return float(checks.in_range("the limit", np.divide(above, below)))


def _above(surface, values) -> np.ndarray:
    """Heights over the deepest minimum; one that rounding puts below it is at 0."""
    with np.errstate(over="ignore"):
        above = values - surface.asked("function", checks.array("surface.minima", surface.minima)[0])
    return np.maximum(checks.in_range("the height over the minimum", above), 0.0)


def _checked(surface, optimizer, start) -> np.ndarray:
    """The start as a point, once surface and optimizer are what they should be."""
    check_surface(surface)
    _checked_optimizer(optimizer)
    point = checks.shape("start", checks.array("start", start, ndim=1), (2,), "(x, y)")
    if not _inside(point):
        raise ValueError(f"start must stay within ±{REACH:g}; got {point.tolist()}: choose a nearer point")
    return point.copy()


def _checked_optimizer(optimizer) -> None:
    checks.instance("optimizer", optimizer, Optimizer, "one of OPTIMIZERS, such as SGD(lr=0.1)")


def _inside(point) -> np.ndarray:
    """True where every coordinate is a number of at most REACH; NaN and ∞ are not."""
    return (np.abs(point) <= REACH).all(axis=-1)
