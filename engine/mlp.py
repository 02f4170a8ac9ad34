"""A small network of dense layers: forward, backward by the chain rule, the check against the definition."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.feed_forward import ACTIVATIONS
from engine.losses import cross_entropy

_FLOOR = 1e-8  # gradients smaller than this count as this large in a relative error
_BATCH = 500_000  # numbers held at once while many shifted networks run side by side


class DenseLayer(NamedTuple):
    W: np.ndarray  # (d_in, d_out)
    b: np.ndarray  # (d_out,)


class MLPTrace(NamedTuple):
    pre_activations: tuple[np.ndarray, ...]  # (n, d) per hidden layer
    activations: tuple[np.ndarray, ...]  # (n, d) per hidden layer
    logits: np.ndarray  # (n, K)


class BackwardTrace(NamedTuple):
    forward: MLPTrace
    loss: float  # nats
    d_pre_activations: tuple[np.ndarray, ...]  # (n, d) per hidden layer, first layer first
    d_activations: tuple[np.ndarray, ...]  # (n, d) per hidden layer
    d_logits: np.ndarray  # (n, K)
    grads: tuple[DenseLayer, ...]


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


def init_mlp(sizes: Sequence[int], rng: np.random.Generator) -> tuple[DenseLayer, ...]:
    """Random weights, zero biases: W normal with variance 2 / (d_in + d_out) (Glorot & Bengio 2010, §4.2.1).

    Shapes: sizes [d_in, …hidden…, K] gives one layer between each two. Raises ValueError for fewer than two sizes, a
    size below 1, or no generator.

    >>> [layer.W.shape for layer in init_mlp([3, 4, 2], np.random.default_rng(0))]
    [(3, 4), (4, 2)]
    """
    if not isinstance(sizes, Sequence | np.ndarray) or isinstance(sizes, str) or len(sizes) < 2:
        raise ValueError(f"sizes must hold at least two layer sizes, input first, as in [3, 4, 3]; got {sizes!r}")
    checks.generator("rng", rng)
    widths = [checks.integer("every size", size, 1) for size in sizes]
    pairs = zip(widths[:-1], widths[1:], strict=True)
    return tuple(DenseLayer(rng.normal(0, (2 / (m + n)) ** 0.5, (m, n)), np.zeros(n)) for m, n in pairs)


def mlp_forward(layers, x, *, activation: str) -> MLPTrace:
    """Run the rows of x through the network: a = f(x·W + b) in every hidden layer, the last layer without f.

    (Rumelhart, Hinton & Williams 1986; Goodfellow, Bengio & Courville 2016, §6.5.) Shapes: layers (W (d_in, d_out),
    b (d_out,)) that follow on one another, x (n, d_in); logits (n, K).
    Raises ValueError for shapes that do not fit, an unknown activation, or numbers that leave float64.

    >>> layers = [DenseLayer([[1, -1]], [0, 0]), DenseLayer([[1, 0], [0, 1]], [0.5, 0])]
    >>> mlp_forward(layers, [[2]], activation="relu").logits.tolist()
    [[2.5, 0.0]]
    """
    layers, x = checked_input(layers, x, activation)
    return _run(layers, x, activation)


def mlp_backward(layers, x, targets, *, activation: str) -> BackwardTrace:
    """Send the cross-entropy back through the chain rule, layer by layer, last to first.

    d_W = aᵀ·d_z, d_b = Σ_rows d_z, d_a = d_z·Wᵀ, d_z = d_a ∘ f′(z) (Rumelhart, Hinton & Williams 1986). Each call
    starts from zero. Shapes: as `mlp_forward`, targets (n,); every d_… has the shape of its array; grads as layers.
    Raises ValueError as `mlp_forward`, for no rows and for a target that is no class.

    >>> mlp_backward([DenseLayer([[0, 0]], [0, 0])], [[2]], [0], activation="relu").grads[0].W.tolist()
    [[-1.0, 1.0]]
    """
    layers, x = checked_input(layers, x, activation)
    forward = _run(layers, x, activation)
    scored = cross_entropy(forward.logits, targets)
    derivative = ACTIVATIONS[activation].derivative
    inputs = (x, *forward.activations)  # what each layer was fed
    d_pre, d_act, grads = [], [], []
    d_z = scored.grad  # (n, K)
    with np.errstate(over="ignore", invalid="ignore"):
        for i in reversed(range(len(layers))):
            d_W, d_b = inputs[i].T @ d_z, d_z.sum(axis=0)  # (d_in, d_out), (d_out,)
            grads.insert(0, DenseLayer(checks.in_range("the gradient", d_W), checks.in_range("the gradient", d_b)))
            if i > 0:
                d_act.insert(0, d_z @ layers[i].W.T)  # (n, d_out) -> (n, d_in)
                d_z = d_act[0] * derivative(forward.pre_activations[i - 1])
                d_pre.insert(0, d_z)
    loss = float(checks.in_range("the loss", np.array([scored.loss]))[0])
    return BackwardTrace(forward, loss, tuple(d_pre), tuple(d_act), scored.grad, tuple(grads))


def gradient_check(layers, x, targets, *, activation: str, h: float = 1e-5) -> GradientCheck:
    """Hold every gradient against the definition of a derivative: move one parameter by ± h, look at the loss.

    numeric = (L(θ + h) − L(θ − h)) / 2h; relative error = |analytic − numeric| / max(|analytic|, |numeric|, 10⁻⁸). A
    cell is a kink when its ± h moves some ReLU input across 0: the loss has no single slope there, so a difference is
    no fault. Shapes: each field as layers. Raises ValueError as `mlp_backward`, or for h outside [1e-100, 1].

    >>> checked = gradient_check([DenseLayer([[0, 0]], [0, 0])], [[2]], [0], activation="tanh")
    >>> bool(checked.relative_error[0].W.max() < 1e-9), checked.kink[0].b.tolist()
    (True, [False, False])
    """
    layers, x = checked_input(layers, x, activation)
    backward = mlp_backward(layers, x, targets, activation=activation)
    fields = _compare(layers, x, targets, activation, backward, np.array([checks.number("h", h, 1e-100, 1)]))
    return GradientCheck(backward.grads, *(_unflat(field[0], layers) for field in fields))


def gradient_error_by_h(layers, x, targets, *, activation: str, h) -> ErrorCurve:
    """How wrong the central difference is at every step size: the curve is a U.

    A large h bends away from the tangent (error ∝ h²), a small one drowns in rounding (error ∝ 10⁻¹⁶/h).
    Shapes: h (m,), returns vectors (m,). Raises ValueError as `gradient_check`.

    >>> curve = gradient_error_by_h([DenseLayer([[0, 0]], [0, 1])], [[2]], [0], activation="tanh", h=[0.1, 1e-5, 1e-12])
    >>> int(curve.overall.argmin())
    1
    """
    layers, x = checked_input(layers, x, activation)
    backward = mlp_backward(layers, x, targets, activation=activation)
    steps = np.array([checks.number("h", step, 1e-100, 1) for step in checks.array("h", h, ndim=1)])
    numeric, error, kink = _compare(layers, x, targets, activation, backward, steps)  # (m, P) each
    analytic = _flat(backward.grads)
    norms = np.maximum(np.linalg.norm(numeric, axis=1), np.linalg.norm(analytic))
    overall = np.linalg.norm(analytic - numeric, axis=1) / np.maximum(norms, _FLOOR)
    return ErrorCurve(steps, kink.sum(axis=1), np.where(kink, 0.0, error).max(axis=1, initial=0.0), overall)


def losses_side_by_side(networks, x, targets, *, activation: str) -> np.ndarray:
    """The loss of c networks of one shape at once, for curves of the loss: W (c, d_in, d_out), b (c, d_out).

    Returns (c,) nats. Only numbers that leave float64 are refused: what is passed comes from checked layers.

    >>> losses_side_by_side([DenseLayer(np.zeros((5, 1, 2)), np.zeros((5, 2)))], [[2]], [0], activation="relu").round(4)
    array([0.6931, 0.6931, 0.6931, 0.6931, 0.6931])
    """
    return _losses(_run(networks, x, activation).logits, targets)


def checked_layers(name: str, layers) -> tuple[DenseLayer, ...]:
    """Layers whose matrices and biases are finite and follow on one another, or a ValueError that names the fault.

    >>> checked_layers("layers", [([[1]], [0])])[0].W.shape
    (1, 1)
    """
    if not isinstance(layers, Sequence) or isinstance(layers, str) or not layers:
        raise ValueError(f"{name} must be a tuple of at least one DenseLayer(W, b); got {type(layers).__name__}")
    out: list[DenseLayer] = []
    for i, layer in enumerate(layers):
        if not isinstance(layer, tuple | list) or len(layer) != 2:
            raise ValueError(f"{name}[{i}] must be a DenseLayer(W, b); got {type(layer).__name__}")
        W = checks.array(f"{name}[{i}].W", layer[0], ndim=2)
        b = checks.shape(f"{name}[{i}].b", checks.array(f"{name}[{i}].b", layer[1]), W.shape[1:], "one per column of W")
        if W.size == 0 or (out and out[-1].b.size != W.shape[0]):
            wanted = f"{out[-1].b.size} rows, the width before it, and" if out else "at least 1 row and"
            raise ValueError(f"{name}[{i}].W must have {wanted} at least 1 column; got shape {W.shape}")
        out.append(DenseLayer(W, b))
    return tuple(out)


def checked_input(layers, x, activation) -> tuple[tuple[DenseLayer, ...], np.ndarray]:
    """Layers and the rows they are fed, as float64, or a ValueError that names the fault.

    >>> checked_input([([[1]], [0])], [[2], [3]], "relu")[1].shape
    (2, 1)
    """
    checks.one_of("activation", activation, ACTIVATIONS)
    layers, x = checked_layers("layers", layers), checks.array("x", x, ndim=2)
    return layers, checks.shape("x", x, (x.shape[0], layers[0].W.shape[0]), "a column per row of the first W")


def _run(layers, x: np.ndarray, activation: str) -> MLPTrace:
    """The forward pass, for one network or for c of them at once: W (…, d_in, d_out), b (…, d_out)."""
    pre, act, fed = [], [], x
    with np.errstate(over="ignore", invalid="ignore"):
        for layer in layers:
            z = fed @ layer.W + layer.b[..., None, :]  # (…, n, d_in) @ (…, d_in, d_out) -> (…, n, d_out)
            pre.append(checks.in_range("x·W + b", z))
            if len(pre) < len(layers):
                fed = ACTIVATIONS[activation].function(z)
                act.append(fed)
    return MLPTrace(tuple(pre[:-1]), tuple(act), pre[-1])


def _compare(layers, x, targets, activation: str, backward: BackwardTrace, h: np.ndarray) -> tuple[np.ndarray, ...]:
    """Central differences for all P parameters at m step sizes h, many shifted networks at a time: numeric, error,
    kink, each (m, P)."""
    analytic, theta = _flat(backward.grads), _flat(layers)
    numeric, kink = np.zeros(h.size * theta.size), np.zeros(h.size * theta.size, dtype=bool)
    at_once = max(1, _BATCH // (theta.size + x.shape[0] * max(max(layer.W.shape) for layer in layers)))
    for start in range(0, numeric.size, at_once):
        cells = np.arange(start, min(start + at_once, numeric.size))  # cell c: parameter c % P at step size c // P
        by = h[cells // theta.size]  # (c,)
        shift = np.zeros((cells.size, theta.size))
        shift[np.arange(cells.size), cells % theta.size] = by
        up, down = (_run(_unflat(moved, layers), x, activation) for moved in (theta + shift, theta - shift))
        numeric[cells] = (_losses(up.logits, targets) - _losses(down.logits, targets)) / (2 * by)
        if activation == "relu":
            kink[cells] = _crosses(up, down)
    numeric, kink = numeric.reshape(h.size, -1), kink.reshape(h.size, -1)
    error = np.abs(analytic - numeric) / np.maximum(np.maximum(np.abs(analytic), np.abs(numeric)), _FLOOR)
    return numeric, error, kink


def _losses(logits: np.ndarray, targets) -> np.ndarray:
    c, n, n_classes = logits.shape
    per_row = cross_entropy(logits.reshape(c * n, n_classes), np.tile(targets, c)).per_row
    with np.errstate(over="ignore"):
        return checks.in_range("the loss", per_row.reshape(c, n).mean(axis=1))  # (c,)


def _crosses(up: MLPTrace, down: MLPTrace) -> np.ndarray:
    """For each of c pairs of shifted networks: does any ReLU input lie on the two sides of 0? (c,)"""
    crossed = np.zeros(up.logits.shape[0], dtype=bool)
    for z_up, z_down in zip(up.pre_activations, down.pre_activations, strict=True):  # (c, n, d) each
        crossed |= ((np.minimum(z_up, z_down) < 0) & (np.maximum(z_up, z_down) > 0)).any(axis=(1, 2))
    return crossed


def _flat(layers) -> np.ndarray:
    return np.concatenate([part.ravel() for layer in layers for part in layer])  # (P,): W row by row, then b, per layer


def _unflat(theta: np.ndarray, like) -> tuple[DenseLayer, ...]:
    """(…, P) back into layers with W (…, d_in, d_out) and b (…, d_out), shaped as `like`."""
    parts = [part for layer in like for part in layer]
    cut = np.split(theta, np.cumsum([part.size for part in parts])[:-1], axis=-1)
    shaped = [piece.reshape(*theta.shape[:-1], *part.shape) for piece, part in zip(cut, parts, strict=True)]
    return tuple(DenseLayer(W, b) for W, b in zip(shaped[::2], shaped[1::2], strict=True))
