"""Sentences about a forward pass and the ones beside it, each with its claim."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ui.words import Words, agree, listed, number, told

Said = tuple[Any, str]
NEAR = 1e-12  # probabilities closer than that are one and the same


def passes(forward: Callable, weights: Any, ids: Sequence[int], settings: dict[str, Any]) -> Callable:
    """How to run the model with other settings beside: a trace, or None where its numbers outgrow float64."""

    def run(**other: Any) -> Any:
        try:
            return forward(weights, ids, **settings | other)
        except ValueError:
            return None

    return run


def of_model(own: bool) -> str:
    """What the model's favourite is worth: the repository's weights are made up, a visitor's may be trained."""
    if own:
        return "This visit has a model of its own: what it favours is worth what its training was."
    return (
        "The model is untrained, its weights are made up: what it favours means nothing, how it comes about is what a "
        "trained one does."
    )


def chance(share: float, digits: int = 4) -> str:
    """A probability or a weight; one too small for the digits is said to be that.

    >>> chance(0.4151), chance(2e-12), chance(0.0, 3)
    ('0.4151', 'under 0.0001', '0.000')
    """
    least = 10.0**-digits
    return f"under {least:.{digits}f}" if 0 < share < least / 2 else number(share, digits)


def favourite(words: Sequence[Words], trace: Any, beside: int) -> str:
    """The likeliest next word of a trace, and how likely it finds the word `beside` where that is another one."""
    if trace is None:
        return "no prediction, its numbers outgrow float64"
    probs = trace.probs[-1]
    best = int(probs.argmax())
    also = "" if probs[best] - probs[beside] < NEAR else f", “{words[beside]}” {chance(probs[beside])}"
    return f"“{words[best]}” {chance(probs[best])}{also}"


def of_weights(weights: Any, tokens: Sequence[Words], head: int, speaks: bool) -> list[Said]:
    """What the last token attends to in one head's map; `speaks` is whether that head counts."""
    row = weights[-1]
    most = [int(at) for at in np.flatnonzero(row > row.max() - NEAR)]
    now = told(most=row[most[0]], words=[tokens[at] for at in most], places=most)
    gives = f"In the first layer, head {head} lets the last token give "
    return [
        (len(row) == 1, "One token alone has nothing but itself to attend to: its weight is 1.000 in every head."),
        (
            len(row) > 1 and len(most) == 1,
            f"{gives}its largest weight, {now.most}, to “{now.words}” at position {now.places}.",
        ),
        (len(most) > 1, f"{gives}the same weight, {now.most}, to positions {now.places} ({now.words})."),
        (not speaks, f"Head {head} is silent: its weights are worked out, but its context counts as 0."),
    ]


def of_heads(words: Sequence[Words], trace: Any, together: Any, active: Any) -> list[Said]:
    """Which heads speak, and what all of them together say; `together` is the same pass with none silent."""
    if together is None:
        return []
    best, speak = int(together.probs[-1].argmax()), int(np.sum(active))
    with_all = f"With all heads it is {favourite(words, together, best)}"
    return [
        (
            0 < speak < len(active),
            f"{with_all}; with only {agree(speak, 'head', 'heads')} {listed(np.flatnonzero(active).tolist())}, "
            f"{favourite(words, trace, best)}.",
        ),
        (
            speak == 0,
            f"No head speaks: attention adds 0, and only the residual path carries the words. {with_all}; "
            f"now {favourite(words, trace, best)}.",
        ),
    ]


def of_depth(trace: Any, once: Any) -> list[Said]:
    """How far the logits reach, and how far with the layer run through once."""
    logits, first = trace.logits[-1], (once or trace).logits[-1]
    now = told(low=logits.min(), high=logits.max(), low_1=first.min(), high_1=first.max(), n=len(trace.blocks))
    run = f"The logits of the last token run from {now.low} to {now.high}"
    return [
        (now.n == 1 or once is None, f"{run}."),
        (now.n > 1 and once is not None, f"{run} after {now.n} layers; after one, from {now.low_1} to {now.high_1}."),
    ]


def of_mask(trace: Any, masked: Any, causal: bool, head: int, words: Sequence[Words]) -> list[Said]:
    """What the causal mask keeps from the first row and leaves of the last; `masked` is the same pass with it."""
    if masked is None:
        return []
    free, kept = (one.blocks[0].attention.heads[head].weights for one in (trace, masked))
    best = int(masked.probs[-1].argmax())
    moved = abs(trace.probs[-1] - masked.probs[-1]).max()
    first, alone = (", ".join(chance(share, 3) for share in one[0]) for one in (free, kept))
    opened = not causal and len(free) > 1
    same = "and the last row of the first layer is the same, for the last token sees all others anyway"
    return [
        (
            opened and moved < NEAR,
            f"Without the mask row 0 of head {head} is {first} instead of {alone}, {same}: "
            f"the prediction does not change, {favourite(words, masked, best)} both times.",
        ),
        (
            opened and moved >= NEAR,
            f"Without the mask row 0 of head {head} is {first} instead of {alone}, {same}. Deeper layers read "
            f"what earlier tokens saw: with the mask {favourite(words, masked, best)}, "
            f"without it {favourite(words, trace, best)}.",
        ),
    ]


def of_places(trace: Any, ids: Sequence[int]) -> list[Said]:
    """What tells the places of one and the same word apart."""
    apart = [abs(rows - rows[:1]).max() for rows in (trace.token_embeddings, trace.position_embeddings)]
    now = told(words=apart[0], places=apart[1])
    return [
        (
            len(ids) > 1 and len(set(ids)) == 1,
            f"All {len(ids)} rows of W_E are the same row, {now.words} apart; only the rows of W_P, up to {now.places} "
            "apart, tell the places.",
        )
    ]
