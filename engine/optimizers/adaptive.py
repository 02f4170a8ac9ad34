"""Steps per coordinate, scaled by how large each slope has lately been: RMSProp, Adam, AdamW."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from engine import checks
from engine.optimizers.base import LARGEST_DECAY, Optimizer, below_one

LEAST_EPS = 1e-100  # below it, lr / ε itself overflows


class RMSPropState(NamedTuple):
    """mean_square: running mean of the squared gradient; rates: lr / (√mean_square + ε), or with ε inside the root:
    what multiplies each slope."""

    mean_square: np.ndarray
    rates: np.ndarray


class AdamState(NamedTuple):
    """step; m, v: running means of gradient and squared gradient; m_hat, v_hat: freed of their start at 0;
    rates: what multiplies each coordinate of m_hat. The last three are 0 before the first step."""

    step: int
    m: np.ndarray
    v: np.ndarray
    m_hat: np.ndarray
    v_hat: np.ndarray
    rates: np.ndarray


@dataclass(frozen=True, kw_only=True)
class RMSProp(Optimizer):
    """Divide each slope by its own recent size: g ← g + λθ, s ← βs + (1 − β)·g², θ ← θ − lr·g / (√s + ε).

    Tieleman & Hinton 2012 (Coursera, lecture 6e); torch.optim.RMSprop, whose alpha is β here, with eps_form "outside".
    "inside": lr·g / √(s + ε), as TensorFlow's tf.compat.v1.train.RMSPropOptimizer and the copies made of it.
    0 ≤ β < 1, ε ≥ 10⁻¹⁰⁰, weight_decay λ from 0 to 10¹⁰⁰, else ValueError.

    >>> rmsprop = RMSProp(lr=0.1)
    >>> round(float(rmsprop.step([1.0], [2.0], rmsprop.initial_state([1.0])).update[0]), 6)
    -1.0
    """

    EPS_FORMS: ClassVar[tuple[str, ...]] = ("outside", "inside")
    beta: float = 0.99
    eps: float = 1e-8
    weight_decay: float = 0.0
    eps_form: str = "outside"

    def __post_init__(self):
        super().__post_init__()
        self.keep("beta", below_one("beta", self.beta))
        self.keep("eps", checks.number("eps", self.eps, LEAST_EPS))
        self.keep("weight_decay", checks.number("weight_decay", self.weight_decay, 0, LARGEST_DECAY))
        checks.one_of("eps_form", self.eps_form, self.EPS_FORMS)

    def initial_state(self, param) -> RMSPropState:
        return RMSPropState(*np.zeros((2, *checks.array("param", param).shape)))

    def move(self, param, grad, state, lr):
        grad = grad + self.weight_decay * param
        mean_square = self.beta * state.mean_square + (1 - self.beta) * grad**2
        inside = self.eps_form == "inside"
        rates = lr / (np.sqrt(mean_square + self.eps) if inside else np.sqrt(mean_square) + self.eps)
        return RMSPropState(mean_square, rates), -rates * grad


@dataclass(frozen=True, kw_only=True)
class Adam(Optimizer):
    """A step per coordinate from running means of the gradient and of its square (Kingma & Ba 2015; torch.optim.Adam).

    g ← g + λθ; m ← β₁m + (1 − β₁)g; v ← β₂v + (1 − β₂)g²; m̂ = m/(1 − β₁ᵗ); v̂ = v/(1 − β₂ᵗ); θ ← θ − rates·m̂ with
    eps_form "outside" (the paper, PyTorch): rates = lr / (√v̂ + ε); "inside": lr / √(v̂ + ε);
    "hat" (TensorFlow, the paper's second form): lr / (√v̂ + ε/√(1 − β₂ᵗ)).
    0 ≤ β₁, β₂ < 1, ε ≥ 10⁻¹⁰⁰, weight_decay λ from 0 to 10¹⁰⁰, else ValueError.

    >>> adam = Adam(lr=0.1)
    >>> round(float(adam.step([1.0], [2.0], adam.initial_state([1.0])).param[0]), 6)
    0.9
    """

    EPS_FORMS: ClassVar = ("outside", "inside", "hat")
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    weight_decay: float = 0.0
    eps_form: str = "outside"

    def __post_init__(self):
        super().__post_init__()
        self.keep("beta1", below_one("beta1", self.beta1))
        self.keep("beta2", below_one("beta2", self.beta2))
        self.keep("eps", checks.number("eps", self.eps, LEAST_EPS))
        self.keep("weight_decay", checks.number("weight_decay", self.weight_decay, 0, LARGEST_DECAY))
        checks.one_of("eps_form", self.eps_form, self.EPS_FORMS)

    def initial_state(self, param) -> AdamState:
        return AdamState(0, *np.zeros((5, *checks.array("param", param).shape)))

    def move(self, param, grad, state, lr):
        return self._adapt(grad + self.weight_decay * param, state, lr)

    def _adapt(self, grad, state, lr):
        step = state.step + 1
        m = self.beta1 * state.m + (1 - self.beta1) * grad
        v = self.beta2 * state.v + (1 - self.beta2) * grad**2
        unbias = 1 - self.beta2**step
        m_hat, v_hat = m / (1 - self.beta1**step), v / unbias
        if self.eps_form == "inside":
            below = np.sqrt(v_hat + self.eps)
        else:
            below = np.sqrt(v_hat) + (self.eps if self.eps_form == "outside" else self.eps / np.sqrt(unbias))
        rates = lr / below
        return AdamState(step, m, v, m_hat, v_hat, rates), -rates * m_hat


@dataclass(frozen=True, kw_only=True)
class AdamW(Adam):
    """Adam with the decay kept out of the running means: θ ← θ − lr·λθ − rates·m̂ (Loshchilov & Hutter 2019).

    As torch.optim.AdamW, but λ = 0 unless set. decay_times_lr=False takes λθ whole, as the paper writes it (its
    schedule multiplier being 1).

    >>> adamw = AdamW(lr=0.1, weight_decay=0.1)
    >>> adamw.step([1.0], [0.0], adamw.initial_state([1.0])).param.tolist()
    [0.99]
    """

    decay_times_lr: bool = True

    def __post_init__(self):
        super().__post_init__()
        self.keep("decay_times_lr", checks.flag("decay_times_lr", self.decay_times_lr))

    def move(self, param, grad, state, lr):
        state, update = self._adapt(grad, state, lr)
        return state, update - self.weight_decay * param * (lr if self.decay_times_lr else 1)
