"""What a prediction costs and which way each logit should move: cross-entropy and mean squared error."""

import math
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.softmax import log_softmax, softmax, softmax_backward

MAX_CURVE = 2**20  # probabilities × classes of one curve


class LossTrace(NamedTuple):
    """From logits to one number, and the way back."""

    probs: np.ndarray  # (n, K)
    per_row: np.ndarray  # (n,) every row, counted or not
    row_grads: np.ndarray  # (n, K) d per_row[i] / d logits[i]: of each row's own loss, counted or not
    weights: np.ndarray  # (n,) what each row weighs in the mean: its class's weight, 1 without
    grad: np.ndarray  # (n, K) d loss / d logits = row_grads / the weights that count, 0 in rows that do not count
    loss: float  # the mean over the rows that count

    @property
    def perplexity(self) -> float:
        """exp(loss): among how many equally likely classes the model hesitates on average (Jelinek et al. 1977)."""
        with np.errstate(over="ignore"):
            return float(np.exp(self.loss))


def cross_entropy(logits, targets, *, mask=None, label_smoothing: float = 0.0, class_weights=None) -> LossTrace:
    """How surprised the prediction is by the right class, in nats.

    per_row = −Σ_k q_k·log p_k, with p = softmax(logits), q = (1 − ε)·onehot + ε/K and 0·log 0 = 0; grad = (p − q) / the
    number of rows that count (Goodfellow, Bengio & Courville 2016, §6.2; smoothing: Szegedy et al. 2016, §7).

    class_weights: w_k ≥ 0 for each class, so that per_row = −Σ_k w_k·q_k·log p_k. The mean is then the sum over the
    rows that count divided by the sum of the weights of their targets, not by their number (torch.nn.CrossEntropyLoss).

    An impossible class (logit −∞) costs ∞ where q gives it weight: as the target, or under smoothing in any case. The
    loss is then ∞ and the gradient still p − q, its limit, never NaN. A row of nothing but −∞ has p = 0 and costs ∞.

    Shapes: logits (n, K), −∞ allowed; targets (n,) classes 0 … K − 1; mask (n,), True = counts; class_weights (K,).
    Raises ValueError for NaN or +∞, a target that is no class (in masked rows too), a mask that is not boolean, no row
    that counts, label_smoothing outside [0, 1], a weight below 0, weights that leave nothing to divide by, or finite
    logits whose loss or gradient leaves float64.

    >>> trace = cross_entropy([[2, 1, 0], [0, 0, 0]], [0, 2])
    >>> trace.per_row.round(5).tolist(), round(trace.loss, 5), round(trace.perplexity, 5)
    ([0.40761, 1.09861], 0.75311, 2.12359)
    >>> round(cross_entropy([[0.2, 0.3, 0.5], [0.5, 0.2, 0.3]], [2, 1], class_weights=[2, 4, 6]).loss, 5)
    1.05983
    """
    logits, targets, keep = _batch(logits, targets, mask)
    smoothing = checks.number("label_smoothing", label_smoothing, 0, 1)
    probs = softmax(logits)
    wanted = _wanted(targets, logits.shape[1], smoothing)
    if class_weights is None:
        weights, total = np.ones(len(targets)), 1.0
    else:
        each = _class_weights(class_weights, logits.shape[1])
        weights, wanted = each[targets], wanted * each  # (n,), (n, K)
        total = wanted.sum(axis=1, keepdims=True)  # (n, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        terms = wanted * np.where(wanted == 0, 0.0, log_softmax(logits))  # (n, K), 0·log 0 = 0
        per_row = 0.0 - terms.sum(axis=1)  # (n,)
        row_grads = probs * total - wanted
    if np.isinf(per_row).any():  # only an impossible class may cost ∞
        checks.in_range("the loss", np.where(np.isfinite(logits).all(axis=1), per_row, 0.0))
    return _trace(probs, per_row, row_grads, weights, keep)


def wanted_probabilities(targets, n_classes: int, *, label_smoothing: float = 0.0) -> np.ndarray:
    """What the probabilities should have been: q = (1 − ε)·onehot + ε/K (Szegedy et al. 2016, §7).

    Shapes: targets (n,) classes 0 … K − 1, returns (n, K), n·K at most 2²². Raises ValueError as `cross_entropy`.

    >>> wanted_probabilities([1], 2, label_smoothing=0.2).tolist()
    [[0.1, 0.9]]
    """
    n_classes = checks.integer("n_classes", n_classes, 1, checks.MAX_NUMBERS)
    smoothing = checks.number("label_smoothing", label_smoothing, 0, 1)
    targets = checks.classes("targets", targets, n_classes)
    checks.within("the table", checks.MAX_NUMBERS, targets=targets.size, n_classes=n_classes)
    return _wanted(targets, n_classes, smoothing)


