"""A whole training run of the toy model: every step uses every sentence, and every step is kept."""

from collections import Counter
from itertools import repeat
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.optimizers import Optimizer
from engine.training.passes import backward_pass, forward_pass
from engine.training.settings import Batch, Options, batch_of, checked_options
from engine.training.vector import flatten, parts_of, rebuilt, sizes_of, to_working, working_order
from engine.weights import Weights, check_weights, matrices

MAX_STEPS = 10_000
MAX_SEQUENCES = 1_000
MAX_OPERATIONS = 180_000_000  # as `work_of` counts: about a fifth of a second on one core of a small machine


class TrainingTrace(NamedTuple):
    """Every step of a run: row i is the model after i steps, row 0 the start; S steps were taken."""

    losses: np.ndarray  # (S + 1,) nats, the mean over all predicted tokens
    per_sequence: np.ndarray  # (S + 1, n_sequences) nats, the mean over the tokens of each
    floor: float  # nats, the lowest mean loss of any model that sees only the past
    names: tuple[str, ...]  # of the matrices, as `weights.matrices` has them
    grad_norms: np.ndarray  # (S + 1, n_matrices) the length of each matrix's gradient, frozen ones included
    gradients: np.ndarray  # (S + 1, P) of the loss, in the order of `flatten`
    snapshots: np.ndarray  # (S + 1, P) the model, in the order of `flatten`
    diverged_at: int | None  # the number (from 1) of the step not taken, None where all were
    weights: Weights  # the model after the last step

    def at(self, step: int) -> Weights:
        """The model after so many steps, 0 … S, read-only. Raises ValueError for another step."""
        return check_weights(rebuilt(self.snapshots[self._row(step)], self.weights))

    def gradient_at(self, step: int) -> Weights:
        """The gradient of the loss at the model after so many steps, 0 … S. Raises ValueError for another step."""
        return rebuilt(self.gradients[self._row(step)], self.weights)

    def _row(self, step: int) -> int:
        return checks.integer("step", step, 0, len(self.snapshots) - 1)


class Recording(NamedTuple):
    """What `record` keeps: rows as in `TrainingTrace`, parameters in working order."""

    per_token: np.ndarray  # (S + 1, N)
    gradients: np.ndarray  # (S + 1, P)
    snapshots: np.ndarray  # (S + 1, P)


def train(
    weights: Weights,
    sequences,
    optimizer: Optimizer,
    n_steps: int,
    *,
    trainable=None,
    most_operations: int = MAX_OPERATIONS,
    **forward_options,
) -> TrainingTrace:
    """Train the whole model on a few sequences, full batch: θ moves by the optimizer's step along the mean gradient.

    Of each sequence all tokens but the last are read and all but the first are predicted; loss and gradient are the
    mean over all predicted tokens of all sequences (teacher forcing; Williams & Zipser 1989). The optimizer's memory
    runs over all numbers that may move. A step that would leave float64, or from which the next pass would, is not
    taken: the arrays end at the last good model and diverged_at names the step.
    Shapes: sequences of ids, 2 to positions + 1 each; n_steps 0 … 10,000; trainable: names out of
    `weights.matrices`, None for all; forward_options are those of `transformer.forward`.
    Raises ValueError for no sequences, a sequence of one token, unknown ids and names, nothing that may move, a start
    whose numbers leave float64, and more work (`work_of`) than most_operations: what fits into one move of a slider.

    >>> from engine.optimizers import Adam
    >>> from engine.weights import load_weights
    >>> run = train(load_weights(), [[0, 1, 2, 3, 4]], Adam(lr=0.05), 20)
    >>> run.losses[[0, 20]].round(2).tolist(), run.floor, run.snapshots.shape
    ([2.43, 0.74], 0.0, (21, 174))
    """
    weights = check_weights(weights)
    found = checked_sequences(weights, sequences)
    if not isinstance(optimizer, Optimizer):
        raise ValueError(
            f"optimizer must be one of engine.optimizers, as Adam(lr=0.01); got {type(optimizer).__name__}"
        )
    n_steps = checks.integer("n_steps", n_steps, 0, MAX_STEPS)
    options = checked_options(weights, **forward_options)
    may_move = _may_move(weights, trainable)
    work = work_of(weights, found, n_steps, **forward_options)
    most = checks.integer("most_operations", most_operations, 1, MAX_OPERATIONS)
    if work > most:
        raise ValueError(
            f"a run (steps × tokens × parameters) must stay below {most:,} operations, what one move of a "
            f"slider leaves time for; got {work:,}: take fewer steps, fewer or shorter sequences, or a smaller model"
        )
    return trained(weights, found, repeat(optimizer, n_steps), may_move, options)


