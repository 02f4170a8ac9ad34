"""What every optimizer shares, its checks and the shape of a step; and the plainest one."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine import checks

LARGEST_DECAY = 1e100  # beyond it the square of a decayed slope leaves float64


class StepOverflowError(ValueError):
    """A step so large that float64 cannot hold it: the learning rate is far beyond what the surface bears."""


class OptimizerStep(NamedTuple):
    """state: the memory after the step; update: what is added to the parameter; param: the parameter after it."""

    state: tuple
    update: np.ndarray
    param: np.ndarray


class SGDState(NamedTuple):
    """Plain descent remembers nothing."""


@dataclass(frozen=True, kw_only=True)
class Optimizer(ABC):
    """What all optimizers share. One of its own adds `initial_state` and `move`; this one cannot be made itself.

    Raises TypeError when it is made without the two, ValueError for an lr below 0.

    >>> Optimizer(lr=0.1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    TypeError: Can't instantiate abstract class Optimizer with...
    """

    lr: float

    def __post_init__(self):
        self.keep("lr", checks.number("lr", self.lr, 0))

    def keep(self, name: str, value) -> None:
        """Set one field of a settings class that is frozen, to what its check made of it."""
        object.__setattr__(self, name, value)

    @abstractmethod
    def initial_state(self, param):
        """The memory before the first step: a NamedTuple, its arrays of the parameter's shape."""

    @abstractmethod
    def move(self, param, grad, state, lr):
        """The memory after one step, and the update: what is added to the parameter; nothing is checked."""

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
        state = type(fresh)(*map(_checked_field, fresh._fields, state, fresh))
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

    lr ≥ 0, weight_decay from 0 to 10¹⁰⁰, else ValueError.

    >>> SGD(lr=0.1, weight_decay=0.5).step([1.0], [2.0], SGDState()).param.tolist()
    [0.75]
    """

    weight_decay: float = 0.0

    def __post_init__(self):
        super().__post_init__()
        self.keep("weight_decay", checks.number("weight_decay", self.weight_decay, 0, LARGEST_DECAY))

    def initial_state(self, param) -> SGDState:
        return SGDState()

    def move(self, param, grad, state, lr):
        return state, -lr * (grad + self.weight_decay * param)


def below_one(name: str, value) -> float:
    if checks.number(name, value, 0, 1) == 1:
        raise ValueError(f"{name} must be below 1; got 1: a running mean that never forgets never starts")
    return float(value)


def _checked_field(name: str, part, model):
    """One field of a state, of the kind that a fresh state has there: a count of steps, or an array of its shape."""
    if isinstance(model, int):
        return checks.integer(f"state.{name}", part, 0)
    part = checks.shape(f"state.{name}", checks.array(f"state.{name}", part), np.shape(model))
    if name in ("v", "v_hat", "mean_square") and (part < 0).any():
        raise ValueError(f"state.{name} must be at least 0, a mean of squares; got {part.min():g}")
    return part
