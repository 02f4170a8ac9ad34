"""Sentences about a run, each with its claim, and where libraries train in another way."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ui.labs.model_learns.pictures import top
from ui.words import Words, counted, listed, together, told

Said = tuple[Any, str]
NEAR = 0.1  # nats over the floor
KINDS = ("W_E", "W_P", "W_Q", "W_K", "W_V", "W_O", "feed-forward", "norms", "W_LM_head")
_ENDS = {"feed-forward": ("W_1", "b_1", "W_2", "b_2"), "norms": ("gamma", "beta")}


def of_kinds(kinds: Sequence[str], names: Sequence[str]) -> list[str]:
    """The matrices of some kinds by their full names.

    >>> of_kinds(["W_Q", "norms"], ["W_E", "layers[0].heads[0].W_Q", "layers[0].norm_1.beta"])
    ['layers[0].heads[0].W_Q', 'layers[0].norm_1.beta']
    """
    ends = {end for kind in kinds for end in _ENDS.get(kind, (kind,))}
    return [name for name in names if name.rpartition(".")[2] in ends]


def of_loss(run: Any, n_steps: int, step: int, n_words: int, causal: bool) -> list[Said]:
    """Where the loss began, where it is, what bounds it, and a run that was lost."""
    now = told(first=run.losses[0], last=run.losses[step], floor=run.floor, guess=np.log(n_words))
    gap, steps = told(gap=run.losses[step] - run.floor).gap, counted(step, "step", "steps")
    highest, far = float(run.losses.max()), np.flatnonzero(run.losses > run.floor + NEAR)
    rose = int((np.diff(run.losses) > 1e-9).sum())
    largest = int(np.diff(run.losses).argmax()) if len(run.losses) > 1 else 0
    jump = told(before=run.losses[largest], after=run.losses[min(largest + 1, len(run.losses) - 1)])
    below = run.losses[step] < run.floor - 1e-9
    return [
        (
            run.diverged_at,
            f"**The run is lost**: step {run.diverged_at} would leave float64, so it is not taken. Of {n_steps} steps "
            f"{run.diverged_at - 1 if run.diverged_at else 0} were.",
        ),
        (
            step,
            f"After {steps} the loss is **{now.last}** nats, from {now.first}. Guessing every word alike pays "
            f"ln {n_words} = {now.guess}.",
        ),
        (
            not step,
            f"Before the first step the loss is **{now.first}** nats; guessing pays ln {n_words} = {now.guess}.",
        ),
        (
            not below,
            f"No model that sees only the past can have a mean loss under **{now.floor}**, the floor; this one is "
            f"{gap} above it.",
        ),
        (
            below and not causal,
            f"The loss is **below the floor** of {now.floor}, which holds for models that see only the past: without "
            "the mask every token sees the word it is asked for.",
        ),
        (
            rose,
            f"On {rose} of {counted(len(run.losses) - 1, 'step', 'steps')} the loss rose; the largest rise, step "
            f"{largest + 1}, took it from {jump.before} to {jump.after}.",
        ),
        (
            len(far) and far[-1] + 1 < len(run.losses),
            f"From step **{far[-1] + 1 if len(far) else 0}** on it stays within {NEAR} of the floor, or below it.",
        ),
        (highest > top(n_words), f"Its highest is {told(h=highest).h}; the chart ends at {top(n_words):.3g}."),
    ]


def of_forks(forks: Sequence[tuple[int, float, int]], tokens: Sequence[Words], per_token: Any) -> list[Said]:
    """Where one beginning goes on in several ways: the least that token costs, and what it costs now."""
    said = []
    for at, share, ways in forks:
        now = told(begun=" ".join(tokens[: at + 1]), least=-np.log(share), cost=per_token[at])
        said.append(
            (
                True,
                f"“{now.begun}” goes on in {ways} ways, this one {share:.0%} of the time: without seeing ahead the "
                f"best prediction pays **{f'ln {ways} = ' if abs(share * ways - 1) < 1e-9 else ''}{now.least}** here. "
                f"Now it pays {now.cost}.",
            )
        )
    return said[:2]


def of_writing(words: Sequence[Words], line: Sequence[int], written: Sequence[int], probs: Any, causal: bool) -> str:
    """Reading the sentence against writing it: how many words each gets right."""
    n = len(line) - 1
    if np.ptp(probs) < 1e-9:
        return "Every word is as likely as any other at every place: there is nothing to write by."
    read_right = sum(int(probs[at].argmax()) == i for at, i in enumerate(line[1:]))
    right = sum(a == b for a, b in zip(written[1:], line[1:], strict=True))
    now = told(first=words[line[0]], written=" ".join(words[i] for i in written[1:]))
    why = ""
    if not causal and right < read_right:
        why = " Reading, it saw the answers; writing, there is nothing ahead to see."
    return (
        f"Reading the sentence, its likeliest word is right at **{read_right} of {n}** places. Writing from "
        f"“{now.first}”, it goes on “{now.written}”: **{right} of {n}** right.{why}"
    )


def of_gradients(run: Any, step: int, silent: Sequence[int], read: Any) -> list[Said]:
    """Which gradient is longest, and which are exactly 0; `read` is what W_LM_head reads."""
    norms = dict(zip(run.names, run.grad_norms[step], strict=True))
    longest = max(norms, key=lambda name: norms[name])
    zero = [name for name, length in norms.items() if length == 0]
    now = told(longest=longest, length=norms[longest], zero=zero[:4])
    dead = len(zero) == len(norms)
    still = dead and not np.any(read) and not run.at(step).W_LM_head.any()
    by_silence = [name for name in zero if any(f"heads[{h}]" in name for h in silent)]
    return [
        (not dead, f"At step {step} the longest gradient is that of **{now.longest}**: {now.length}."),
        (
            still,
            f"**All {len(norms)} gradients are exactly 0**: what W_LM_head reads is 0, so its gradient, a product with "
            "that, is 0; W_LM_head is 0 itself, so what it hands back is 0. At any learning rate the loss stays.",
        ),
        (dead and not still, f"All {len(norms)} gradients are exactly 0 at this step."),
        (
            by_silence,
            f"A silent head's context counts as 0, so the gradients of its W_Q, W_K and W_V are exactly 0: "
            f"{'head' if len(silent) == 1 else 'heads'} {together(map(str, silent))} "
            f"{'does' if len(silent) == 1 else 'do'} not learn.",
        ),
        (
            zero and not dead and len(zero) > len(by_silence),
            f"Exactly 0 at this step: the gradients of {counted(len(zero), 'matrix', 'matrices')}, {now.zero}"
            f"{' and more' if len(zero) > 4 else ''}.",
        ),
    ]


def of_frozen(moving: Sequence[str], sizes: dict[str, int]) -> list[Said]:
    """How much of the model may move, by the names of the matrices and how many numbers each has."""
    numbers = sum(sizes[name] for name in moving)
    return [
        (not moving, "No matrix may move: nothing can learn, and no step is taken."),
        (
            0 < len(moving) < len(sizes),
            f"Only **{numbers} of {sum(sizes.values())} numbers** may move, those of "
            f"{counted(len(moving), 'matrix', 'matrices')}; the others have gradients that no step follows.",
        ),
    ]


def of_attention(before: Any, after: Any, tokens: Sequence[Words], step: int, active: Any) -> list[Said]:
    """The attention weight of a head that speaks that has changed most since the start of the run."""
    maps = [trace.blocks[-1].attention.maps for trace in (before, after)]
    moved = np.abs(maps[1] - maps[0]) * np.asarray(active)[:, None, None]
    h, q, k = map(int, np.unravel_index(moved.argmax(), moved.shape))
    now = told(query=tokens[q], key=tokens[k], first=maps[0][h][q, k], last=maps[1][h][q, k])
    return [
        (
            step and moved.max() > 1e-3,
            f"What attention has learned: most changed is how much “{now.query}” (position {q}) looks at "
            f"“{now.key}” ({k}) in head {h}, from {now.first} to **{now.last}**.",
        ),
        (step and moved.max() <= 1e-3, "No attention weight of this sentence has changed by more than 0.001."),
    ]


def libraries_differ(run: Any, step: int, weight: float, gradient: float, lr: float, betas: tuple[float, float]):
    """Where libraries train in another way, with both numbers: rows of a table."""
    beta_1, beta_2 = betas
    now = told(tokens=run.losses[step], sentences=run.per_sequence[step].mean(), gradient=gradient, twice=2 * gradient)
    first = told(corrected=lr, plain=lr * (1 - beta_1) / np.sqrt(1 - beta_2))
    decay = told(weight=weight, torch=lr * 0.01 * weight, keras=lr * 0.004 * weight, optax=lr * 1e-4 * weight)
    return [
        (
            "The mean over what",
            f"over all tokens, as PyTorch's cross_entropy on a flattened batch: {now.tokens:4}",
            f"over the sentences' means, as gradients accumulated by transformers' Trainer before 4.46: "
            f"{now.sentences:4}",
        ),
        (
            "A second backward pass",
            f"starts from zero, as JAX's grad: {now.gradient:5}",
            f"PyTorch adds to .grad until zero_grad(): {now.twice:5}",
        ),
        (
            f"Weight decay that nobody set, in one AdamW step of η = {lr:g} on a weight of {decay.weight}",
            "0, the decay is what the dial says: 0.000000",
            f"λ = 0.01 in PyTorch: {decay.torch:6}; 0.004 in Keras: {decay.keras:6}; 0.0001 in optax: {decay.optax:6}",
        ),
        (
            f"Bias correction: the size of Adam's first step, η = {lr:g}, β₁ = {beta_1:g}, β₂ = {beta_2:g}",
            f"with it, as Kingma & Ba 2015 and PyTorch: {first.corrected:4}",
            f"without, as BERT's original optimizer: {first.plain:4}",
        ),
        (
            "Dropout while training",
            "none: the loss is the same in training and after, 0% dropped",
            "GPT-2: of the embeddings' sum, the attention weights and each sublayer's output 10%",
        ),
    ]


def slips(trace: Any, line: Sequence[int], n_words: int, per_token: Any) -> list[tuple[str, str, str]]:
    """Mistakes that are easily made, with both numbers."""
    ids = list(line[:-1])
    with np.errstate(divide="ignore"):
        unshifted = -np.log(trace.probs[np.arange(len(ids)), ids]).mean()
    now = told(shifted=np.mean(per_token), unshifted=unshifted, nats=np.log(n_words), bits=np.log2(n_words))
    return [
        (
            "The targets of this sentence",
            f"the words one place on: loss {now.shifted}",
            f"not shifted: {now.unshifted}",
        ),
        ("What guessing pays", f"in nats, as all losses here: {now.nats}", f"read off in bits: {now.bits}"),
    ]


def of_use(step: int, options: dict[str, Any]) -> str:
    """What to set elsewhere so that the trained model behaves as here."""
    plain = {"causal": True, "norm_placement": "post", "activation": "relu"}
    other = [f"{name.replace('_', ' ')} {options[name]}" for name in plain if options[name] != plain[name]]
    if not np.all(options["active_heads"]):
        other.append(f"heads {listed(np.flatnonzero(options['active_heads']).tolist())} only")
    as_here = f" It was trained with {together(other)}: set the same there." if other else ""
    return f"The model of step {step}, in every lab that runs one.{as_here}"


def of_check(difference: Any, gradient: float, name: str, h: float) -> list[Said]:
    """How well the definition agrees, and where it cannot."""
    size = max(abs(difference.out), abs(gradient))
    error = f"{abs(difference.out - gradient) / size if size else 0:.1e}".replace("-", "−")
    coarse = 1e-16 * abs(difference.above) / h > 1e-3 * size
    return [
        (
            difference.kink,
            f"Moving this cell of {name} by ± h pushes a ReLU across its corner: the two slopes may differ there.",
        ),
        (not size, "The gradient of the outlined cell is exactly 0, and so is its central difference."),
        (
            size and coarse,
            "The two losses of the central difference are so much alike that float64 leaves few digits of what is "
            f"between them: it differs from the gradient by {error} of its size.",
        ),
        (
            size and not coarse and not difference.kink,
            f"The gradient of the outlined cell and its central difference differ by {error} of their size.",
        ),
    ]
