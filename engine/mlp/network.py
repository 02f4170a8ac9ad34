"""A small network of dense layers: forward, and backward by the chain rule."""

import operator
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.feed_forward import ACTIVATIONS
from engine.losses import cross_entropy

MAX_DENSE = 100
MAX_NETWORKS = 10_000  # that run side by side


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
    slopes: tuple[np.ndarray, ...]  # (n, d) per hidden layer, first layer first: f′(z)
    d_pre_activations: tuple[np.ndarray, ...]  # (n, d) per hidden layer: δ = d_activations ∘ slopes
    d_activations: tuple[np.ndarray, ...]  # (n, d) per hidden layer
    d_logits: np.ndarray  # (n, K)
    grads: tuple[DenseLayer, ...]

    @property
    def deltas(self) -> tuple[np.ndarray, ...]:
        """δ = d loss / d z of every layer, the last one's the gradient of the logits: what d_W and d_b are made of."""
        return (*self.d_pre_activations, self.d_logits)


def init_mlp(sizes: Sequence[int], rng: np.random.Generator) -> tuple[DenseLayer, ...]:
    """Random weights, zero biases: W normal with variance 2 / (d_in + d_out) (Glorot & Bengio 2010, §4.2.1).

    Shapes: sizes [d_in, …hidden…, K] gives one layer between each two, at most 100 of them and their number times the
    largest matrix 2²². Raises ValueError for fewer than two sizes, a size below 1, or no generator.

    >>> [layer.W.shape for layer in init_mlp([3, 4, 2], np.random.default_rng(0))]
    [(3, 4), (4, 2)]
    """
    listed = isinstance(sizes, Sequence) or (isinstance(sizes, np.ndarray) and sizes.ndim > 0)
    if not listed or isinstance(sizes, str) or len(sizes) < 2:
        raise ValueError(
            f"sizes must hold at least two layer sizes, input first, as in [3, 4, 3]; got {checks.shown(sizes)}"
        )
    checks.generator("rng", rng)
    each = checks.items("sizes", sizes, "layer sizes", most=MAX_DENSE + 1)
    widths = [checks.integer("every size", size, 1) for size in each]
    most = max(map(operator.mul, widths[:-1], widths[1:]))
    checks.within("the network", checks.MAX_NUMBERS, largest_matrix=most, layers=len(widths) - 1)
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
    return run_layers(layers, x, activation)


def mlp_backward(layers, x, targets, *, activation: str) -> BackwardTrace:
    """Send the cross-entropy back through the chain rule, layer by layer, last to first.

    δ = d_z of the logits comes from the loss. In each layer d_W = aᵀ·δ, d_b = Σ_rows δ; the layer below gets d_a = δ·Wᵀ
    and its own δ = d_a ∘ f′(z) (Rumelhart, Hinton & Williams 1986). Each call starts from zero. Shapes: as
    `mlp_forward`, targets (n,); every d_… has the shape of its array; grads as layers.
    Raises ValueError as `mlp_forward`, for no rows and for a target that is no class.

    >>> mlp_backward([DenseLayer([[0, 0]], [0, 0])], [[2]], [0], activation="relu").grads[0].W.tolist()
    [[-1.0, 1.0]]
    """
    layers, x = checked_input(layers, x, activation)
    forward = run_layers(layers, x, activation)
    scored = cross_entropy(forward.logits, targets)
    derivative = ACTIVATIONS[activation].derivative
    inputs = (x, *forward.activations)  # what each layer was fed
    d_pre: list[np.ndarray] = []
    d_act: list[np.ndarray] = []
    grads: list[DenseLayer] = []
    d_z = scored.grad  # (n, K)
    with np.errstate(over="ignore", invalid="ignore"):
        slopes = tuple(derivative(z) for z in forward.pre_activations)
        for i in reversed(range(len(layers))):
            d_W, d_b = inputs[i].T @ d_z, d_z.sum(axis=0)  # (d_in, d_out), (d_out,)
            grads.insert(0, DenseLayer(checks.in_range("the gradient", d_W), checks.in_range("the gradient", d_b)))
            if i > 0:
                d_act.insert(0, d_z @ layers[i].W.T)  # (n, d_out) -> (n, d_in)
                d_z = d_act[0] * slopes[i - 1]
                d_pre.insert(0, d_z)
    loss = float(checks.in_range("the loss", np.array([scored.loss]))[0])
    return BackwardTrace(forward, loss, slopes, tuple(d_pre), tuple(d_act), scored.grad, tuple(grads))


