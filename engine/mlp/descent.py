"""One step down the gradient of a small network: what it promised and what it brought."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.losses import cross_entropy
from engine.mlp.network import BackwardTrace, DenseLayer, checked_layers, losses_side_by_side, mlp_backward, mlp_forward

MAX_GRADIENT_STEPS = 1_000  # of one path
MAX_PATH = 5 * 10**7  # steps × (parameters + 10 · rows · units) of one path


class StepTrace(NamedTuple):
    backward: BackwardTrace  # at the start
    squared_norm: float  # ‖g‖² over all parameters
    predicted_change: float  # −lr·‖g‖², what a straight line promises
    actual_change: float
    loss: float  # after the step
    layers: tuple[DenseLayer, ...]

    @property
    def promised(self) -> float:
        """The loss that the gradient promised, before the step was taken."""
        return self.backward.loss + self.predicted_change


class PathTrace(NamedTuple):
    layers: tuple[tuple[DenseLayer, ...], ...]  # m + 1 networks: at the start and after each step
    promised: np.ndarray  # (m,) the loss each step promised to reach, loss − lr·‖g‖²
    losses: np.ndarray  # (m + 1,)


class LineTrace(NamedTuple):
    learning_rates: np.ndarray  # (m,)
    tangent: np.ndarray  # (m,) loss − lr·‖g‖²
    losses: np.ndarray  # (m,)


def take_step(layers, grads, lr: float) -> tuple[DenseLayer, ...]:
    """Plain gradient descent, one step: θ − lr·g for every weight and bias (Cauchy 1847).

    Shapes: grads as layers. Raises ValueError for shapes that do not fit, a negative lr, or numbers that leave float64.

    >>> take_step([DenseLayer([[1]], [0])], [DenseLayer([[2]], [1])], 0.5)[0].W.tolist()
    [[0.0]]
    """
    layers, grads = checked_layers("layers", layers), checked_layers("grads", grads)
    if [layer.W.shape for layer in layers] != [grad.W.shape for grad in grads]:
        raise ValueError("grads must have the shapes of layers: take them from mlp_backward on these layers")
    return _moved(layers, grads, checks.number("lr", lr, 0))


def gradient_step(layers, x, targets, *, activation: str, lr: float) -> StepTrace:
    """Take one step and hold the change of the loss against what the gradient promised: −lr·‖g‖², to first order.

    Shapes: as `mlp_backward`; losses in nats. Raises ValueError as `mlp_backward` and `take_step`.

    >>> step = gradient_step([DenseLayer([[0, 0]], [0, 0])], [[0]], [0], activation="relu", lr=0.1)
    >>> round(step.predicted_change, 4), round(step.actual_change, 4)
    (-0.05, -0.0488)
    """
    backward = mlp_backward(layers, x, targets, activation=activation)
    moved = take_step(layers, backward.grads, lr)
    loss = _loss(moved, x, targets, activation)
    squared = _squared_norm(backward.grads)
    lr = checks.number("lr", lr, 0)
    predicted, actual = _finite("lr·‖g‖²", 0.0 - lr * squared), _finite("the change", loss - backward.loss)
    return StepTrace(backward, squared, predicted, actual, loss, moved)


def follow_gradient(layers, x, targets, *, activation: str, lr: float, n_steps: int) -> PathTrace:
    """Take n_steps steps of gradient descent, each down the gradient where the last one ended.

    Shapes: as `mlp_backward`; losses in nats, m = n_steps from 0 to 1,000 and m · (parameters + 10 · rows · units) at
    most `MAX_PATH`. Raises ValueError as `gradient_step`.

    >>> path = follow_gradient([DenseLayer([[0, 0]], [0, 0])], [[0]], [0], activation="relu", lr=0.1, n_steps=2)
    >>> path.losses.round(4).tolist()
    [0.6931, 0.6444, 0.6004]
    """
    n_steps = checks.integer("n_steps", n_steps, 0, MAX_GRADIENT_STEPS)
    layers = checked_layers("layers", layers)
    n = sum(part.size for layer in layers for part in layer)
    units = 10 * len(checks.array("x", x, ndim=2)) * sum(layer.b.size for layer in layers)
    checks.within("the path", MAX_PATH, **{"steps": n_steps, "(parameters + 10 · rows · units)": n + units})
    networks, promised, losses = [tuple(DenseLayer(W.copy(), b.copy()) for W, b in layers)], [], []
    lr = checks.number("lr", lr, 0)
    for _ in range(n_steps):
        backward = mlp_backward(networks[-1], x, targets, activation=activation)
        promised.append(_finite("the promised loss", backward.loss - lr * _squared_norm(backward.grads)))
        losses.append(backward.loss)
        networks.append(_moved(networks[-1], backward.grads, lr))
    losses.append(_loss(networks[-1], x, targets, activation))
    return PathTrace(tuple(networks), np.array(promised), np.array(losses))


def loss_along_gradient(layers, x, targets, *, activation: str, learning_rates) -> LineTrace:
    """The loss on the straight line that the gradient points down, θ − lr·g, beside its tangent at lr = 0.

    Shapes: learning_rates (m,), negative ones lead uphill; returns vectors (m,), nats. Raises as `take_step`.

    >>> layers = [DenseLayer([[0, 0]], [0, 0])]
    >>> line = loss_along_gradient(layers, [[0]], [0], activation="relu", learning_rates=[0, 0.1])
    >>> line.losses.round(4).tolist(), line.tangent.round(4).tolist()
    ([0.6931, 0.6444], [0.6931, 0.6431])
    """
    backward = mlp_backward(layers, x, targets, activation=activation)
    layers, rates = checked_layers("layers", layers), checks.array("learning_rates", learning_rates, ndim=1)
    n = sum(part.size for layer in layers for part in layer)
    checks.within("the line", checks.MAX_NUMBERS, learning_rates=rates.size, parameters=n)
    if rates.size == 0:
        raise ValueError("learning_rates needs at least one number: where on the line to look")
    losses = losses_side_by_side(_moved(layers, backward.grads, rates), x, targets, activation=activation)
    with np.errstate(over="ignore"):
        tangent = checks.in_range("the tangent", backward.loss - rates * _squared_norm(backward.grads))
    return LineTrace(rates.copy(), tangent, losses)


def _moved(layers, grads, rate) -> tuple[DenseLayer, ...]:
    """θ − rate·g; m rates at once give arrays with m in front, as `losses_side_by_side` takes them."""
    rate = np.asarray(rate)

    def moved(part, slope):
        return checks.in_range("θ − lr·g", part - rate.reshape(rate.shape + (1,) * part.ndim) * slope)

    with np.errstate(over="ignore", invalid="ignore"):
        pairs = zip(layers, grads, strict=True)
        return tuple(DenseLayer(moved(layer.W, grad.W), moved(layer.b, grad.b)) for layer, grad in pairs)


def _loss(layers, x, targets, activation: str) -> float:
    loss = cross_entropy(mlp_forward(layers, x, activation=activation).logits, targets).loss
    return float(checks.in_range("the loss", np.array([loss]))[0])


def _finite(name: str, value: float) -> float:
    return float(checks.in_range(name, np.array([value]))[0])


def _squared_norm(grads) -> float:
    with np.errstate(over="ignore"):
        squares = [np.square(part).sum() for grad in grads for part in grad]
        return float(checks.in_range("the squared norm of the gradient", np.array([sum(squares)]))[0])
