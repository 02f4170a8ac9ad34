"""What batch norm remembers of past batches, and how it normalises with that after training."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.normalization.norms import NormTrace, Spread, finish, rows_of, spread, trace_of


class RunningStatistics(NamedTuple):
    """What batch norm remembers of past batches, (1, d) each."""

    mean: np.ndarray
    variance: np.ndarray


def running_statistics(
    x, previous: RunningStatistics | None = None, *, momentum: float = 0.1, library: str = "pytorch"
) -> RunningStatistics:
    """Batch norm's memory after one more batch: new = (1 − m)·old + m·batch, the variance with n − 1.

    That is PyTorch's BatchNorm, which normalises with n but remembers n − 1. In "keras" momentum is the share that
    stays, new = m·old + (1 − m)·batch, so its 0.99 is 0.01 here, and the variance is remembered with n.
    Shapes: x (n, d) with n ≥ 2; mean and variance (1, d), starting at 0 and 1 where `previous` is None. Raises
    ValueError for a batch of one, a momentum outside [0, 1], another library, or statistics of another width.

    >>> running_statistics([[1], [2], [3], [4]]).variance.round(5).tolist()
    [[1.06667]]
    >>> running_statistics([[1], [2], [3], [4]], momentum=0.99, library="keras").mean.round(5).tolist()
    [[0.025]]
    """
    x = rows_of(x, ndim=2)
    n, d = x.shape
    if n < 2:
        raise ValueError(f"x needs at least two rows for a variance with n − 1; got {n}: add a row")
    m = checks.number("momentum", momentum, 0, 1)
    keras = checks.one_of("library", library, ("pytorch", "keras")) == "keras"
    fresh, kept = (1 - m, m) if keras else (m, 1 - m)
    old = _remembered(previous if previous is not None else (np.zeros((1, d)), np.ones((1, d))), d)
    batch = spread(x, 0)
    with np.errstate(over="ignore", invalid="ignore"):
        variance = batch.variance if keras else batch.variance * (n / (n - 1))
        new = kept * old.mean + fresh * batch.mean, kept * old.variance + fresh * variance
    return RunningStatistics(*(checks.in_range("the running statistics", value) for value in new))


def batch_norm_inference(x, running: RunningStatistics, gamma=None, beta=None, *, eps: float = 1e-5) -> NormTrace:
    """Batch norm after training: each column normalised with the remembered mean and variance, not with its own.

    Shapes and errors as in `batch_norm`; running from `running_statistics`. One row is enough.

    >>> batch_norm_inference([[1.0]], RunningStatistics([[0.25]], [[1.06667]])).out.round(4).tolist()
    [[0.7262]]
    """
    x = rows_of(x, ndim=2)
    memory = _remembered(running, x.shape[1])
    with np.errstate(over="ignore"):
        centred = checks.in_range("x − running mean", x - memory.mean)
    return trace_of(
        finish(
            Spread(memory.mean.copy(), memory.variance.copy(), np.sqrt(memory.variance), centred, np.zeros((), int)),
            gamma,
            beta,
            eps,
            0,
        )
    )


def _remembered(value, d: int) -> RunningStatistics:
    if not isinstance(value, tuple) or len(value) != 2:
        raise ValueError(f"running must be RunningStatistics(mean, variance); got {type(value).__name__}")
    mean, variance = (
        checks.shape(name, checks.array(name, part), (1, d), "one per column of x")
        for name, part in zip(("running mean", "running variance"), value, strict=True)
    )
    if (variance < 0).any():
        raise ValueError(
            f"running variance must be at least 0; got {variance.min():g}: a variance is a mean of squares"
        )
    return RunningStatistics(mean, variance)
