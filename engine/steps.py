"""Plain descent, descent with velocity, and what every optimizer shares: its checks and the shape of a step."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from engine import checks


class StepOverflowError(ValueError):
    """A step so large that float64 cannot hold it: the learning rate is far beyond what the surface bears."""


class OptimizerStep(NamedTuple):
    """state: the memory after the step; update: what is added to the parameter; param: the parameter after it."""

    state: tuple
    update: np.ndarray
    param: np.ndarray


class SGDState(NamedTuple):
    """Plain descent remembers nothing."""


class MomentumState(NamedTuple):
    """step: steps taken; velocity: the gradients gathered so far, of the parameter's shape."""

    step: int
    velocity: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Optimizer:
    """What all optimizers share. One of its own adds `initial_state` and `move`, which returns (state, update)."""

    lr: float

    def __post_init__(self):
        checks.number("lr", self.lr, 0)

    def step(self, param, grad, state) -> OptimizerStep:
        """Take one step: `update` is added to the parameter, `state` goes into the next call.

        param and grad of one shape, state from `initial_state` or the step before. Raises ValueError for NaN, ∞,
        shapes or a state that do not fit, and `StepOverflowError` (a ValueError) where the result leaves float64.

        >>> SGD(lr=0.1).step([1.0], [2.0], SGDState()).param.tolist()
        [0.8]
        """
        param = checks.array("param", param)
        grad = checks.shape("grad", checks.array("grad", grad), param.shape, "that of param")
        fresh = self.initial_state(param)
        if type(state) is not type(fresh):
            raise ValueError(f"state must be a {type(fresh).__name__}, from initial_state; got {type(state).__name__}")
        for name, part, model in zip(fresh._fields, state, fresh, strict=True):
            checks.shape(f"state.{name}", checks.array(f"state.{name}", part), np.shape(model))
        out = self.advance(param, grad, state, self.lr)
        if not all(np.isfinite(part).all() for part in (out.param, *out.state)):
            raise StepOverflowError(
                f"lr {self.lr:g} and slopes up to {np.abs(grad).max():g} leave the range of float64: lower one of them"
            )
        return out

    def advance(self, param, grad, state, lr) -> OptimizerStep:
        """`step` without its checks, with a learning rate of its own: a number, or one for each row of param."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            state, update = self.move(param, grad, state, lr)
            return OptimizerStep(state, update, param + update)


@dataclass(frozen=True, kw_only=True)
class SGD(Optimizer):
    """Step against the gradient: θ ← θ − lr·(g + λθ), λ = weight_decay (Robbins & Monro 1951; torch.optim.SGD).

    lr ≥ 0, weight_decay ≥ 0, else ValueError.

    >>> SGD(lr=0.1, weight_decay=0.5).step([1.0], [2.0], SGDState()).param.tolist()
    [0.75]
    """

    weight_decay: float = 0.0

    def __post_init__(self):
        super().__post_init__()
        checks.number("weight_decay", self.weight_decay, 0)

    def initial_state(self, param) -> SGDState:
        return SGDState()

    def move(self, param, grad, state, lr):
        return state, -lr * (grad + self.weight_decay * param)


@dataclass(frozen=True, kw_only=True)
class Momentum(Optimizer):
    """Gather the gradients into a velocity and step along it (Polyak 1964; Sutskever et al. 2013; torch.optim.SGD).

    form "sum" (PyTorch): v ← βv + (1 − dampening)·g, θ ← θ − lr·v; no dampening in the first step.
    form "average": v ← βv + (1 − β)·g, θ ← θ − lr·v; the same path for a learning rate 1/(1 − β) times larger.
    form "lr_inside" (Sutskever): v ← βv + lr·g, θ ← θ − v; differs from "sum" only where lr changes on the way.
    nesterov looks ahead: θ ← θ − lr·(g + βv), as PyTorch with form "sum" and no dampening only.
    0 ≤ β < 1, dampening in [0, 1], else ValueError.

    >>> momentum = Momentum(lr=0.1)
    >>> momentum.step([1.0], [2.0], momentum.initial_state([1.0])).state.velocity.tolist()
    [2.0]
    """

    FORMS: ClassVar = ("sum", "average", "lr_inside")
    beta: float = 0.9
    nesterov: bool = False
    dampening: float = 0.0
    form: str = "sum"

    def __post_init__(self):
        super().__post_init__()
        below_one("beta", self.beta)
        checks.flag("nesterov", self.nesterov)
        checks.number("dampening", self.dampening, 0, 1)
        checks.one_of("form", self.form, self.FORMS)
        if (self.nesterov or self.form != "sum") and self.dampening:
            raise ValueError(f"dampening must be 0 with nesterov or form '{self.form}'; got {self.dampening}")
        if self.nesterov and self.form != "sum":
            raise ValueError(f"nesterov needs form 'sum'; got {self.form!r}: choose one of the two")

    def initial_state(self, param) -> MomentumState:
        return MomentumState(0, np.zeros_like(checks.array("param", param)))

    def move(self, param, grad, state, lr):
        share = {"sum": 1 - self.dampening if state.step else 1, "average": 1 - self.beta, "lr_inside": lr}[self.form]
        velocity = self.beta * state.velocity + share * grad
        direction = grad + self.beta * velocity if self.nesterov else velocity
        return MomentumState(state.step + 1, velocity), -direction if self.form == "lr_inside" else -lr * direction


@dataclass(frozen=True, kw_only=True)
class Nesterov(Momentum):
    """Momentum whose gradient looks one step ahead: `Momentum` with nesterov=True (Nesterov 1983).

    >>> nesterov = Nesterov(lr=0.1)
    >>> round(float(nesterov.step([1.0], [2.0], nesterov.initial_state([1.0])).param[0]), 9)
    0.62
    """

    nesterov: bool = True


def below_one(name: str, value) -> None:
    if checks.number(name, value, 0, 1) == 1:
        raise ValueError(f"{name} must be below 1; got 1: a running mean that never forgets never starts")
