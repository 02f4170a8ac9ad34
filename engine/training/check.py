"""The gradient of the toy model held against the definition of a derivative: move a parameter, look at the loss."""

from typing import NamedTuple

import numpy as np

from engine import checks
from engine.training.gradient import backward, one_sequence
from engine.training.passes import forward_pass
from engine.training.run import checked_sequences, joined
from engine.training.settings import checked_options
from engine.training.vector import flatten, parts_of, rebuilt, sizes_of, to_working, working_order
from engine.weights import Weights, check_weights, matrices, replace_matrix

_LEAST = 1e-6  # gradients smaller than this count as this large: rounding moves a difference by 1e-11 and more
MAX_CHECKED = 4_000  # parameters × blocks: two forward passes for each parameter


class GradientCheck(NamedTuple):
    """Each field has the words and shapes of the model."""

    analytic: Weights
    numeric: Weights
    relative_error: Weights
    kink: Weights  # booleans

    @property
    def kinks(self) -> tuple[str, ...]:
        """The cells on a kink by name and place, counted from 0, as in "layers[0].W_1[2, 3]"."""
        found = ((name, cell) for name, part in matrices(self.kink).items() for cell in np.argwhere(part).tolist())
        return tuple(f"{name}{cell}" for name, cell in found)

    @property
    def worst(self) -> float:
        """The largest relative error of a cell on no kink, 0 where every one is on a kink."""
        kinks, errors = matrices(self.kink).values(), matrices(self.relative_error).values()
        return max(float(np.where(kink, 0.0, error).max()) for kink, error in zip(kinks, errors, strict=True))


def gradient_check(
    weights: Weights, token_ids, targets, *, mask=None, h: float = 1e-5, **forward_options
) -> GradientCheck:
    """Hold every gradient of `backward` against a central difference: move one parameter by ± h, look at the loss.

    numeric = (L(θ + h) − L(θ − h)) / 2h; relative error = |analytic − numeric| / max(|analytic|, |numeric|, 10⁻⁶). A
    cell is a kink when its ± h moves some ReLU input of any block across 0: the loss has no single slope there.
    Shapes: as `backward`; a GradientCheck whose fields have the shapes of the model.
    Raises ValueError as `backward`, for h outside [1e-100, 1], and where parameters × blocks pass 4,000.

    >>> from engine.weights import load_weights
    >>> checked = gradient_check(load_weights(), [0, 1], [1, 2])
    >>> checked.kinks, checked.worst < 1e-5
    ((), True)
    """
    weights = check_weights(weights)
    h = checks.number("h", h, 1e-100, 1)
    options = checked_options(weights, **forward_options)
    sizes, flat = sizes_of(weights), flatten(weights)
    blocks = max(1, len(options.layers))
    if len(flat) * blocks > MAX_CHECKED:
        raise ValueError(
            f"parameters × blocks must be at most {MAX_CHECKED:,} for a check of every gradient; "
            f"got {len(flat):,} × {blocks}: check a smaller model or fewer layers"
        )
    analytic = backward(weights, token_ids, targets, mask=mask, **forward_options).grads
    batch = one_sequence(weights, token_ids, targets, mask, options.causal)
    theta = to_working(flat, sizes)
    model = parts_of(theta, sizes)
    losses, kink = np.empty((2, len(flat))), np.zeros(len(flat), dtype=bool)
    with np.errstate(over="ignore", invalid="ignore"):
        for i, place in enumerate(working_order(sizes)):
            own, signs = theta[place], []
            for side, moved in enumerate((own + h, own - h)):
                theta[place] = moved
                run = forward_pass(model, batch, options)
                losses[side, i] = run.per_token[batch.counts].mean()
                signs.append([np.sign(block.hidden) for block in run.blocks])
            theta[place] = own
            kink[i] = options.cornered and any((a * b < 0).any() for a, b in zip(*signs, strict=True))
        numeric = checks.in_range("the central difference", (losses[0] - losses[1]) / (2 * h))
    exact = flatten(analytic)
    error = np.abs(exact - numeric) / np.maximum(np.maximum(np.abs(exact), np.abs(numeric)), _LEAST)
    return GradientCheck(analytic, *(rebuilt(field, weights) for field in (numeric, error, kink)))


class Difference(NamedTuple):
    """The loss a little below and a little above one parameter, and the slope between."""

    below: float
    above: float
    kink: bool  # some ReLU input changes its sign between the two
    out: float


def central_difference(weights: Weights, sequences, name: str, cell, *, h: float = 1e-5, **forward_options):
    """The slope of the loss of `train` by the definition, for one cell of one matrix.

    (L(θ + h) − L(θ − h)) / 2h. Shapes: sequences as `train`; name out of `weights.matrices`, cell (row, column), or
    (index,) for a vector; a Difference. Raises ValueError as `train`, for a cell outside the matrix, h outside
    [1e-100, 1] and a loss beyond float64.

    >>> from engine.weights import load_weights
    >>> found = central_difference(load_weights(), [[0, 1, 2]], "W_LM_head", (0, 1))
    >>> round(found.out, 6), found.kink
    (-0.710733, False)
    """
    weights = check_weights(weights)
    h = checks.number("h", h, 1e-100, 1)
    found = checked_sequences(weights, sequences)
    options = checked_options(weights, **forward_options)
    batch, sizes = joined(weights, found, options), sizes_of(weights)
    part = matrices(weights)[checks.one_of("name", name, tuple(matrices(weights)))]
    cell = checks.items("cell", cell, "whole numbers", most=part.ndim)
    if len(cell) != part.ndim:
        raise ValueError(f"cell must say where in {name}, of shape {part.shape}; got {len(cell)} numbers")
    place = tuple(checks.classes("cell", [at], size).item() for at, size in zip(cell, part.shape, strict=True))
    losses, signs = [], []
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for side in (-h, h):
            moved = part.copy()
            moved[place] += side
            theta = to_working(flatten(replace_matrix(weights, name, moved)), sizes)
            run = forward_pass(parts_of(theta, sizes), batch, options)
            losses.append(float(run.per_token[batch.counts].mean()))
            signs.append([np.sign(block.hidden) for block in run.blocks])
        slope = float(checks.in_range("the central difference", np.array((losses[1] - losses[0]) / (2 * h))))
    kink = options.cornered and any(bool((a * b < 0).any()) for a, b in zip(*signs, strict=True))
    return Difference(losses[0], losses[1], kink, slope)
