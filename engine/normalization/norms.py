"""Layer, batch and RMS normalisation, and the way back through layer norm."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import binary_exponent, mean_of_scaled, plain_mean


class NormTrace(NamedTuple):
    """Mean and variance with the axis they were taken over kept, (…, 1) or (1, d); normalised and out as x."""

    mean: np.ndarray
    variance: np.ndarray
    normalized: np.ndarray
    out: np.ndarray


class NormStages(NamedTuple):
    """Every stage of a norm in order: deviation is √(variance + ε), scaled is γ·normalized, out adds β."""

    mean: np.ndarray
    centred: np.ndarray
    variance: np.ndarray
    deviation: np.ndarray
    normalized: np.ndarray
    scaled: np.ndarray
    out: np.ndarray

    def back(self, g: np.ndarray) -> np.ndarray:
        """The d_x of `layer_norm_backward` from g = d_out·γ, (…, d); ValueError for a gradient beyond float64."""
        with np.errstate(over="ignore", invalid="ignore"):
            g_mean = plain_mean(g)  # (…, 1)
            g_along = plain_mean(g * self.normalized)  # (…, 1)
            return checks.in_range("d_x", (g - g_mean - self.normalized * g_along) / self.deviation)


class NormGradients(NamedTuple):
    """d loss / d x, of the shape of x, and d loss / d γ and d loss / d β, (d,) each."""

    d_x: np.ndarray
    d_gamma: np.ndarray
    d_beta: np.ndarray


class RestoringParameters(NamedTuple):
    """The γ and β, (d,) each, with which layer norm gives its input back."""

    gamma: np.ndarray
    beta: np.ndarray


def layer_norm(x, gamma=None, beta=None, *, eps: float = 1e-5) -> NormTrace:
    """Bring each row to mean 0 and variance 1 on its own, then stretch by γ and shift by β.

    y = γ·(x − μ) / √(σ² + ε) + β with μ and the biased variance σ² = mean (x − μ)² of the row
    (Ba, Kiros & Hinton 2016, Layer Normalization, eq. 4).
    Shapes: x (…, d), gamma and beta (d,) or None for 1 and 0; mean and variance (…, 1). One feature always gives β. A
    variance beyond float64 is shown as ∞; the normalised row is right all the same.
    Raises ValueError for an empty x, γ or β of another length, a negative ε, or ε = 0 with a constant row (0/0).

    >>> layer_norm([1, 2, 3, 4], eps=0).out.round(5).tolist()
    [-1.34164, -0.44721, 0.44721, 1.34164]
    """
    return trace_of(layer_norm_stages(x, gamma, beta, eps=eps))


def layer_norm_stages(x, gamma=None, beta=None, *, eps: float = 1e-5) -> NormStages:
    """Layer norm with every stage between the row and the result; formula, shapes and errors as in `layer_norm`.

    >>> stages = layer_norm_stages([1, 3], eps=0)
    >>> stages.mean, stages.centred, stages.variance, stages.deviation
    (array([2.]), array([-1.,  1.]), array([1.]), array([1.]))
    """
    return finish(spread(rows_of(x), -1), gamma, beta, eps, -1)


def batch_norm(x, gamma=None, beta=None, *, eps: float = 1e-5) -> NormTrace:
    """Bring each column to mean 0 and variance 1 over the batch, as in training, then stretch by γ and shift by β.

    y = γ·(x − μ) / √(σ² + ε) + β with μ and the biased variance σ² of the column
    (Ioffe & Szegedy 2015, Batch Normalization, Algorithm 1).
    Shapes: x (n, d), gamma and beta (d,) or None; mean and variance (1, d). A batch of one row gives β: each value is
    its own mean (PyTorch refuses it). Raises ValueError as `layer_norm`, columns in place of rows.

    >>> batch_norm([[1, 5], [3, 5]]).out.round(4).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    return trace_of(finish(spread(rows_of(x, ndim=2), 0), gamma, beta, eps, 0))


