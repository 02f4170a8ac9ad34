"""What the backward pass still carries at each depth, with and without a residual path and layer norm."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import binary_exponent
from engine.feed_forward import ACTIVATIONS
from engine.normalization import layer_norm_backward, layer_norm_stages

ARRANGEMENTS = ("plain", "residual", "pre_norm", "post_norm")
MAX_LAYERS_WORK = 8 * 10**6  # seeds · depth · width² · (width + batch) of one call


class DepthTrace(NamedTuple):
    """Norms at depth 0 (the input) … depth (the top), depth + 1 each: of what flows up, and of its gradient."""

    activation_norms: np.ndarray
    gradient_norms: np.ndarray


class DepthBand(NamedTuple):
    """One arrangement over several seeds: one row of norms per seed, (seeds, depth + 1), and what a band needs of them.

    lowest, middle, highest: the smallest, median and largest gradient norm at each depth, (depth + 1,);
    activation_middle: the median norm of the activations; ratio: the median over the seeds of the gradient at the input
    against the gradient at the top (first to last); per_layer: its depth-th root, what one layer does on average;
    top_weights, first_weights: what `top_weight_gradients` says of this stack, and of its first layer alone.
    """

    activation_norms: np.ndarray
    gradient_norms: np.ndarray
    activation_middle: np.ndarray
    lowest: np.ndarray
    middle: np.ndarray
    highest: np.ndarray
    ratio: float
    per_layer: float
    top_weights: float
    first_weights: float

    @property
    def strayed(self) -> float:
        """How far the gradient strays from 1 at any depth and seed: 0 where it is passed on exactly unchanged."""
        return float(np.abs(self.gradient_norms - 1).max())


def gradient_by_depth(
    arrangement: str,
    *,
    depth: int = 12,
    width: int = 8,
    batch: int = 4,
    gain: float = 1.0,
    activation: str = "tanh",
    rng: np.random.Generator,
) -> DepthTrace:
    """Send a batch up through a stack of layers and a gradient of norm 1 back down, and measure both at every depth.

    With F(x) = activation(x·W), W = gain × a random orthogonal matrix (Saxe, McClelland & Ganguli 2014):
    plain x ← F(x); residual x ← x + F(x) (He et al. 2016); pre_norm x ← x + F(LN(x)); post_norm x ← LN(x + F(x))
    (Xiong et al. 2020, "On layer normalization in the transformer architecture"). Gain 0 silences F.
    Equal generators give every arrangement the same input, weights and gradient, and a deeper stack the same first
    layers.

    depth 1 … 200, width 1 … 256, batch 1 … 256, gain in [0, 100], and depth · width² · (width + batch) at most
    `MAX_LAYERS_WORK`; norms are those of the whole (batch, width) matrix.
    Raises ValueError for settings outside these, an unknown arrangement or activation, or norms beyond float64.

    >>> trace = gradient_by_depth("plain", gain=0.5, activation="identity", rng=np.random.default_rng(0))
    >>> float(trace.gradient_norms[0].round(7)) == round(0.5**12, 7)
    True
    """
    _check_settings(depth, width, batch, gain)
    checks.generator("rng", rng)
    x, d_top, numbers = _draw(depth, width, batch, rng)
    weights = _orthogonal(numbers, float(gain))
    return trace_stack(checks.one_of("arrangement", arrangement, ARRANGEMENTS), x, weights, d_top, activation)


def gradient_bands(
    *,
    n_seeds: int = 8,
    seed: int = 0,
    depth: int = 12,
    width: int = 8,
    batch: int = 4,
    gain: float = 1.0,
    activation: str = "tanh",
) -> dict[str, DepthBand]:
    """All four arrangements over several seeds, the seeds worked through side by side.

    Row i of a band is `gradient_by_depth` with rng = np.random.default_rng([seed, i]). n_seeds 1 … 64, which is a
    factor of the work too, seed ≥ 0, the rest and what is raised as there.

    >>> bands = gradient_bands(n_seeds=3, gain=0)
    >>> bands["pre_norm"].gradient_norms.min(), bands["plain"].ratio
    (np.float64(1.0), 0.0)
    """
    x, weights, d_top = _draws(n_seeds, seed, depth, width, batch, gain)
    act = ACTIVATIONS[checks.one_of("activation", activation, ACTIVATIONS)]
    return {name: _band(name, act, x, weights, d_top) for name in ARRANGEMENTS}


def top_weight_gradients(
    *,
    n_seeds: int = 8,
    seed: int = 0,
    depth: int = 12,
    width: int = 8,
    batch: int = 4,
    gain: float = 1.0,
    activation: str = "tanh",
) -> dict[str, float]:
    """The norm of the gradient by the weights of the top layer in each arrangement, the gradient of the output being 1.

    Before it pre_norm has the last norm that such models end in (GPT-2, Llama); it divides by what the residual path
    has added up, so this gradient falls with depth, and that of post_norm does not: the reason why post-norm needs a
    warm-up (Xiong et al. 2020). The draws are those of `gradient_bands`, the values medians over the seeds.
    Raises ValueError as there.

    >>> 0 < top_weight_gradients(n_seeds=3)["pre_norm"] < top_weight_gradients(n_seeds=3)["post_norm"]
    True
    """
    settings = {"n_seeds": n_seeds, "seed": seed, "depth": depth, "width": width, "batch": batch}
    bands = gradient_bands(**settings, gain=gain, activation=activation)
    return {name: band.top_weights for name, band in bands.items()}


def trace_stack(arrangement: str, x, weights, d_top, activation: str) -> DepthTrace:
    """The two passes of `gradient_by_depth` for an input, weights and a gradient that are given.

    x (…, batch, width), weights (depth, …, width, width), d_top as x; returns norms (…, depth + 1). Gradient norms are
    relative to that of d_top, so that one passed on unchanged is exactly 1. Raises as `gradient_by_depth`.

    >>> trace_stack("residual", [[3.0, 4.0]], [[[1.0, 0.0], [0.0, 1.0]]], [[1.0, 0.0]], "identity")
    DepthTrace(activation_norms=array([ 5., 10.]), gradient_norms=array([2., 1.]))
    """
    checks.one_of("arrangement", arrangement, ARRANGEMENTS)
    act = ACTIVATIONS[checks.one_of("activation", activation, ACTIVATIONS)]
    x, weights, d_top = checks.array("x", x), checks.array("weights", weights), checks.array("d_top", d_top)
    if x.ndim < 2 or x.size == 0 or weights.ndim != x.ndim + 1:
        raise ValueError(
            f"x must be (…, batch, width) and weights (depth, …, width, width); got {x.shape}, {weights.shape}"
        )
    checks.shape("weights", weights, (len(weights), *x.shape[:-2], x.shape[-1], x.shape[-1]), "one matrix per layer")
    checks.shape("d_top", d_top, x.shape, "that of x")
    batch, width = x.shape[-2:]
    _within_work(x.size // (batch * width), len(weights), width, batch)
    if (_length(d_top) == 0).any():
        raise ValueError("d_top must not be 0: the gradients below are measured against it")
    return _measured(arrangement, act, x, weights, d_top)[0]


def _measured(arrangement, act, x, weights, d_top):
    """The trace, and what `_up` gives."""
    with np.errstate(over="ignore", invalid="ignore"):
        outputs, layers = _up(arrangement, act, x, weights)
        grads = _down(arrangement, act, d_top, weights, layers)
        relative = checks.in_range("the gradients", _norms("gradients", grads) / _length(d_top)[..., None])
        norms = DepthTrace(_norms("activations", outputs), relative)
    return norms, outputs, layers


def _up(arrangement, act, x, weights):
    """The batch at every depth, and what the way down needs of each layer: its norm, what W is fed, what W gives."""
    outputs, layers = [x], []
    for W in weights:
        norm, entry = None, x
        if arrangement == "pre_norm":
            norm = layer_norm_stages(x)
            entry = norm.out
        hidden = checks.in_range("the activations", entry @ W)
        branch = act.function(hidden)
        total = branch if arrangement == "plain" else checks.in_range("the activations", x + branch)
        x = total
        if arrangement == "post_norm":
            norm = layer_norm_stages(total)
            x = norm.out
        layers.append((norm, entry, hidden))
        outputs.append(x)
    return outputs, layers


def _down(arrangement, act, d_out, weights, layers):
    """The gradient at every depth, the input first."""
    grads = [d_out]
    for W, (norm, _, hidden) in zip(weights[::-1], layers[::-1], strict=True):
        if arrangement == "post_norm":
            d_out = norm.back(d_out)
        d_entry = checks.in_range("the gradients", (d_out * act.derivative(hidden)) @ W.swapaxes(-1, -2))
        if arrangement == "pre_norm":
            d_entry = norm.back(d_entry)
        d_out = d_entry if arrangement == "plain" else d_out + d_entry
        grads.append(d_out)
    return grads[::-1]


def _draw(depth, width, batch, rng):
    """Input (batch, width), a gradient (batch, width) for the top, and normal numbers (depth, width, width)."""
    x, d_top = rng.normal(size=(2, batch, width))
    return x, d_top, rng.normal(size=(depth, width, width))


def _orthogonal(numbers, gain):
    """Weights from normal numbers, (…, width, width) each: gain × a matrix that is uniform (Mezzadri 2007)."""
    q, r = np.linalg.qr(numbers)
    signs = np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1.0, 1.0)  # (…, width)
    return gain * q * signs[..., None, :]


def _draws(n_seeds, seed, depth, width, batch, gain) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What `_draw` gives for each seed, side by side: input and gradient (seeds, …), weights (depth, seeds, …)."""
    n_seeds = checks.integer("n_seeds", n_seeds, 1, 64)
    _check_settings(depth, width, batch, gain, n_seeds)
    seed = checks.integer("seed", seed, 0)
    rngs = [np.random.default_rng([seed, i]) for i in range(n_seeds)]
    x, d_top, numbers = zip(*(_draw(depth, width, batch, rng) for rng in rngs), strict=True)
    return np.stack(x), _orthogonal(np.stack(numbers, axis=1), float(gain)), np.stack(d_top)