def mean_squared_error(logits, targets, *, mask=None) -> LossTrace:
    """How far the probabilities lie from the one-hot target, squared, in the mean over the classes.

    per_row = (1/K)·Σ_k (p_k − y_k)², p = softmax(logits); grad = Jᵀ·2(p − y)/K / the number of rows that count, J the
    softmax Jacobian. That J is why a confident mistake hardly moves under this loss (Goodfellow, Bengio & Courville
    2016, §6.2.2). Other texts sum over the classes instead: K times these values.

    Shapes and errors as in `cross_entropy`; per_row from 0 to 2/K, or 1/K for a row of nothing but −∞ (p = 0).

    >>> trace = mean_squared_error([[0, 0]], [0])
    >>> trace.loss, trace.grad.tolist()
    (0.25, [[-0.25, 0.25]])
    """
    logits, targets, keep = _batch(logits, targets, mask)
    probs = softmax(logits)
    error = probs - _wanted(targets, logits.shape[1])  # (n, K)
    grad = softmax_backward(probs, 2 * error / error.shape[1])  # (n, K)
    return _trace(probs, (error**2).mean(axis=1), grad, np.ones(len(targets)), keep)


def costliest_row(trace: LossTrace, mask=None) -> int:
    """The row that costs most of those that count, the first of several.

    Shapes: mask (n,), True = counts. Raises ValueError for a mask that does not fit or leaves no row.

    >>> costliest_row(cross_entropy([[0, 0], [0, 5]], [0, 0]))
    1
    """
    per_row = _per_row(trace)
    return int(np.where(_mask(mask, per_row.size), per_row, -1).argmax())


def rows_at_top(values, mask=None, *, tolerance: float = 1e-9) -> tuple[int, ...]:
    """The rows that count and share the largest value, ties within the tolerance; −values gives those at the bottom.

    Shapes: values (n,), mask (n,), True = counts. Raises ValueError for a mask that does not fit or leaves
    no row, or a negative tolerance.

    >>> rows_at_top([1, 5, 5, 9], [True, True, True, False])
    (1, 2)
    """
    values = checks.array("values", values, ndim=1)
    keep = _mask(mask, values.size)
    with np.errstate(over="ignore"):
        least = values[keep].max() - checks.number("tolerance", tolerance, 0)
    return tuple(np.flatnonzero(keep & (values >= least)).tolist())


def left_out_cells(mask, n_classes: int) -> np.ndarray:
    """The cells of a table of rows and classes that belong to rows left out.

    Shapes: mask (n,), True = counts; returns (n, n_classes) bool. Raises ValueError for a mask that is no vector of
    booleans.

    >>> left_out_cells([True, False], 2).tolist()
    [[False, False], [True, True]]
    """
    mask = checks.boolean("mask", mask)
    checks.shape("mask", mask, (mask.size,), "one per row")
    n_classes = checks.integer("n_classes", n_classes, 1)
    checks.within("the table", checks.MAX_NUMBERS, rows=mask.size, n_classes=n_classes)
    return np.repeat(~mask[:, None], n_classes, axis=1)


def probabilities_from_log_odds(log_odds) -> np.ndarray:
    """The probability behind each log odds: 1 / (1 + e^−z), the logistic function (Cox 1958).

    Shapes: log_odds of any shape, returns the same, in (0, 1). Raises ValueError for NaN or ∞.

    >>> probabilities_from_log_odds([0.0, 2.0]).round(4).tolist()
    [0.5, 0.8808]
    """
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-checks.array("log_odds", log_odds)))


class DenominatorTrace(NamedTuple):
    """One sum of losses, divided rightly and wrongly."""

    total: float  # summed over the rows that count
    rows: int
    counted: int
    divisor: float  # the weights of the rows that count added up: counted, without class weights
    wrong: float  # total / rows: masked rows dilute the mean, and class weights are not divided out again
    out: float  # total / divisor


def denominators(trace: LossTrace, mask=None) -> DenominatorTrace:
    """The mean over the rows that count, beside the mistaken one that divides by every row.

    Shapes: a trace of this room, mask (n,), True = counts. Raises ValueError for a mask that does not fit or counts
    nothing, or anything but a LossTrace.

    >>> trace = mean_squared_error([[0, 0], [0, 0]], [0, 0])
    >>> denominators(trace, [True, False])
    DenominatorTrace(total=0.25, rows=2, counted=1, divisor=1.0, wrong=0.125, out=0.25)
    """
    per_row = _per_row(trace)
    weights = checks.shape("trace.weights", checks.array("trace.weights", trace.weights), per_row.shape, "one per row")
    return _denominators(per_row, weights, _mask(mask, per_row.size))


class RightClassTrace(NamedTuple):
    """Both losses of each row on its own, as functions of what the right class got; gradients by its logit."""

    probability: np.ndarray  # (n,)
    cross_entropy_grad: np.ndarray  # (n,)
    mean_squared_error_grad: np.ndarray  # (n,)
    cross_entropy: np.ndarray  # (n,) nats
    mean_squared_error: np.ndarray  # (n,)


