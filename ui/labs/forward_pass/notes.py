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


def beginning(words: Sequence[str], most: int, prompts: Sequence[str]) -> str:
    """The first of the prompts that a model can read, or else its first three words; `most` positions.

    >>> beginning(["a", "b"], 5, ["b a b", "a"]), beginning(["a", "c"], 1, ["b a b"])
    ('b a b', 'a')
    """
    known = [text for text in prompts if set(text.split()) <= set(words) and len(text.split()) <= most]
    return (known or [" ".join(words[: min(3, most)])])[0]


def following(tokens: Sequence[str], sentences: Sequence[str], words: Sequence[str]) -> str:
    """What comes next in the first sentence that begins with the tokens, or else the first word.

    >>> following(["a", "b"], ["b a", "a b c"], ["x", "c"]), following(["a"], ["b a"], ["x", "c"])
    ('c', 'x')
    """
    begun = " ".join(tokens) + " "
    found = [text.removeprefix(begun).split()[0] for text in sentences if text.startswith(begun)]
    return next((word for word in found if word in words), words[0])


def of_loss(word: Words, back: Any, right: int, drawn: bool, most: int) -> list[Said]:
    """What the right next token costs, where gradients are shown; `back` is the engine's trace, or None.

    `drawn` is whether the matrices on screen have at most `most` cells.
    """
    if back is None:
        return []
    now = told(word=word, prob=back.forward.probs[-1, right], loss=back.loss)
    return [
        (
            True,
            f"With “{now.word}” as the right next token the loss L = −log p is {now.loss}, p = {now.prob}: its logit's "
            "gradient is p − 1, every other one's is its own p.",
        ),
        (not drawn, f"A matrix of this step has more than {most:,} cells: its gradients are not drawn."),
    ]


def of_model(own: bool, n_sentences: int = 0) -> str:
    """What the model's favourite is worth: made up, trained on so many sentences, or a visitor's own."""
    if n_sentences:
        return (
            f"The storyteller is trained, on {n_sentences} sentences by `python -m engine.training`: what it favours "
            "is what they say."
        )
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


def libraries_differ(
    tell: Callable[..., str], placement: str, *, final: bool, scale: bool
) -> list[tuple[str, str, str]]:
    """Where libraries build it otherwise: rows of a table; `tell` runs the model with other settings beside."""
    here = tell()
    if placement == "pre":
        norms = f"post, as Vaswani et al. 2017 and BERT: {tell(norm_placement='post', final_norm=False)}"
    else:
        ends = tell(norm_placement="pre", final_norm=True)
        norms = f"pre, as GPT-2 and Llama, with a norm before the head: {ends}"
    if final:
        last = "without, as PyTorch's nn.TransformerEncoder unless it is given one"
    else:
        any_norms = "PyTorch's nn.Transformer, wherever the norms sit"
        last = f"with, as {'GPT-2 (ln_f) and Llama (norm)' if placement == 'pre' else any_norms}"
    root = "off, as T5" if scale else "on, as Vaswani et al. 2017"
    return [
        ("Where the norms sit", f"{placement}: {here}", norms),
        (
            "A norm before the head",
            f"{'with' if final else 'without'}: {here}",
            f"{last}: {tell(final_norm=not final)}",
        ),
        ("Dividing by √d_k", f"{'on' if scale else 'off'}: {here}", f"{root}: {tell(scale=not scale)}"),
    ]