def _check_settings(depth, width, batch, gain, n_seeds=1) -> None:
    for name, value, high in (("depth", depth, 200), ("width", width, 256), ("batch", batch, 256)):
        checks.integer(name, value, 1, high)
    checks.number("gain", gain, 0, 100)
    _within_work(n_seeds, depth, width, batch)


def _within_work(stacks: int, depth: int, width: int, batch: int) -> None:
    """Refuse what would not end within a second: a layer is drawn in width³ steps and gone through in width²·batch."""
    sizes = {"seeds": stacks, "depth": depth, "width²": width**2, "(width + batch)": width + batch}
    checks.within("the layers", MAX_LAYERS_WORK, **sizes)


def _band(arrangement, act, x, weights, d_top) -> DepthBand:
    trace, outputs, layers = _measured(arrangement, act, x, weights, d_top)
    gradients, activations = trace.gradient_norms, trace.activation_norms
    ratio = float(np.median(gradients[:, 0] / gradients[:, -1]))
    return DepthBand(
        activations,
        gradients,
        np.median(activations, axis=0),
        gradients.min(axis=0),
        np.median(gradients, axis=0),
        gradients.max(axis=0),
        ratio,
        ratio ** (1 / (gradients.shape[1] - 1)),
        _by_weights(arrangement, act, layers[-1], outputs[-1], d_top),
        _by_weights(arrangement, act, layers[0], outputs[1], d_top),
    )


