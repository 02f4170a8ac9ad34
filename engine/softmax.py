"""Softmax and what follows from it: log-probabilities, the Jacobian, entropy."""

from typing import NamedTuple

import numpy as np

from engine import checks


class SoftmaxTrace(NamedTuple):
    """One row of logits on its way, (n,) each; jacobian (n, n); entropy and loss in nats; grad = d loss / d logits."""

    shifted: np.ndarray
    exps: np.ndarray
    jacobian: np.ndarray
    entropy: float
    loss: float
    grad: np.ndarray
    out: np.ndarray

    @property
    def largest_gradient(self) -> float:
        """The largest |∂p_i/∂z_j|."""
        return float(abs(self.jacobian).max())


class ScaleTrace(NamedTuple):
    """What every scale makes of the same logits, (n_scales,) each: the largest |∂p_i/∂z_j|, by the scaled logits and
    by those that were typed, and the entropy in nats."""

    largest_gradient: np.ndarray
    typed_gradient: np.ndarray
    entropy: np.ndarray


def softmax(logits, *, temperature: float = 1.0, mask=None) -> np.ndarray:
    """Turn logits into probabilities along the last axis.

    softmax(z)_i = exp(z_i / T) / Σ_j exp(z_j / T), with the row's maximum subtracted first so that exp never overflows
    (Goodfellow, Bengio & Courville 2016, §4.1). Masking happens before exp, with −∞.

    Shapes: logits (…, n), mask broadcastable to (…, n), True = takes part; returns (…, n). A row with nothing left to
    choose from is all zeros and sums to 0, as in PyTorch's scaled_dot_product_attention and ONNX.
    Raises ValueError for NaN or +∞ (also under the mask), a mask that is not boolean, or a temperature ≤ 0.

    >>> softmax([1000, 1001, 1002]).round(5).tolist()
    [0.09003, 0.24473, 0.66524]
    """
    exps = np.exp(_shifted(logits, temperature, mask))  # (…, n), every entry in [0, 1]
    total = exps.sum(axis=-1, keepdims=True)  # (…, 1), 0 only where nothing takes part
    return exps / np.where(total == 0, 1.0, total)


def log_softmax(logits, *, temperature: float = 1.0, mask=None) -> np.ndarray:
    """The logarithm of softmax, exact where softmax itself would underflow to 0.

    log softmax(z)_i = z_i / T − log Σ_j exp(z_j / T). Shapes, mask and errors as in `softmax`; nats. Masked entries,
    every entry of a row with nothing left, and what lies below −1.8e308, are −∞.

    >>> log_softmax([0, 200]).tolist()
    [-200.0, 0.0]
    """
    shifted = _shifted(logits, temperature, mask)
    total = np.exp(shifted).sum(axis=-1, keepdims=True)
    return shifted - np.log(np.where(total == 0, 1.0, total))


def logit_for(logits, target: int, probability: float) -> float:
    """The logit that gives the class `target` this probability while the others stay where they are.

    log(p / (1 − p)) + log Σ_j exp z_j over all other classes. Shapes: logits (n,), at least two. Raises ValueError for
    fewer, a class that does not exist, or a probability outside [1e-12, 1 − 1e-12].

    >>> round(logit_for([0, 0, 0], 1, 0.5), 4)
    0.6931
    """
    z = checks.array("logits", logits, ndim=1)
    if z.size < 2:
        raise ValueError(f"logits must be two or more; got {z.size}")
    others = np.delete(z, checks.integer("target", target, 0, z.size - 1))
    p = checks.number("probability", probability, 1e-12, 1 - 1e-12)
    return float(np.log(p / (1 - p)) + np.logaddexp.reduce(others))


def softmax_jacobian(logits, *, temperature: float = 1.0, mask=None) -> np.ndarray:
    """How every probability answers to every logit: ∂p_i / ∂z_j = (p_i·δ_ij − p_i·p_j) / T.

    Shapes: logits (n,), returns (n, n), row i = the probability that moves, column j = the logit that is moved. Every
    row and column sums to 0; masked rows and columns are 0. Raises as `softmax`, and for more than 2,048 logits or a T
    so small that 1/T leaves float64.

    >>> softmax_jacobian([2, 1, 0])[0].round(5).tolist()
    [0.2227, -0.1628, -0.05989]
    """
    z = checks.array("logits", logits, ndim=1, allow_neg_inf=True)
    checks.within("the Jacobian", checks.MAX_NUMBERS, rows=z.size, columns=z.size)
    probs = softmax(z, temperature=temperature, mask=mask)
    with np.errstate(over="ignore"):
        slopes = (np.diag(probs) - np.outer(probs, probs)) / checks.number("temperature", temperature)
    return checks.in_range("the Jacobian", slopes)