def trained(weights: Weights, sequences, optimizers, may_move: np.ndarray, options: Options) -> TrainingTrace:
    """`train` on what is checked already, with an optimizer for each step: a learning rate may change on the way.

    Shapes: optimizers of one kind, their memory handed on; may_move (P,) bool in the order of `flatten`.

    >>> from engine.optimizers import SGD
    >>> from engine.weights import load_weights
    >>> weights, falling = load_weights(), [SGD(lr=0.2), SGD(lr=0.1)]
    >>> trained(weights, [np.array([0, 1])], falling, np.ones(174, bool), checked_options(weights)).losses.round(2)
    array([3.08, 1.95, 1.72])
    """
    optimizers = tuple(optimizers)
    sizes = sizes_of(weights)
    order = working_order(sizes)
    batch = joined(weights, sequences, options)
    start, moving = to_working(flatten(weights), sizes), to_working(may_move, sizes)
    kept = _record(start, sizes, batch, options, optimizers, slice(None) if moving.all() else np.flatnonzero(moving))
    taken = len(kept.snapshots) - 1
    per_token = np.ascontiguousarray(kept.per_token[:, batch.counts])  # (S + 1, tokens)
    lengths = np.array([len(sequence) - 1 for sequence in sequences])
    with np.errstate(over="ignore"):
        per_sequence = np.add.reduceat(per_token, np.cumsum(lengths) - lengths, axis=1) / lengths
        losses = per_token.sum(axis=1) / per_token.shape[1]
    checks.in_range("the losses", losses)
    checks.in_range("the losses", per_sequence)
    gradients, snapshots = kept.gradients[:, order], kept.snapshots[:, order]
    return TrainingTrace(
        losses=losses,
        per_sequence=per_sequence,
        floor=loss_floor(sequences),
        names=tuple(matrices(weights)),
        grad_norms=_lengths(gradients, weights),
        gradients=gradients,
        snapshots=snapshots,
        diverged_at=None if taken == len(optimizers) else taken + 1,
        weights=check_weights(rebuilt(snapshots[-1], weights)),
    )


def joined(weights: Weights, sequences, options: Options) -> Batch:
    """All sequences as one batch: of each all tokens but the last are read, and all but the first are predicted.

    >>> from engine.weights import load_weights
    >>> joined(load_weights(), [np.array([0, 1, 2])], checked_options(load_weights())).ids.tolist()
    [[0, 1]]
    """
    reads, targets = [s[:-1] for s in sequences], [s[1:] for s in sequences]
    counts = [np.ones(len(read), bool) for read in reads]
    return batch_of(reads, targets, counts, len(weights.vocabulary), options.causal)


def loss_floor(sequences) -> float:
    """The lowest mean loss that any model which sees only the past can have on these sequences, in nats.

    Where one beginning goes on in several ways, the best prediction is how often each follows it: the floor is the
    mean of −log(count of the beginning with its next token / count of the beginning), the conditional entropy of the
    next token given all before it (Shannon 1948, §7). Shapes: sequences of hashable tokens.
    Raises ValueError where no sequence has a second token.

    >>> round(loss_floor([[0, 1, 2], [0, 1, 3]]), 4)  # ln 2 on one of two tokens
    0.3466
    """
    places: dict = {}  # a beginning is the place it leads to: (place, token) -> the next place
    begun: Counter = Counter()
    followed: Counter = Counter()
    try:
        for sequence in sequences:
            place = 0
            for i, token in enumerate(sequence):
                if i > 0:
                    begun[place] += 1
                    followed[place, token] += 1
                place = places.setdefault((place, token), len(places) + 1)
    except (TypeError, ValueError):  # not iterable, or nothing that can be hashed
        raise ValueError("sequences must be lists of token ids") from None
    if not followed:
        raise ValueError("sequences must hold one of at least two tokens, one to read and one to predict; got none")
    total = sum(count * float(np.log(begun[place] / count)) for (place, _), count in followed.items())
    return total / sum(begun.values())


def work_of(weights: Weights, sequences, n_steps: int, **forward_options) -> int:
    """What a run costs, counted, so that no clock decides which runs are refused: about a nanosecond each.

    n_steps + 1 passes; each costs for every token a third of the parameters it meets and the numbers it leaves on its
    way (a score of attention 24, a unit of a hidden layer 15, 60 with SiLU and 300 with GELU, …), for every parameter
    55, as it is moved and kept, and for every block 80,000 however small it is.
    Shapes: as `train`. Raises ValueError as `train`.

    >>> from engine.weights import load_weights
    >>> work_of(load_weights(), [[0, 1, 2]], 300)
    43679314
    """
    weights = check_weights(weights)
    lines = checked_sequences(weights, sequences)
    n_steps = checks.integer("n_steps", n_steps, 0, MAX_STEPS)
    n_blocks = len(checked_options(weights, **forward_options).layers)
    s, longest = sizes_of(weights), max(len(line) for line in lines) - 1
    size = sum(part.size for part in matrices(weights).values())
    in_layer = sum(part.size for name, part in matrices(weights).items() if name.startswith("layers[0]."))
    unit = {"gelu": 300, "silu": 60}.get(forward_options.get("activation", ""), 15)
    block = in_layer // 3 + 24 * s.n_heads * longest + 60 * s.d_model + unit * s.d_ff
    token = n_blocks * block + s.vocabulary * s.d_model // 3 + 12 * s.vocabulary
    around = 50_000 + n_blocks * (80_000 + 1_500 * len(lines) * s.n_heads)
    return (n_steps + 1) * (around + 55 * size + len(lines) * longest * token)


