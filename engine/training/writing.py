"""What a model writes, on the quick passes of training."""

import numpy as np

from engine import checks
from engine.training.passes import forward_pass
from engine.training.settings import batch_of, checked_options
from engine.training.vector import flatten, parts_of, sizes_of, to_working
from engine.weights import Weights, check_weights


def write_on(weights: Weights, token_ids, n_tokens: int, **forward_options) -> tuple[int, ...]:
    """A beginning and the n_tokens words that a model goes on with, the likeliest each time; of equals, the first.

    `transformer.generate` at temperature 0 without its traces, and one word further: the last need not be read.
    Shapes: token_ids (n,), n + n_tokens ≤ positions + 1; forward_options are those of `transformer.forward`.
    Raises ValueError for no or unknown tokens, where the words would run past that, and beyond float64.

    >>> from engine.weights import load_weights
    >>> write_on(load_weights(), [0], 3)
    (0, 0, 1, 1)
    """
    weights = check_weights(weights)
    ids = checks.classes("token_ids", token_ids, len(weights.vocabulary)).tolist()
    checks.integer("the number of token_ids", len(ids), 1, len(weights.W_P))
    n_tokens = checks.integer("n_tokens", n_tokens, 0, len(weights.W_P) + 1 - len(ids))
    options, sizes = checked_options(weights, **forward_options), sizes_of(weights)
    model = parts_of(to_working(flatten(weights), sizes), sizes)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for _ in range(n_tokens):
            batch = batch_of([ids], [ids], [[True] * len(ids)], len(weights.vocabulary), options.causal)
            logits = checks.in_range("the logits", forward_pass(model, batch, options).logits[0, -1])
            ids = [*ids, int(logits.argmax())]
    return tuple(ids)