def softmax_backward(probs, d_probs) -> np.ndarray:
    """From d loss / d probabilities back to d loss / d logits, without building the Jacobian.

    Jᵀ·g = p ⊙ (g − p·g), J the Jacobian of `softmax` at T = 1. Shapes: probs, d_probs and the result (…, n).
    Raises ValueError for shapes that differ, NaN or ∞, or a result beyond float64.

    >>> softmax_backward([0.5, 0.5], [1.0, 0.0]).tolist()
    [0.25, -0.25]
    """
    p = checks.array("probs", probs)
    g = checks.shape("d_probs", checks.array("d_probs", d_probs), p.shape, "as probs")
    if p.ndim == 0:
        raise ValueError("probs must have at least one axis, the probabilities of a row; got a single number")
    with np.errstate(over="ignore", invalid="ignore"):
        return checks.in_range("the gradient", p * (g - (p * g).sum(axis=-1, keepdims=True)))


def explain_softmax(
    logits, target: int, *, temperature: float = 1.0, mask=None, scale: float = 1.0, masked_target: str = "silent"
) -> SoftmaxTrace:
    """Softmax of one row with everything around it: exp, Jacobian, entropy, and the loss −log p of `target`.

    ∂(−log p_t) / ∂z_j = (p_j − δ_tj) / T, which is −J_tj / p_t. scale: where the logits are that many times what was
    typed, Jacobian and gradient are by what was typed, scale times larger. The loss of a masked target is ∞; its
    gradient is 0 everywhere with masked_target "silent", since no logit that takes part can mend it, and with "limit"
    p − onehot all the same, as PyTorch's cross_entropy and `losses.cross_entropy` have it for a logit of −∞.
    Shapes: logits (n,), target in 0 … n − 1. Raises as `softmax`, and for another masked_target.

    >>> explain_softmax([0.0, 0.0], 0).grad.tolist(), explain_softmax([0.0, 0.0], 0, scale=2).grad.tolist()
    ([-0.5, 0.5], [-1.0, 1.0])
    """
    z = checks.array("logits", logits, ndim=1, allow_neg_inf=True)
    t = checks.integer("target", target, 0, z.size - 1)
    by, heat = checks.number("scale", scale), checks.number("temperature", temperature, 0, open_low=True)
    silent = checks.one_of("masked_target", masked_target, ("silent", "limit")) == "silent"
    probs = softmax(z, temperature=temperature, mask=mask)
    loss = -float(log_softmax(z, temperature=temperature, mask=mask)[t])
    lost = silent and not np.isfinite(loss)
    shifted, jacobian = _shifted(z, temperature, mask), softmax_jacobian(z, temperature=temperature, mask=mask)
    with np.errstate(over="ignore"):
        jacobian = checks.in_range("scale × the Jacobian", by * jacobian)
        grad = by * (probs - np.eye(z.size)[t]) / heat
    grad = np.zeros(z.size) if lost else checks.in_range("the gradient", grad)
    return SoftmaxTrace(shifted, np.exp(shifted), jacobian, float(entropy(probs)), loss, grad, probs)


def sweep_scale(logits, scales, *, temperature: float = 1.0, mask=None) -> ScaleTrace:
    """The same logits multiplied by each of `scales`: how peaked the answer is, and whether a gradient survives.

    The largest gradient is max p_i·(1 − p_i) / T, the largest entry of the Jacobian; by the logits that are scaled it
    is |scale| times that, so 0 at scale 0. Shapes: logits (n,), scales (m,).

    >>> sweep_scale([1.0, -1.0], [0.0, 10.0]).largest_gradient.round(4).tolist()
    [0.25, 0.0]
    """
    scales = checks.array("scales", scales, ndim=1)
    z = checks.array("logits", logits, ndim=1)
    checks.within("the sweep", checks.MAX_NUMBERS, scales=scales.size, logits=z.size)
    with np.errstate(over="ignore"):
        probs = softmax(
            checks.in_range("scale × logits", z * scales[:, None]), temperature=temperature, mask=mask
        )  # (m, n)
        largest = (probs * (1 - probs)).max(axis=-1) / checks.number("temperature", temperature)
        typed = checks.in_range("the gradient", np.abs(scales) * checks.in_range("the gradient", largest))
    return ScaleTrace(largest, typed, entropy(probs))


def naive_exp(logits, dtype: str, *, temperature: float = 1.0) -> np.ndarray:
    """exp(z / T) without the shift in "float16", "float32" or "float64": ∞ where it overflows.

    Overflow begins above log of the largest number: 11.09, 88.72 and 709.78. Shapes: logits (n,), returns float64 (n,).

    >>> naive_exp([11.0, 12.0], "float16").tolist()
    [59872.0, inf]
    """
    kind = checks.one_of("dtype", dtype, ("float16", "float32", "float64"))
    with np.errstate(over="ignore", under="ignore"):
        heated = checks.array("logits", logits, allow_neg_inf=True) / checks.number(
            "temperature", temperature, 0, open_low=True
        )
        return np.exp(heated.astype(kind)).astype(float)


