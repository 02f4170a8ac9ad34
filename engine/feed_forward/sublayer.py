"""The feed-forward sublayer: widen, activate, narrow back; which units are silent, and what the activation buys."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.feed_forward.activations import ACTIVATIONS


class FeedForwardTrace(NamedTuple):
    """hidden (n, d_ff) before the activation, activated (n, d_ff) after it, out (n, d_model)."""

    hidden: np.ndarray
    activated: np.ndarray
    out: np.ndarray


class GatedTrace(NamedTuple):
    """gate and up (n, d_ff), activated = f(gate), product = activated ∘ up, (n, d_ff) each, and out (n, d_out)."""

    gate: np.ndarray
    up: np.ndarray
    activated: np.ndarray
    product: np.ndarray
    out: np.ndarray


class SilentTrace(NamedTuple):
    """silent (n, d_ff); the silent share of each row (n,); dead (d_ff,), silent in every row; the overall share."""

    silent: np.ndarray
    per_row: np.ndarray
    dead: np.ndarray
    share: float


class CollapseTrace(NamedTuple):
    """The one layer (W, b) that two layers would be, its result, the two layers' own, and the largest difference."""

    W: np.ndarray
    b: np.ndarray
    one_layer: np.ndarray
    two_layers: np.ndarray
    difference: float

    @property
    def differences(self) -> np.ndarray:
        """two_layers − one_layer, cell by cell."""
        return self.two_layers - self.one_layer


def feed_forward(x, W_1, b_1, W_2, b_2, *, activation: str) -> FeedForwardTrace:
    """Widen each row to d_ff, activate, and narrow it back, one position at a time.

    FFN(x) = f(x·W_1 + b_1)·W_2 + b_2 (Vaswani et al. 2017, Attention Is All You Need, eq. 2).
    Shapes: x (n, d_in), W_1 (d_in, d_ff), b_1 (d_ff,), W_2 (d_ff, d_out), b_2 (d_out,); hidden and activated (n, d_ff),
    out (n, d_out). No rows in, no rows out.
    Raises ValueError for shapes that do not meet, an unknown activation, and numbers that leave float64.

    >>> feed_forward([[1, 2]], [[1, 0, -1], [0, 1, 0]], [0, 0, 0], [[1], [1], [1]], [0.5], activation="relu").out
    array([[3.5]])
    """
    x, W_1, b_1, W_2, b_2 = _layers(x, W_1, b_1, W_2, b_2)
    activate = ACTIVATIONS[checks.one_of("activation", activation, ACTIVATIONS)].function
    hidden = _affine("hidden", x, W_1, b_1)  # (n, d_ff)
    activated = activate(hidden)
    return FeedForwardTrace(hidden, activated, _affine("out", activated, W_2, b_2))  # (n, d_out)


def gated_feed_forward(x, W_gate, W_up, W_down, *, activation: str = "silu") -> GatedTrace:
    """Widen each row twice, let one half, activated, gate the other, and narrow the product back; no biases.

    FFN(x) = (f(x·W_gate) ∘ x·W_up)·W_down (Shazeer 2020, "GLU variants improve transformer"): SwiGLU with f = SiLU, as
    in Llama, Mistral and Qwen; with f = GELU as in Gemma. Three matrices, so d_ff is two thirds of a plain layer's at
    the same size. Shapes: x (n, d_in), W_gate and W_up (d_in, d_ff), W_down (d_ff, d_out); out (n, d_out).
    Raises ValueError as `feed_forward`.

    >>> gated_feed_forward([[2.0]], [[1.0, -1.0]], [[3.0, 3.0]], [[1.0], [1.0]], activation="relu").out.tolist()
    [[12.0]]
    """
    x, W_gate, W_up, W_down = (
        checks.array(name, value, ndim=2)
        for name, value in (("x", x), ("W_gate", W_gate), ("W_up", W_up), ("W_down", W_down))
    )
    checks.shape("W_gate", W_gate, (x.shape[1], W_gate.shape[1]), "one row per column of x")
    checks.shape("W_up", W_up, W_gate.shape, "as W_gate")
    checks.shape("W_down", W_down, (W_up.shape[1], W_down.shape[1]), "one row per column of W_up")
    activate = ACTIVATIONS[checks.one_of("activation", activation, ACTIVATIONS)].function
    gate, up = _affine("x·W_gate", x, W_gate, 0.0), _affine("x·W_up", x, W_up, 0.0)  # (n, d_ff)
    activated = activate(gate)
    with np.errstate(over="ignore", invalid="ignore"):
        product = checks.in_range("gate · up", activated * up)  # (n, d_ff)
    return GatedTrace(gate, up, activated, product, _affine("out", product, W_down, 0.0))