def _by_weights(arrangement, act, layer, out, d_out) -> float:
    """The norm of the gradient by a layer's weights where it is the last; pre_norm then has a norm on top of it."""
    norm, entry, hidden = layer
    d_total = d_out
    if arrangement == "pre_norm":
        d_total = layer_norm_backward(d_out, out).d_x
    elif arrangement == "post_norm":
        d_total = norm.back(d_out)
    d_weights = entry.swapaxes(-1, -2) @ (d_total * act.derivative(hidden))  # (…, width, width)
    return float(np.median(_length(d_weights) / _length(d_out)))


def _norms(name: str, matrices: list[np.ndarray]) -> np.ndarray:
    """One norm per depth along the last axis: a list of (…, batch, width) becomes (…, depth + 1)."""
    norms = _length(np.stack(matrices))  # (depth + 1, …)
    return checks.in_range(f"the {name}", np.moveaxis(norms, 0, -1))


def _length(matrix: np.ndarray) -> np.ndarray:
    """√Σ x² over the last two axes, of numbers whose squares would underflow too: (…, batch, width) becomes (…)."""
    flat = matrix.reshape(*matrix.shape[:-2], -1)
    k = binary_exponent(flat)
    return np.ldexp(np.linalg.norm(np.ldexp(flat, -k), axis=-1, keepdims=True), k)[..., 0]