def inputs_with_bias(x, forward: MLPTrace) -> tuple[np.ndarray, ...]:
    """What the weights and the bias of each layer are multiplied with: its input, and a 1 for the bias.

    Shapes: x (n, d_in); returns (n, d_in + 1) for each layer. Raises ValueError for an x that is no matrix.

    >>> inputs_with_bias([[2.0]], MLPTrace((), (), np.zeros((1, 2))))[0].tolist()
    [[2.0, 1.0]]
    """
    checks.instance("forward", forward, MLPTrace, "an MLPTrace, what mlp_forward returns")
    hidden = checks.items("forward.activations", forward.activations, "matrices, one per hidden layer", most=MAX_DENSE)
    fed = [checks.array("x", x, ndim=2), *(checks.array("forward.activations", part, ndim=2) for part in hidden)]
    return tuple(np.column_stack([one, np.ones(len(one))]) for one in fed)


def stacked(layers) -> tuple[np.ndarray, ...]:
    """Each layer as one matrix, its bias the last row: (d_in + 1, d_out).

    >>> stacked([DenseLayer(np.array([[1, 2]]), np.array([3, 4]))])[0].tolist()
    [[1, 2], [3, 4]]
    """
    return tuple(np.vstack(layer) for layer in _as_they_are(layers))


def flattened(layers) -> np.ndarray:
    """All P parameters in a row: W row by row, then b, layer by layer; (P,).

    >>> flattened([DenseLayer(np.array([[1, 2]]), np.array([3, 4]))]).tolist()
    [1, 2, 3, 4]
    """
    return np.concatenate([part.ravel() for layer in _as_they_are(layers) for part in layer])


def losses_side_by_side(networks, x, targets, *, activation: str) -> np.ndarray:
    """The loss of c networks of one shape at once, for curves of the loss: W (c, d_in, d_out), b (c, d_out).

    Returns (c,) nats, c at most 10,000. Raises ValueError for networks of different numbers or shapes that do not
    follow on one another, and else as `mlp_backward`.

    >>> losses_side_by_side([DenseLayer(np.zeros((5, 1, 2)), np.zeros((5, 2)))], [[2]], [0], activation="relu").round(4)
    array([0.6931, 0.6931, 0.6931, 0.6931, 0.6931])
    """
    checks.one_of("activation", activation, ACTIVATIONS)
    x, layers, c = checks.array("x", x, ndim=2), [], 0
    rows, width = x.shape
    for i, layer in enumerate(_as_pairs("networks", networks)):
        W = checks.array(f"networks[{i}].W", layer[0], ndim=3)
        b = checks.array(f"networks[{i}].b", layer[1], ndim=2)
        c = checks.integer("the number of networks", len(W), 1, MAX_NETWORKS) if i == 0 else c
        checks.shape(f"networks[{i}].W", W, (c, width, W.shape[2] or 1), "networks × the width before × the next")
        width = W.shape[2]
        checks.shape(f"networks[{i}].b", b, (c, width), "networks × columns of W")
        checks.within("the networks", checks.MAX_NUMBERS, networks=c, rows=rows, width=width)
        layers.append(DenseLayer(W, b))
    if rows == 0:
        raise ValueError("x needs at least one row: the mean loss of no rows is undefined; got none")
    targets = checks.shape("targets", checks.classes("targets", targets, width), (rows,), "one per row of x")
    return mean_losses(run_layers(layers, x, activation).logits, targets)


