import os
import subprocess
import sys

import numpy as np
import pytest

from engine.training import (
    PROMPTS,
    SENTENCES,
    backward,
    ending,
    flatten,
    storyteller,
    train_storyteller,
)
from engine.training.story import DECIMALS, STORY, storyteller_file
from engine.transformer import forward
from engine.weights import check_weights, dump_weights, load_weights

ENDINGS = {
    "the cat sat on the": "mat .",
    "the dog chewed the": "bone .",
    "the bird sang in the": "tree .",
    "the fish swam in the": "sea .",
    "the moon shone at": "night .",
}


@pytest.fixture(scope="module")
def trained():
    return train_storyteller()


def test_it_is_small_enough_to_look_at():
    weights = storyteller()
    layer = weights.layers[0]
    assert 20 <= len(weights.vocabulary) <= 30
    assert (len(weights.layers), len(layer.heads), weights.W_E.shape[1]) == (1, 2, 6)
    assert check_weights(weights) is weights
    assert not weights.W_E.flags.writeable
    assert len(dump_weights(weights).encode()) <= 8192
    assert np.array_equal(flatten(load_weights(dump_weights(weights).encode())), flatten(weights))


def test_its_file_is_reproduced_to_the_digit(trained):
    assert storyteller_file(trained.weights) == STORY.read_text("utf-8")
    assert np.array_equal(flatten(trained.weights), flatten(storyteller()))


def test_no_digit_hangs_on_how_a_machine_rounds(trained):
    exact = flatten(trained.run.weights) * 10**DECIMALS
    assert np.abs(exact % 1 - 0.5).min() > 1e-4  # a unit of the last decimal; other machines differ by 1e-10 of one


def test_the_command_on_other_kernels():
    env = os.environ | {"OPENBLAS_CORETYPE": "Nehalem", "OPENBLAS_NUM_THREADS": "1"}
    ran = subprocess.run(
        [sys.executable, "-m", "engine.training"], cwd=STORY.parents[2], env=env, capture_output=True, text=True
    )
    said = ran.stdout.splitlines()
    assert said[0] == "400 steps: loss 3.2468 -> 0.3573 nats, floor 0.3564."
    assert said[1:6] == [f"{prompt} ... {end}" for prompt, end in ENDINGS.items()]
    assert said[6] == "storyteller.toml holds the same digits."


@pytest.mark.parametrize("prompt", PROMPTS)
def test_it_ends_as_a_child_would(prompt):
    assert ending(storyteller(), prompt) == ENDINGS[prompt]
    words = storyteller().vocabulary
    probs = forward(storyteller(), [words.index(word) for word in prompt.split()]).probs[-1]
    assert probs.max() > 0.99


def test_it_knows_every_sentence_it_was_told(trained):
    words = storyteller().vocabulary
    costs = []
    for sentence in SENTENCES:
        ids = [words.index(word) for word in f"{sentence} the".split()]
        costs.append(backward(storyteller(), ids[:-1], ids[1:]).per_token)
    assert np.concatenate(costs).mean() == pytest.approx(trained.run.losses[-1], abs=1e-3)
    assert trained.run.floor < trained.run.losses[-1] < trained.run.floor + 2e-3
    for sentence in SENTENCES:
        words = sentence.split()
        assert ending(storyteller(), " ".join(words[:-2])) == " ".join(words[-2:])


def test_one_head_looks_at_who_and_the_other_at_what_they_do():
    words = storyteller().vocabulary
    maps = forward(storyteller(), [words.index(word) for word in PROMPTS[0].split()]).blocks[0].attention.maps
    assert maps[0, -1, 1] > 0.9  # cat
    assert maps[1, -1, 2] > 0.9  # sat


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("", "prompt must be words with spaces between them; got ''"),
        (3, "prompt must be words with spaces between them; got 3"),
        ("the cow", "prompt must be words of the vocabulary; got 'cow'"),
        ("the " * 7, "prompt must leave one of 7 positions free; got 7 words"),
    ],
)
def test_faults_are_named(prompt, said):
    with pytest.raises(ValueError, match=said):
        ending(storyteller(), prompt)


def test_a_model_without_full_stops_talks_to_the_last_position():
    assert len(ending(load_weights(), "Your journey").split()) == 3