def right_class(logits, targets, *, label_smoothing: float = 0.0) -> RightClassTrace:
    """What each row costs under both losses and how hard it pulls at the logit of its right class, not averaged.

    Shapes: logits (n, K), targets (n,); returns vectors (n,). Without smoothing the cross-entropy gradient is p − 1.
    Raises ValueError as `cross_entropy`.

    >>> point = right_class([[-10, 0]], [0])
    >>> point.cross_entropy_grad.round(5).tolist(), point.mean_squared_error_grad.round(7).tolist()
    ([-0.99995], [-9.08e-05])
    """
    ce = cross_entropy(logits, targets, label_smoothing=label_smoothing)
    mse = mean_squared_error(logits, targets)
    right = np.arange(ce.per_row.size), np.asarray(targets)
    return RightClassTrace(ce.probs[right], ce.row_grads[right], mse.row_grads[right], ce.per_row, mse.per_row)


def right_class_curve(probabilities, n_classes, *, label_smoothing: float = 0.0) -> RightClassTrace:
    """Both losses and gradients along a range of probabilities of the right class, the rest shared equally.

    Shapes: probabilities (m,) in [0, 1], 2 or more classes, m·n_classes at most 2²⁰; returns vectors (m,). The
    cross-entropy is ∞ at 0, and with smoothing at 1 too. Raises ValueError for a probability outside [0, 1] or fewer
    than 2 classes.

    >>> right_class_curve([0.8], 5).cross_entropy.round(4).tolist()
    [0.2231]
    """
    p = checks.probabilities("probabilities", probabilities, ndim=1)
    others = checks.integer("n_classes", n_classes, 2) - 1
    checks.within("the table", MAX_CURVE, probabilities=p.size, n_classes=others + 1)
    shares = np.repeat(((1 - p) / others)[:, None], others + 1, axis=1)  # (m, n_classes)
    shares[:, 0] = p  # the right class first
    with np.errstate(divide="ignore"):
        logits = np.log(shares)
    return right_class(logits, np.zeros(p.size, dtype=int), label_smoothing=label_smoothing)


def _batch(logits, targets, mask) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    logits = checks.array("logits", logits, ndim=2, allow_neg_inf=True)
    n, n_classes = logits.shape
    if n == 0 or n_classes == 0:
        raise ValueError(f"logits need at least one row and one class; got shape {logits.shape}")
    targets = checks.shape("targets", checks.classes("targets", targets, n_classes), (n,), "one per row of logits")
    return logits, targets, _mask(mask, n)


def _mask(mask, n: int) -> np.ndarray:
    if mask is None and n > 0:
        return np.ones(n, dtype=bool)
    keep = np.zeros(0, bool) if mask is None else checks.boolean("mask", mask)
    checks.shape("mask", keep, (n,), "one per row of logits")
    if not keep.any():
        raise ValueError("mask must let at least one row count; got none: the mean over no rows is undefined")
    return keep


def _per_row(trace) -> np.ndarray:
    checks.instance("trace", trace, LossTrace, "a LossTrace, what cross_entropy returns")
    return checks.array("trace.per_row", trace.per_row, ndim=1, allow_inf=True)


def _wanted(targets: np.ndarray, n_classes: int, smoothing: float = 0.0) -> np.ndarray:
    return (1 - smoothing) * (targets[:, None] == np.arange(n_classes)) + smoothing / n_classes  # (n,) -> (n, K)


def _class_weights(value, n_classes: int) -> np.ndarray:
    weights = checks.shape("class_weights", checks.array("class_weights", value), (n_classes,), "one per class")
    if (weights < 0).any():
        raise ValueError(f"class_weights must be at least 0; got {weights.min():g}: 0 leaves a class out")
    return weights


def _trace(probs, per_row: np.ndarray, row_grads: np.ndarray, weights: np.ndarray, keep: np.ndarray) -> LossTrace:
    mean = _denominators(per_row, weights, keep)
    checks.in_range("the gradient", row_grads)
    with np.errstate(over="ignore"):
        grad = np.where(keep[:, None], row_grads, 0.0) / mean.divisor  # (n, K)
    if mean.divisor < 1:
        checks.in_range("the gradient", grad)
    return LossTrace(probs, per_row, row_grads, weights, grad, mean.out)


def _denominators(per_row: np.ndarray, weights: np.ndarray, keep: np.ndarray) -> DenominatorTrace:
    counted = per_row[keep]
    with np.errstate(over="ignore"):
        divisor, total = float(weights[keep].sum()), float(counted.sum())
    if divisor == 0:
        raise ValueError("class_weights must leave a row with a weight above 0; got 0 for every target that counts")
    mean = total / divisor
    if not math.isfinite(mean) and np.isfinite(counted).all():
        raise ValueError("the sum of the losses, and their mean, must stay inside float64: use smaller numbers")
    if not math.isfinite(divisor):
        raise ValueError("class_weights must add up to a number inside float64: use smaller ones")
    return DenominatorTrace(total, per_row.size, counted.size, divisor, total / per_row.size, mean)