def _as_they_are(layers) -> list[tuple[np.ndarray, np.ndarray]]:
    """W and b of each layer with the kind of numbers they have, or of booleans."""
    found = []
    for i, pair in enumerate(_as_pairs("layers", layers)):
        W, b = (
            part if isinstance(part, np.ndarray) and part.dtype == bool else checks.array(f"layers[{i}]", part, ndim=n)
            for n, part in zip((2, 1), pair, strict=True)
        )
        checks.shape(f"layers[{i}].b", b, W.shape[1:], "one per column of W")
        kept = [
            np.asarray(part) if np.asarray(part).dtype.kind in "iu" else sound
            for part, sound in zip(pair, (W, b), strict=True)
        ]
        found.append((kept[0], kept[1]))
    return found


def _as_pairs(name: str, layers) -> list:
    """The layers as pairs (W, b) of whatever they hold, or a ValueError that names what is none."""
    if not isinstance(layers, Sequence) or isinstance(layers, str | bytes) or not 1 <= len(layers) <= MAX_DENSE:
        raise ValueError(f"{name} must be a tuple of 1 to {MAX_DENSE} DenseLayer(W, b); got {type(layers).__name__}")
    for i, layer in enumerate(layers):
        if not isinstance(layer, tuple | list) or len(layer) != 2:
            raise ValueError(f"{name}[{i}] must be a DenseLayer(W, b); got {type(layer).__name__}")
    return list(layers)


def checked_layers(name: str, layers) -> tuple[DenseLayer, ...]:
    """Layers whose matrices and biases are finite and follow on one another, or a ValueError that names the fault.

    >>> checked_layers("layers", [([[1]], [0])])[0].W.shape
    (1, 1)
    """
    out: list[DenseLayer] = []
    for i, (W, b) in enumerate(_as_pairs(name, layers)):
        W = checks.array(f"{name}[{i}].W", W, ndim=2)
        b = checks.shape(f"{name}[{i}].b", checks.array(f"{name}[{i}].b", b), W.shape[1:], "one per column of W")
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
    checks.within("the rows", checks.MAX_NUMBERS, rows=len(x), widest=max(layer.b.size for layer in layers))
    checks.within("the products", checks.MAX_PRODUCTS, rows=len(x), weights=sum(layer.W.size for layer in layers))
    return layers, checks.shape("x", x, (x.shape[0], layers[0].W.shape[0]), "a column per row of the first W")


def run_layers(layers, x: np.ndarray, activation: str) -> MLPTrace:
    """The forward pass of layers already checked, one network or c of them at once: W (…, d_in, d_out), b (…, d_out).

    >>> run_layers([DenseLayer(np.array([[1.0, -1.0]]), np.zeros(2))], np.array([[2.0]]), "relu").logits.tolist()
    [[2.0, -2.0]]
    """
    pre, act, fed = [], [], x
    with np.errstate(over="ignore", invalid="ignore"):
        for layer in layers:
            z = fed @ layer.W + layer.b[..., None, :]  # (…, n, d_in) @ (…, d_in, d_out) -> (…, n, d_out)
            pre.append(checks.in_range("x·W + b", z))
            if len(pre) < len(layers):
                fed = ACTIVATIONS[activation].function(z)
                act.append(fed)
    return MLPTrace(tuple(pre[:-1]), tuple(act), pre[-1])


def mean_losses(logits: np.ndarray, targets) -> np.ndarray:
    """The mean cross-entropy of each of c networks: logits (c, n, K), targets (n,); returns (c,) nats.

    >>> mean_losses(np.zeros((1, 1, 2)), [0]).round(4).tolist()
    [0.6931]
    """
    c, n, n_classes = logits.shape
    per_row = cross_entropy(logits.reshape(c * n, n_classes), np.tile(targets, c)).per_row
    with np.errstate(over="ignore"):
        return checks.in_range("the loss", per_row.reshape(c, n).mean(axis=1))  # (c,)