def rms_norm(x, gamma=None, *, eps: float | None = 1e-6, one_plus: bool = False) -> NormTrace:
    """Divide each row by its root mean square, without centring it, then stretch by γ.

    y = γ·x / √(mean x² + ε) (Zhang & Sennrich 2019, Root Mean Square Layer Normalization, eq. 4). In the trace mean is
    0 and variance is the mean of the squares. eps None: the machine's ε of float64, 2.2e-16, the default of PyTorch's
    RMSNorm (Llama 2 has 1e-5, Gemma and the first Llama 1e-6). one_plus: the stored weight is γ − 1, so that y takes
    1 + gamma, and 0 where gamma is None (Gemma). Shapes as in `layer_norm`.
    Raises ValueError as `layer_norm`; with ε = 0 only a row of zeros is 0/0.

    >>> rms_norm([3, 4, 0, 0], eps=0).out.tolist(), rms_norm([3, 4], [0, 1], eps=0, one_plus=True).out.round(4).tolist()
    ([1.2, 1.6, 0.0, 0.0], [0.8485, 2.2627])
    """
    eps = float(np.finfo(float).eps) if eps is None else eps
    if checks.flag("one_plus", one_plus) and gamma is not None:
        gamma = 1 + checks.array("gamma", gamma)
    return trace_of(finish(spread(rows_of(x), -1, centre=False), gamma, None, eps, -1))


def layer_norm_backward(d_out, x, gamma=None, *, eps: float = 1e-5) -> NormGradients:
    """Send a gradient back through layer norm: the part along 1 and the part along the normalised row are lost.

    With g = d_out·γ: d_x = (g − mean g − x̂·mean(g·x̂)) / √(σ² + ε); d_γ = Σ d_out·x̂ and d_β = Σ d_out over the rows
    (derivative of `layer_norm`; Ioffe & Szegedy 2015, §3, for the batch form).
    Shapes: d_out and x (…, d), gamma (d,) or None; returns d_x (…, d), d_gamma (d,), d_beta (d,).
    Raises ValueError as `layer_norm`, for a d_out of another shape, and for a gradient beyond float64.

    >>> layer_norm_backward([1, 0, 0, 0], [7, 7, 7, 7]).d_x.round(2).tolist()
    [237.17, -79.06, -79.06, -79.06]
    """
    stages = layer_norm_stages(x, gamma, eps=eps)
    x_hat = stages.normalized
    d_out = checks.shape("d_out", checks.array("d_out", d_out), x_hat.shape, "that of x")
    rows = tuple(range(x_hat.ndim - 1))
    with np.errstate(over="ignore", invalid="ignore"):
        d_x = stages.back(d_out * _parameter("gamma", gamma, x_hat.shape[-1], 1.0))
        d_gamma, d_beta = (d_out * x_hat).sum(axis=rows), d_out.sum(axis=rows)  # (d,) each
    return NormGradients(d_x, checks.in_range("d_gamma", d_gamma), checks.in_range("d_beta", d_beta))


def layer_norm_slopes(x, output: int, gamma=None, *, eps: float = 1e-5) -> np.ndarray:
    """How one output of layer norm answers to every input: ∂y_i / ∂x_j for all j, a row of the Jacobian.

    Shapes: x (d,), output in 0 … d − 1, gamma (d,) or None; returns (d,), which sums to 0. Raises ValueError as
    `layer_norm`, and for an output that does not exist.

    >>> layer_norm_slopes([7, 7, 7, 7], 0).round(2).tolist()
    [237.17, -79.06, -79.06, -79.06]
    """
    x = rows_of(x, ndim=1)
    d_out = np.zeros(len(x))
    d_out[checks.integer("output", output, 0, len(x) - 1)] = 1.0
    return layer_norm_backward(d_out, x, gamma, eps=eps).d_x