class NaiveTrace(NamedTuple):
    """Softmax without the shift in one number format: exp, its sum, the probabilities, and what went wrong."""

    exps: np.ndarray  # (n,) 0 where masked
    total: float
    out: np.ndarray  # (n,) NaN where 0/0 or ∞/∞
    error: float  # the largest |out − softmax|, ∞ where one is NaN
    fault: str | None  # "overflow", "sum overflow", "all zero", "wrong", or None


def naive_softmax(logits, dtype: str, *, temperature: float = 1.0, mask=None) -> NaiveTrace:
    """exp(z / T) / Σ exp(z / T) without the shift, rounded to "float16", "float32" or "float64" at each step.

    fault: "overflow" where exp is ∞, "sum overflow" where only the sum is, "all zero" where every exp underflows (0/0),
    "wrong" where the result is off by more than 2⁻⁷, else None. Shapes: logits (n,), mask (n,), True = takes part.
    Raises ValueError as `naive_exp` and `softmax`.

    >>> naive_softmax([-800.0, -801.0], "float64").fault, naive_softmax([10.0] * 8, "float16").fault
    ('all zero', 'sum overflow')
    """
    right = softmax(checks.array("logits", logits, ndim=1, allow_neg_inf=True), temperature=temperature, mask=mask)
    exps = naive_exp(logits, dtype, temperature=temperature)
    exps = exps if mask is None else np.where(checks.boolean("mask", mask), exps, 0.0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        total = exps.astype(dtype).sum()
        out = (exps.astype(dtype) / total).astype(float)
    error = float(np.abs(out - right).max()) if np.isfinite(out).all() else np.inf
    faults = {
        "overflow": np.isinf(exps).any(),
        "sum overflow": np.isinf(total),
        "all zero": total == 0 and right.any(),
        "wrong": error > 2**-7 and right.any(),
    }
    return NaiveTrace(exps, float(total), out, error, next((name for name, met in faults.items() if met), None))


def overflowing(logits, *, temperature: float = 1.0, mask=None) -> tuple[str, ...]:
    """The number formats in which exp without the shift overflows for some logit that takes part.

    Shapes: logits (n,), mask (n,), True = takes part. Raises ValueError as `naive_exp`, and for a mask that does not
    fit.

    >>> overflowing([11.0, 100.0]), overflowing([11.0, 100.0], mask=[True, False])
    (('float16', 'float32'), ())
    """
    z = checks.array("logits", logits, ndim=1, allow_neg_inf=True)
    keep = np.ones(z.shape, bool) if mask is None else checks.boolean("mask", mask)
    checks.shape("mask", keep, z.shape, "one per logit")
    formats = ("float16", "float32", "float64")
    return tuple(kind for kind in formats if np.isinf(naive_exp(z, kind, temperature=temperature)[keep]).any())


def favourites(probs, *, tolerance: float = 1e-12) -> tuple[int, ...]:
    """The entries that share the first place but for rounding, lowest index first.

    Shapes: probs (n,). Raises ValueError for no entries or a negative tolerance.

    >>> favourites([0.4, 0.2, 0.4])
    (0, 2)
    """
    p = checks.array("probs", probs, ndim=1)
    if p.size == 0:
        raise ValueError("probs needs at least one entry; got none")
    with np.errstate(over="ignore"):
        return tuple(np.flatnonzero(p >= p.max() - checks.number("tolerance", tolerance, 0)).tolist())


def entropy_limit(n_choices: int) -> float:
    """The largest entropy that n choices can have, when all are equally likely: log n, in nats (0 for none).

    Raises ValueError for a number below 0.

    >>> round(entropy_limit(2), 4)
    0.6931
    """
    return float(np.log(max(checks.integer("n_choices", n_choices, 0), 1)))


def entropy(probs) -> np.ndarray:
    """The uncertainty of a distribution: H(p) = −Σ p_i·log p_i, with 0·log 0 = 0 (Shannon 1948).

    Shapes: probs (…, n) with entries in [0, 1], returns (…); nats, from 0 (certain) to log n (uniform).

    >>> float(entropy([0.5, 0.5, 0.0]).round(4))
    0.6931
    """
    p = checks.probabilities("probs", probs)
    return -(p * np.log(np.where(p == 0, 1.0, p))).sum(axis=-1) + 0.0


def _shifted(logits, temperature, mask) -> np.ndarray:
    """(logits − the row's maximum) / T, −∞ where masked: what exp takes without overflow, however small T is."""
    z = checks.array("logits", logits, allow_neg_inf=True)
    if z.ndim == 0 or z.shape[-1] == 0:
        raise ValueError(f"logits need at least one entry along the last axis; got shape {z.shape}")
    temperature = checks.number("temperature", temperature, 0, open_low=True)
    if mask is not None:
        keep = checks.boolean("mask", mask)
        try:
            z = np.where(np.broadcast_to(keep, z.shape), z, -np.inf)
        except ValueError:
            raise ValueError(f"mask must fit logits of shape {z.shape}; got {keep.shape}") from None
    top = z.max(axis=-1, keepdims=True)  # (…, 1)
    with np.errstate(over="ignore"):
        return (z - np.where(np.isneginf(top), 0.0, top)) / temperature
