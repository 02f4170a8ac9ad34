"""The storyteller: a second model beside weights.toml, trained here on a few plain sentences.

`python -m engine.training` trains it again; `python -m engine.training --write` also writes storyteller.toml.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.optimizers import AdamW
from engine.training.run import TrainingTrace, trained
from engine.training.settings import checked_options
from engine.training.start import init_weights
from engine.training.vector import flatten, unflatten
from engine.transformer import generate
from engine.weights import Weights, check_weights, dump_weights, load_weights

STORY = Path(__file__).with_name("storyteller.toml")
SENTENCES = (
    "the cat sat on the mat .",
    "the cat slept on the mat .",
    "the cat drank the milk .",
    "the dog sat on the rug .",
    "the dog slept on the rug .",
    "the dog chewed the bone .",
    "the bird sat in the tree .",
    "the bird sang in the tree .",
    "the fish swam in the sea .",
    "the sun shone in the sky .",
    "the moon shone at night .",
)
PROMPTS = (
    "the cat sat on the",
    "the dog chewed the",
    "the bird sang in the",
    "the fish swam in the",
    "the moon shone at",
)
SEED, N_STEPS, LR, WEIGHT_DECAY, DECIMALS = 26, 400, 0.05, 0.01, 2
_HEADER = """\
# The storyteller: a model of the labs that speaks plain sentences, in the layout of weights.toml.
# Written by `python -m engine.training --write` from the sentences in engine/training/story.py; not by hand.

"""


class Storyteller(NamedTuple):
    """The run, and the model it ends with, rounded to two decimals: the numbers of storyteller.toml."""

    run: TrainingTrace
    weights: Weights


@lru_cache(maxsize=1)
def storyteller() -> Weights:
    """The trained model as it comes: 26 words, d_model 6, one layer of two heads; its arrays are read-only.

    >>> storyteller().vocabulary[:5], storyteller().W_E.shape
    (('the', 'cat', 'sat', 'on', 'mat'), (26, 6))
    """
    return load_weights(STORY)


def train_storyteller() -> Storyteller:
    """Train it from its seed: AdamW over all sentences at once, the learning rate falling in a line to 0.

    After each full stop comes "the", so that a story may go on. Each step is small and calm enough that rounding
    differences between machines stay below 10⁻¹¹, far from what could change a second decimal.

    >>> round(float(train_storyteller().run.losses[-1]), 2)
    0.36
    """
    words = tuple(dict.fromkeys(word for sentence in SENTENCES for word in sentence.split()))
    rng = np.random.default_rng(SEED)
    start = init_weights(words, d_model=6, n_heads=2, d_k=3, d_ff=12, n_layers=1, n_positions=7, rng=rng)
    lines = [np.array([words.index(word) for word in f"{sentence} the".split()]) for sentence in SENTENCES]
    optimizers = [AdamW(lr=LR * (1 - step / N_STEPS), weight_decay=WEIGHT_DECAY) for step in range(N_STEPS)]
    run = trained(start, lines, optimizers, np.ones(len(flatten(start)), dtype=bool), checked_options(start))
    rounded = unflatten(np.round(flatten(run.weights), DECIMALS) + 0.0, start)  # + 0.0: no −0
    source = f"trained on {len(SENTENCES)} sentences"
    layers = tuple(
        layer._replace(heads=tuple(head._replace(source=source) for head in layer.heads)) for layer in rounded.layers
    )
    return Storyteller(run, check_weights(rounded._replace(layers=layers)))


def storyteller_file(weights: Weights) -> str:
    """The text of storyteller.toml for a model, as `dump_weights` writes it under a heading of its own.

    >>> storyteller_file(storyteller()).splitlines()[3][:28]
    'vocabulary = ["the", "cat", '
    """
    text = dump_weights(weights)
    return _HEADER + text[text.index("vocabulary = ") :]


def ending(weights: Weights, prompt: str) -> str:
    """How a model goes on with a beginning, the likeliest word each time, up to a full stop or the last position.

    Raises ValueError for no words, an unknown word, and a beginning that leaves no position.

    >>> ending(storyteller(), "the cat sat on the")
    'mat .'
    """
    weights = check_weights(weights)
    if not isinstance(prompt, str) or not prompt.split():
        raise ValueError(f"prompt must be words with spaces between them; got {checks.shown(prompt)}")
    unknown = [word for word in prompt.split() if word not in weights.vocabulary]
    if unknown:
        raise ValueError(f"prompt must be words of the vocabulary; got {unknown[0]!r}")
    ids = [weights.vocabulary.index(word) for word in prompt.split()]
    left = len(weights.W_P) - len(ids)
    if left < 1:
        raise ValueError(f"prompt must leave one of {len(weights.W_P)} positions free; got {len(ids)} words")
    run = generate(weights, ids, left, rng=np.random.default_rng(0), temperature=0)
    words = [weights.vocabulary[token] for token in run.token_ids[len(ids) :]]
    return " ".join(words[: words.index(".") + 1] if "." in words else words)