def silent_units(activated, *, tolerance: float = 0.0) -> SilentTrace:
    """Which hidden units say nothing, in one row or in all: |activated| ≤ tolerance.

    With ReLU the share of exact zeros (Li et al. 2023, The Lazy Neuron Phenomenon); smooth activations are rarely
    exactly 0 and need a tolerance. Shapes: activated (n, d_ff); shares lie in [0, 1].
    Raises ValueError for an empty matrix or a negative tolerance.

    >>> silent_units([[0, 1], [0, 0]]).share
    0.75
    """
    activated = checks.array("activated", activated, ndim=2)
    if activated.size == 0:
        raise ValueError(f"activated needs at least one row and one unit; got shape {activated.shape}")
    silent = np.abs(activated) <= checks.number("tolerance", tolerance, 0)
    return SilentTrace(silent, silent.mean(axis=1), silent.all(axis=0), float(silent.mean()))


def collapse(x, W_1, b_1, W_2, b_2, *, activation: str = "identity") -> CollapseTrace:
    """The single layer two layers come to without a nonlinearity between them, and how far the two really are from it.

    (x·W_1 + b_1)·W_2 + b_2 = x·(W_1·W_2) + (b_1·W_2 + b_2). With the identity the difference is rounding; with any
    other activation it is what that activation buys. Shapes as in `feed_forward`: W (d_in, d_out), b (d_out,),
    one_layer and two_layers (n, d_out), difference the largest |one_layer − two_layers|. Raises as `feed_forward`.

    >>> collapse([[3]], [[2]], [1], [[5]], [0])
    CollapseTrace(W=array([[10.]]), b=array([5.]), one_layer=array([[35.]]), two_layers=array([[35.]]), difference=0.0)
    """
    two_layers = feed_forward(x, W_1, b_1, W_2, b_2, activation=activation).out
    x, W_1, b_1, W_2, b_2 = _layers(x, W_1, b_1, W_2, b_2)
    W, b = _affine("W_1·W_2", W_1, W_2, 0.0), _affine("b_1·W_2 + b_2", b_1, W_2, b_2)  # (d_in, d_out), (d_out,)
    one_layer = _affine("x·W + b", x, W, b)
    return CollapseTrace(W, b, one_layer, two_layers, float(np.abs(one_layer - two_layers).max(initial=0.0)))


def _layers(x, W_1, b_1, W_2, b_2) -> tuple[np.ndarray, ...]:
    x, W_1, W_2 = (checks.array(name, value, ndim=2) for name, value in (("x", x), ("W_1", W_1), ("W_2", W_2)))
    b_1, b_2 = (checks.array(name, value, ndim=1) for name, value in (("b_1", b_1), ("b_2", b_2)))
    checks.shape("W_1", W_1, (x.shape[1], W_1.shape[1]), "one row per column of x")
    checks.shape("b_1", b_1, (W_1.shape[1],), "one per column of W_1")
    checks.shape("W_2", W_2, (W_1.shape[1], W_2.shape[1]), "one row per column of W_1")
    checks.shape("b_2", b_2, (W_2.shape[1],), "one per column of W_2")
    return x, W_1, b_1, W_2, b_2


def _affine(name: str, x: np.ndarray, W: np.ndarray, b) -> np.ndarray:
    checks.within(name, checks.MAX_PRODUCTS, rows=len(x), d_in=W.shape[0], d_out=W.shape[1])
    checks.within(name, checks.MAX_NUMBERS, rows=len(x), d_out=W.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        return checks.in_range(name, x @ W + b)
