"""Backpropagation held against the definition of a derivative: move a parameter, look at the loss."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import binary_exponent
from engine.mlp.network import (
    BackwardTrace,
    DenseLayer,
    MLPTrace,
    checked_input,
    flattened,
    mean_losses,
    mlp_backward,
    run_layers,
)

_FLOOR = 1e-8  # gradients smaller than this count as this large in a relative error
MAX_CHECK = 5 * 10**6  # step sizes × parameters × (parameters + 4·rows·layers) of one check
_BATCH = 500_000  # numbers held at once while many shifted networks run side by side


class GradientCheck(NamedTuple):
    """Each field has the shape of the layers."""

    analytic: tuple[DenseLayer, ...]
    numeric: tuple[DenseLayer, ...]
    relative_error: tuple[DenseLayer, ...]
    kink: tuple[DenseLayer, ...]  # booleans


class ErrorCurve(NamedTuple):
    h: np.ndarray  # (m,)
    kinks: np.ndarray  # (m,) how many cells sit on a kink at this h
    largest: np.ndarray  # (m,) largest relative error of a cell off every kink, 0 if there is none
    overall: np.ndarray  # (m,) ‖analytic − numeric‖ / the larger norm, every cell included


def gradient_check(layers, x, targets, *, activation: str, h: float = 1e-5) -> GradientCheck:
    """Hold every gradient against the definition of a derivative: move one parameter by ± h, look at the loss.

    numeric = (L(θ + h) − L(θ − h)) / 2h; relative error = |analytic − numeric| / max(|analytic|, |numeric|, 10⁻⁸). A
    cell is a kink when its ± h moves some ReLU input across 0: the loss has no single slope there, so a difference is
    no fault. Shapes: each field as layers; of P parameters and n rows P·(P + 4·n·layers) at most `MAX_CHECK`. Raises
    ValueError as `mlp_backward`, or for h outside [1e-100, 1].

    >>> checked = gradient_check([DenseLayer([[0, 0]], [0, 0])], [[2]], [0], activation="tanh")
    >>> bool(checked.relative_error[0].W.max() < 1e-9), checked.kink[0].b.tolist()
    (True, [False, False])
    """
    layers, x = checked_input(layers, x, activation)
    _within_check(layers, x, 1)
    backward = mlp_backward(layers, x, targets, activation=activation)
    fields = _compare(layers, x, targets, activation, backward, np.array([checks.number("h", h, 1e-100, 1)]))
    return GradientCheck(backward.grads, *(_unflat(field[0], layers) for field in fields))


def worst_off_kinks(check: GradientCheck) -> int:
    """The parameter with the largest relative error of those on no kink, counted as `flattened` does.

    The first of several; 0 where every one is on a kink.

    >>> worst_off_kinks(gradient_check([DenseLayer([[0]], [0])], [[2]], [0], activation="tanh"))
    0
    """
    checks.instance("check", check, GradientCheck, "a GradientCheck, what gradient_check returns")
    kinks, errors = flattened(check.kink), flattened(check.relative_error)
    checks.shape("check.kink", checks.boolean("check.kink", kinks), errors.shape, "as check.relative_error")
    return int(np.where(kinks, -1, errors).argmax())


def gradient_error_by_h(layers, x, targets, *, activation: str, h) -> ErrorCurve:
    """How wrong the central difference is at every step size: the curve is a U.

    A large h bends away from the tangent (error ∝ h²), a small one drowns in rounding (error ∝ 10⁻¹⁶/h).
    Shapes: h (m,), a factor of the work too, returns vectors (m,). Raises ValueError as `gradient_check`.

    >>> curve = gradient_error_by_h([DenseLayer([[0, 0]], [0, 1])], [[2]], [0], activation="tanh", h=[0.1, 1e-5, 1e-12])
    >>> int(curve.overall.argmin())
    1
    """
    layers, x = checked_input(layers, x, activation)
    steps = checks.array("h", h, ndim=1)
    _within_check(layers, x, steps.size)
    steps = np.array([checks.number("h", step, 1e-100, 1) for step in steps])
    backward = mlp_backward(layers, x, targets, activation=activation)
    numeric, error, kink = _compare(layers, x, targets, activation, backward, steps)  # (m, P) each
    analytic = flattened(backward.grads)
    with np.errstate(over="ignore"):
        apart = checks.in_range("analytic − numeric", analytic - numeric)
        norms = np.maximum(_row_lengths(numeric), _row_lengths(analytic))
        overall = _row_lengths(apart) / np.maximum(norms, _FLOOR)
    checks.in_range("the error", overall)
    return ErrorCurve(steps, kink.sum(axis=1), np.where(kink, 0.0, error).max(axis=1, initial=0.0), overall)


def _compare(layers, x, targets, activation: str, backward: BackwardTrace, h: np.ndarray) -> tuple[np.ndarray, ...]:
    """Central differences for all P parameters at m step sizes h, many shifted networks at a time: numeric, error,
    kink, each (m, P)."""
    analytic, theta = flattened(backward.grads), flattened(layers)
    numeric, kink = np.zeros(h.size * theta.size), np.zeros(h.size * theta.size, dtype=bool)
    at_once = max(1, _BATCH // (theta.size + x.shape[0] * max(max(layer.W.shape) for layer in layers)))
    for start in range(0, numeric.size, at_once):
        cells = np.arange(start, min(start + at_once, numeric.size))  # cell c: parameter c % P at step size c // P
        by = h[cells // theta.size]  # (c,)
        shift = np.zeros((cells.size, theta.size))
        shift[np.arange(cells.size), cells % theta.size] = by
        up, down = (run_layers(_unflat(moved, layers), x, activation) for moved in (theta + shift, theta - shift))
        with np.errstate(over="ignore"):
            slopes = (mean_losses(up.logits, targets) - mean_losses(down.logits, targets)) / (2 * by)
        numeric[cells] = checks.in_range("the difference quotient", slopes)
        if activation == "relu":
            kink[cells] = _crosses(up, down)
    by_h = numeric.reshape(h.size, theta.size)
    with np.errstate(over="ignore"):
        apart = checks.in_range("analytic − numeric", np.abs(analytic - by_h))
    error = apart / np.maximum(np.maximum(np.abs(analytic), np.abs(by_h)), _FLOOR)
    return by_h, error, kink.reshape(h.size, theta.size)


def _within_check(layers, x: np.ndarray, n_steps: int) -> None:
    """Two networks run for each parameter and step size: refuse more than end within a second."""
    n = sum(part.size for layer in layers for part in layer)
    checks.integer("the number of step sizes", n_steps, 0, checks.MAX_ITEMS)
    checks.within(
        "the check", MAX_CHECK, step_sizes=n_steps, parameters=n, weights_and_rows=n + 4 * len(x) * len(layers)
    )


def _row_lengths(rows: np.ndarray) -> np.ndarray:
    """The length of each row, whatever its scale: (m, P) becomes (m,), one row a number."""
    k = binary_exponent(rows)
    return np.ldexp(np.linalg.norm(np.ldexp(rows, -k), axis=-1, keepdims=True), k)[..., 0]


def _crosses(up: MLPTrace, down: MLPTrace) -> np.ndarray:
    """For each of c pairs of shifted networks: does any ReLU input lie on the two sides of 0? (c,)"""
    crossed = np.zeros(up.logits.shape[0], dtype=bool)
    for z_up, z_down in zip(up.pre_activations, down.pre_activations, strict=True):  # (c, n, d) each
        crossed |= ((np.minimum(z_up, z_down) < 0) & (np.maximum(z_up, z_down) > 0)).any(axis=(1, 2))
    return crossed


def _unflat(theta: np.ndarray, like) -> tuple[DenseLayer, ...]:
    """(…, P) back into layers with W (…, d_in, d_out) and b (…, d_out), shaped as `like`."""
    parts = [part for layer in like for part in (layer.W, layer.b)]
    cut = np.split(theta, np.cumsum([part.size for part in parts])[:-1], axis=-1)
    shaped = [piece.reshape(*theta.shape[:-1], *part.shape) for piece, part in zip(cut, parts, strict=True)]
    return tuple(DenseLayer(W, b) for W, b in zip(shaped[::2], shaped[1::2], strict=True))
