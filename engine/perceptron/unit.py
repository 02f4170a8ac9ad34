"""The perceptron: a weighted sum, a threshold, and a rule that learns a line from its mistakes."""

from typing import NamedTuple

import numpy as np

from engine import checks

_CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))
MAX_LOOKS = 50_000  # at an example: n · max_epochs
DATASETS = {"and": (0, 0, 0, 1), "or": (0, 1, 1, 1), "xor": (0, 1, 1, 0), "two clouds": None}


class Dataset(NamedTuple):
    x: np.ndarray  # (n, 2)
    targets: np.ndarray  # (n,) 0 or 1


class PerceptronStep(NamedTuple):
    """One example looked at: the weights it met, what they said, the weights it left."""

    epoch: int  # from 1
    example: int  # row of x
    weights_before: np.ndarray  # (d,)
    bias_before: float
    weighted_sum: float  # w·x + b
    prediction: int
    target: int
    update: float  # learning_rate·(target − prediction): what the weights gain in multiples of x; 0 = no mistake
    mistakes: int  # in this epoch so far, this example included
    weights: np.ndarray  # (d,) afterwards
    bias: float


class PerceptronTrace(NamedTuple):
    steps: tuple[PerceptronStep, ...]
    epochs: int  # passes made, the clean one included
    converged: bool  # the last pass was clean
    weights: np.ndarray  # (d,)
    bias: float


class PredictionTrace(NamedTuple):
    weighted_sums: np.ndarray  # (n,)
    out: np.ndarray  # (n,) 0 or 1


def dataset(
    name: str, *, rng: np.random.Generator | None = None, n_per_cloud: int = 10, distance: float = 4.0
) -> Dataset:
    """The examples of a named problem: the three gates on the corners of the unit square, or two clouds of points.

    The clouds are normal with standard deviation 1, their centres `distance` apart on the diagonal and equally far from
    the origin; cloud 0 comes first. The gates use no randomness.

    Shapes: x (n, 2), targets (n,). Raises ValueError for an unknown name, and for the clouds without a generator, with
    a number of points outside 1 … 100,000, or with a negative distance.

    >>> dataset("xor").targets.tolist()
    [0, 1, 1, 0]
    """
    gate = DATASETS[checks.one_of("name", name, DATASETS)]
    if gate is not None:
        return Dataset(np.array(_CORNERS, dtype=float), np.array(gate))
    rng = checks.generator("rng", rng)
    targets = np.repeat([0, 1], checks.integer("n_per_cloud", n_per_cloud, 1, 100_000))  # (2·n_per_cloud,)
    shift = checks.number("distance", distance, 0, 1e6) / 8**0.5
    return Dataset(rng.normal(size=(targets.size, 2)) + (2 * targets - 1)[:, None] * shift, targets)


def predict(x, weights, bias: float = 0.0) -> PredictionTrace:
    """What a perceptron says: 1 where w·x + b > 0, else 0 (Rosenblatt 1958); on the line itself it says 0.

    Shapes: x (n, d), weights (d,); returns vectors (n,). Raises ValueError for shapes that do not fit or sums that
    leave float64.

    >>> predict([[0, 0], [1, 1]], [1, 1], -1.5).out.tolist()
    [0, 1]
    """
    x = checks.array("x", x, ndim=2)
    weights = checks.shape("weights", checks.array("weights", weights), (x.shape[1],), "one per column of x")
    with np.errstate(over="ignore", invalid="ignore"):
        sums = x @ weights + checks.number("bias", bias)  # (n, d) @ (d,) -> (n,)
    return PredictionTrace(checks.in_range("w·x + b", sums), (sums > 0).astype(int))


def train_perceptron(
    x, targets, *, learning_rate: float = 1.0, max_epochs: int, weights=None, bias: float = 0.0
) -> PerceptronTrace:
    """Learn a line by correcting after every mistake, until a whole pass over the examples is clean.

    w += learning_rate·(target − prediction)·x, b += learning_rate·(target − prediction): the error-correcting rule of
    Rosenblatt 1962, Principles of Neurodynamics (the machine itself is of 1958). On separable examples the mistakes end
    (Novikoff 1962), if max_epochs is enough; otherwise, as for XOR, they never do: `is_separable`.

    Shapes: x (n, d), targets (n,) of 0 and 1, max_epochs · n at most 50,000, starting weights (d,), zeros when None.
    Raises ValueError for no examples, shapes that do not fit, other targets, learning_rate ≤ 0, max_epochs below 1, or
    sums that leave float64.

    >>> trace = train_perceptron([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], max_epochs=20)
    >>> trace.converged, trace.epochs, trace.weights.tolist(), trace.bias
    (True, 6, [2.0, 1.0], -2.0)
    """
    x = checks.array("x", x, ndim=2)
    if x.size == 0:
        raise ValueError(f"x needs at least one example with at least one number; got shape {x.shape}")
    targets = checks.shape("targets", checks.classes("targets", targets, 2), (x.shape[0],), "one per row of x")
    rate = checks.number("learning_rate", learning_rate, 0, open_low=True)
    max_epochs = checks.integer("max_epochs", max_epochs, 1)
    checks.within("the training", MAX_LOOKS, max_epochs=max_epochs, examples=len(x))
    bias = checks.number("bias", bias)
    weights = np.zeros(x.shape[1]) if weights is None else checks.array("weights", weights).copy()
    steps: list[PerceptronStep] = []
    for epoch in range(1, max_epochs + 1):
        mistakes = 0
        for example, (row, target) in enumerate(zip(x, targets.tolist(), strict=True)):
            step = _look_at(row, target, weights, bias, rate, (epoch, example, mistakes))
            steps.append(step)
            weights, bias, mistakes = step.weights, step.bias, step.mistakes
        if mistakes == 0:
            break
    return PerceptronTrace(tuple(steps), epoch, mistakes == 0, weights, bias)