def restoring_parameters(x, *, eps: float = 1e-5) -> RestoringParameters:
    """The γ and β that undo layer norm on this row: γ = √(σ² + ε) and β = μ, the same for each feature.

    Then γ·(x − μ) / √(σ² + ε) + μ = x (Ioffe & Szegedy 2015, §3, on the identity that γ and β can restore).
    Shapes: x (d,), one row, because another row needs another pair; returns (d,) each.
    Raises ValueError as `layer_norm`.

    >>> restoring_parameters([1, 3], eps=0)
    RestoringParameters(gamma=array([1., 1.]), beta=array([2., 2.]))
    """
    stages = layer_norm_stages(checks.array("x", x, ndim=1), eps=eps)
    ones = np.ones(stages.out.shape)
    return RestoringParameters(stages.deviation * ones, stages.mean * ones)


class Spread(NamedTuple):
    """Moments along an axis; `centred` is (x − mean) / 2^k, which keeps its squares inside float64."""

    mean: np.ndarray
    variance: np.ndarray
    std: np.ndarray
    centred: np.ndarray
    k: np.ndarray


def spread(x: np.ndarray, axis: int, centre: bool = True) -> Spread:
    """Mean, variance and standard deviation along an axis, and the centred values on a scale that keeps their squares.

    >>> spread(np.array([1.0, 3.0]), -1).std.tolist()
    [1.0]
    """
    k = binary_exponent(x, axis)
    scaled = np.ldexp(x, -k)  # the shape of x
    mean = mean_of_scaled(scaled, axis) if centre else np.zeros(k.shape)  # (…, 1) or (1, d), as all that follows
    centred, mean = scaled - mean, np.ldexp(mean, k)
    variance = plain_mean(np.square(centred), axis)
    with np.errstate(over="ignore"):
        return Spread(mean, np.ldexp(variance, 2 * k), np.ldexp(np.sqrt(variance), k), centred, k)


def finish(spread: Spread, gamma, beta, eps, axis: int) -> NormStages:
    """From the moments to the result: the one place that divides by √(variance + ε) and applies γ and β.

    >>> finish(spread(np.array([1.0, 3.0]), -1), None, None, 0, -1).out.tolist()
    [-1.0, 1.0]
    """
    deviation = np.hypot(spread.std, np.sqrt(checks.number("eps", eps, 0)))
    if (deviation == 0).any():
        flat = np.argwhere(deviation == 0)[0].tolist()
        name = f"column {flat[1]} of x" if axis == 0 else f"row {flat[:-1]} of x" if flat[:-1] else "x"
        raise ValueError(f"eps must be above 0 here: {name} has variance 0, and 0/0 has no value; use eps=1e-5")
    d = spread.centred.shape[-1]
    with np.errstate(over="ignore", invalid="ignore"):
        below = np.ldexp(deviation, -spread.k)
        normalized = spread.centred / np.where(below == 0, 1.0, below)  # so small an ε stands under zeros only
        scaled = normalized * _parameter("gamma", gamma, d, 1.0)
        out = checks.in_range("out", scaled + _parameter("beta", beta, d, 0.0))
        centred = np.ldexp(spread.centred, spread.k)
    return NormStages(spread.mean, centred, spread.variance, deviation, normalized, scaled, out)


def trace_of(stages: NormStages) -> NormTrace:
    """The four of the stages that every norm shows.

    >>> trace_of(layer_norm_stages([1, 3], eps=0)).out.tolist()
    [-1.0, 1.0]
    """
    return NormTrace(stages.mean, stages.variance, stages.normalized, stages.out)


def rows_of(x, ndim: int | None = None) -> np.ndarray:
    """x as an array of at least one row of at least one number, or a ValueError.

    >>> rows_of([1, 2]).shape
    (2,)
    """
    x = checks.array("x", x, ndim=ndim)
    if x.ndim == 0 or x.size == 0:
        raise ValueError(f"x needs at least one row of at least one number; got shape {x.shape}")
    return x


def _parameter(name: str, value, d: int, default: float) -> np.ndarray | float:
    if value is None:
        return default
    return checks.shape(name, checks.array(name, value), (d,), "one per feature")
