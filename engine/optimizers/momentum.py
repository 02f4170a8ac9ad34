"""Descent with velocity: momentum in its three forms, and Nesterov's look ahead."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from engine import checks
from engine.optimizers.base import LARGEST_DECAY, Optimizer, below_one


class MomentumState(NamedTuple):
    """step: steps taken; velocity: the gradients gathered so far, of the parameter's shape."""

    step: int
    velocity: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Momentum(Optimizer):
    """Gather the gradients into a velocity and step along it (Polyak 1964; Sutskever et al. 2013; torch.optim.SGD).

    form "sum" (PyTorch): v ← βv + (1 − dampening)·g, θ ← θ − lr·v; no dampening in the first step.
    form "average": v ← βv + (1 − β)·g, θ ← θ − lr·v; the same path for a learning rate 1/(1 − β) times larger.
    form "lr_inside" (Sutskever): v ← βv + lr·g, θ ← θ − v; differs from "sum" only where lr changes on the way.
    nesterov looks ahead: θ ← θ − lr·(g + βv), as PyTorch with form "sum" and no dampening only.
    In all of them g is the gradient plus λθ, λ = weight_decay, as in torch.optim.SGD.
    0 ≤ β < 1, dampening in [0, 1], weight_decay from 0 to 10¹⁰⁰, else ValueError.

    >>> momentum = Momentum(lr=0.1)
    >>> momentum.step([1.0], [2.0], momentum.initial_state([1.0])).state.velocity.tolist()
    [2.0]
    """

    FORMS: ClassVar = ("sum", "average", "lr_inside")
    beta: float = 0.9
    nesterov: bool = False
    dampening: float = 0.0
    form: str = "sum"
    weight_decay: float = 0.0

    def __post_init__(self):
        super().__post_init__()
        self.keep("beta", below_one("beta", self.beta))
        self.keep("nesterov", checks.flag("nesterov", self.nesterov))
        self.keep("dampening", checks.number("dampening", self.dampening, 0, 1))
        checks.one_of("form", self.form, self.FORMS)
        self.keep("weight_decay", checks.number("weight_decay", self.weight_decay, 0, LARGEST_DECAY))
        if (self.nesterov or self.form != "sum") and self.dampening:
            raise ValueError(f"dampening must be 0 with nesterov or form '{self.form}'; got {self.dampening}")
        if self.nesterov and self.form != "sum":
            raise ValueError(f"nesterov needs form 'sum'; got {self.form!r}: choose one of the two")

    def initial_state(self, param) -> MomentumState:
        return MomentumState(0, np.zeros_like(checks.array("param", param)))

    def move(self, param, grad, state, lr):
        grad = grad + self.weight_decay * param
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