def checked_sequences(weights: Weights, sequences) -> tuple[np.ndarray, ...]:
    """Sequences of at least two known ids, as long as the positions allow, or a ValueError that names the fault.

    >>> from engine.weights import load_weights
    >>> checked_sequences(load_weights(), [[3]])
    Traceback (most recent call last):
    ValueError: sequences[0] must hold 2 to 6 tokens, one to read and one to predict at least; got 1
    """
    if not _listed(sequences) or len(sequences) == 0:
        got = "none" if _listed(sequences) else type(sequences).__name__
        raise ValueError(f"sequences must be a list of at least one list of token ids; got {got}")
    if len(sequences) > MAX_SEQUENCES:
        raise ValueError(f"sequences must be at most {MAX_SEQUENCES:,}; got {len(sequences):,}: take fewer")
    longest = len(weights.W_P) + 1
    found = []
    for i, sequence in enumerate(sequences):
        name = f"sequences[{i}]"
        if _listed(sequence) and not 2 <= len(sequence) <= longest:
            raise ValueError(
                f"{name} must hold 2 to {longest} tokens, one to read and one to predict at least; got {len(sequence)}"
            )
        found.append(checks.classes(name, sequence, len(weights.vocabulary)).astype(int))
    return tuple(found)


def _listed(value) -> bool:
    return value.ndim > 0 if isinstance(value, np.ndarray) else isinstance(value, list | tuple)


def _may_move(weights: Weights, trainable) -> np.ndarray:
    """(P,) bool in the order of `flatten`."""
    parts = matrices(weights)
    if trainable is None:
        names = set(parts)
    elif not isinstance(trainable, list | tuple | set | frozenset):
        raise ValueError(
            f"trainable must be a list of names of matrices, or None for all; got {checks.shown(trainable)}"
        )
    else:
        names = {checks.one_of("trainable", name, tuple(parts)) for name in trainable}
    if not names:
        raise ValueError("trainable must name at least one matrix; got none: with all of them frozen nothing can learn")
    return np.concatenate([np.full(part.size, name in names) for name, part in parts.items()])


def _record(start, sizes, batch: Batch, options: Options, optimizers, index) -> Recording:
    """Pass after pass until the optimizers are used up or a number leaves float64."""
    n_steps = len(optimizers)
    theta, grads = start.copy(), np.zeros_like(start)
    model, slopes = parts_of(theta, sizes), parts_of(grads, sizes)
    kept = Recording(*(np.empty((n_steps + 1, width)) for width in (batch.counts.size, theta.size, theta.size)))
    state = optimizers[0].initial_state(theta[index]) if n_steps else None
    good = 0
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            for i in range(n_steps + 1):
                grads.fill(0.0)
                run = forward_pass(model, batch, options)
                backward_pass(model, slopes, batch, options, run)
                kept.per_token[i], kept.gradients[i], kept.snapshots[i] = run.per_token, grads, theta
                good = i + 1
                if i < n_steps:
                    moving = theta[index]
                    state, update = optimizers[i].move(moving, grads[index], state, optimizers[i].lr)
                    theta[index] = moving + update
    except FloatingPointError:
        pass
    kept = Recording(*(part[:good] for part in kept))
    lost = np.flatnonzero(~np.logical_and.reduce([np.isfinite(part).all(axis=1) for part in kept]))
    good = int(lost[0]) if lost.size else good
    if good == 0:
        raise ValueError("the first pass must stay inside float64 (about ±1.8e308): start from smaller numbers")
    return Recording(*(part[:good] for part in kept))


def _lengths(gradients: np.ndarray, weights: Weights) -> np.ndarray:
    """The length of each matrix's gradient, (S + 1, n_matrices), however large or small its numbers."""
    ends = np.cumsum([part.size for part in matrices(weights).values()])
    lengths = []
    for part in np.split(gradients, ends[:-1], axis=1):
        top = np.abs(part).max(axis=1, keepdims=True)
        scaled = part / np.where(top == 0, 1.0, top)
        lengths.append(top[:, 0] * np.sqrt(np.square(scaled).sum(axis=1)))
    return np.column_stack(lengths)