def mistakes_per_epoch(trace: PerceptronTrace) -> tuple[int, ...]:
    """How many examples each pass got wrong; 0 only in the clean pass that ends the training.

    Shapes: one count per epoch. Raises ValueError for anything but a PerceptronTrace.

    >>> mistakes_per_epoch(train_perceptron([[0.0], [1.0]], [0, 1], max_epochs=9))
    (1, 1, 0)
    """
    _checked_trace(trace)
    last = len(trace.steps) // trace.epochs
    return tuple(step.mistakes for step in trace.steps[last - 1 :: last])


def epoch_ends(trace: PerceptronTrace) -> np.ndarray:
    """After how many looks each epoch ends: n, 2·n, … with n examples.

    Shapes: returns (epochs,) whole numbers. Raises ValueError for anything but a PerceptronTrace.

    >>> epoch_ends(train_perceptron([[0.0], [1.0]], [0, 1], max_epochs=9)).tolist()
    [2, 4, 6]
    """
    _checked_trace(trace)
    return len(trace.steps) // trace.epochs * np.arange(1, trace.epochs + 1)


def first_repeat(trace: PerceptronTrace) -> tuple[int, int] | None:
    """The first two epochs that leave the very same weights without a clean pass: from there training goes in a circle.

    The examples come in the same order each time, so equal weights mean equal steps for ever. That the weights stay
    bounded, and so must come back on whole numbers, is the cycling theorem (Minsky & Papert 1969). Epoch 0 is the
    start. None if no epoch shown repeats an earlier one, or training ended.
    Raises ValueError for anything but a PerceptronTrace.

    >>> first_repeat(train_perceptron([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], max_epochs=9))
    (2, 3)
    """
    _checked_trace(trace)
    if trace.converged:
        return None
    last = len(trace.steps) // trace.epochs
    ends = [(trace.steps[0].weights_before, trace.steps[0].bias_before)]
    ends += [(step.weights, step.bias) for step in trace.steps[last - 1 :: last]]
    seen: dict[tuple[float, ...], int] = {}
    for epoch, (weights, bias) in enumerate(ends):
        earlier = seen.setdefault((*weights.tolist(), bias), epoch)
        if earlier < epoch:
            return earlier, epoch
    return None


def _checked_trace(trace) -> None:
    checks.instance("trace", trace, PerceptronTrace, "a PerceptronTrace, what train_perceptron returns")
    steps = trace.steps
    if not isinstance(steps, tuple) or not steps or not all(isinstance(step, PerceptronStep) for step in steps):
        raise ValueError(f"trace.steps must be the PerceptronSteps of a training; got {checks.shown(steps)}")
    checks.integer("trace.epochs", trace.epochs, 1, len(steps))
    checks.flag("trace.converged", trace.converged)


def _look_at(row, target: int, weights, bias, rate: float, place: tuple[int, int, int]) -> PerceptronStep:
    """One example: predict, and correct if wrong. `place` = epoch, example, mistakes so far."""
    seen = predict(row[None], weights, bias)  # (d,) -> (1, d)
    prediction = int(seen.out[0])
    update = rate * (target - prediction)
    with np.errstate(over="ignore"):
        new_weights = checks.in_range("the corrected weights", weights + update * row)
        new_bias = float(checks.in_range("the corrected bias", np.array([bias + update]))[0])
    epoch, example, mistakes = place
    return PerceptronStep(
        epoch=epoch,
        example=example,
        weights_before=weights,
        bias_before=float(bias),
        weighted_sum=float(seen.weighted_sums[0]),
        prediction=prediction,
        target=target,
        update=update,
        mistakes=mistakes + (prediction != target),
        weights=new_weights,
        bias=new_bias,
    )
