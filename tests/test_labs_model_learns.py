from itertools import product

import numpy as np
import pytest

from engine.optimizers import SGD
from engine.training import backward, train
from engine.transformer import PLACEMENTS
from engine.weights import as_rows, load_weights, matrices
from ui.labs.model_learns import chain, corpus, pictures

LINES = [[0, 1, 4, 1, 2], [3, 0, 1]]
WORDS = ["Your", "journey", "starts", "with", "one"]


@pytest.fixture(params=PLACEMENTS)
def passed(request):
    """A placement, the gradient of both sentences and each sentence's own pass."""
    options = {"norm_placement": request.param, "activation": "gelu"}
    run = train(load_weights(), LINES, SGD(lr=0.0), 0, **options)
    step = [backward(load_weights(), line[:-1], line[1:], **options) for line in LINES]
    passes = [chain.Pass(line, back, (len(line) - 1) / 6) for line, back in zip(LINES, step, strict=True)]
    return request.param, matrices(run.gradient_at(0)), passes


def test_the_terms_add_up_to_the_gradient_of_every_cell(passed):
    placement, gradients, passes = passed
    for name, gradient in gradients.items():
        rows = as_rows(gradient)
        for cell in product(range(min(rows.shape[0], 2)), range(min(rows.shape[1], 2))):
            found = chain.factors(name, cell, passes, placement)
            inputs = np.ones(6) if found.inputs is None else found.inputs
            assert (inputs * found.deltas).sum() == pytest.approx(rows[cell], abs=1e-14), (name, cell)
            assert found.position < len(LINES[found.sentence]) - 1


def test_the_way_back_ends_at_what_the_matrix_hands_on(passed):
    placement, gradients, passes = passed
    ends = {"W_LM_head": "logits", "W_E": "embedding", "W_1": "hidden", "W_O": "after attention"}
    ends |= {"W_Q": "query of token 1", "W_K": "key of token 1", "W_V": "value of token 1"}
    for name in gradients:
        way = chain.way_back(name, passes[0], 1, placement)
        assert way.startswith(r"\underbrace{")
        label = ends.get(name.split(".")[-1])
        assert label is None or way.endswith(rf"_{{\text{{{label}}}}}"), (name, way)
    labels = [part.split("}}")[0] for part in chain.way_back("W_E", passes[0], 1, placement).split(r"_{\text{")[1:]]
    norms = [["before norm 2", "after norm 1"], []][placement != "post"]
    assert labels == ["logits", "out of the block", *norms, "after attention", "embedding"]


def test_keys_are_reached_through_a_token_that_looks_at_them(passed):
    _, _, passes = passed
    behind = passes[0].back.blocks[0].attention.heads[1].d_scores[:, 0]
    assert chain.looking("layers[0].heads[1].W_K", passes[0], 0) == np.abs(behind).argmax()
    assert chain.looking("layers[0].heads[1].W_Q", passes[0], 0) == 0


@pytest.mark.parametrize("words", [["a"], ["a", "b"], WORDS, [f"w{i}" for i in range(64)]])
@pytest.mark.parametrize("longest", [2, 3, 13])
def test_the_sentences_it_opens_with_can_be_read(words, longest):
    assert corpus.read(corpus.default(words, longest), words, longest)


def test_forks_know_the_shares():
    lines = [[0, 1], [0, 1], [0, 2]]
    assert corpus.forks(lines, lines[0]) == [(0, pytest.approx(2 / 3), 2)]
    assert corpus.forks(lines[:2], lines[0]) == []


def test_the_gradient_is_drawn_near_one_and_says_the_power():
    figure = pictures.weight_and_gradient(
        np.ones((2, 2)), np.full((2, 2), -2.5e-11), "W_1", None, None, (0, 0)
    ).to_dict()
    assert np.allclose(figure["data"][1]["z"], -0.25)
    assert any("10¹⁰ · ∂L / ∂W_1" in note["text"] for note in figure["layout"]["annotations"])
    flat = pictures.weight_and_gradient(np.ones((1, 1)), np.zeros((1, 1)), "W_1", None, None, (0, 0)).to_dict()
    assert any(">∂L / ∂W_1<" in note["text"] for note in flat["layout"]["annotations"])


def test_the_chosen_gradient_lies_on_top_of_one_line_that_holds_all_others():
    run = train(load_weights(), LINES, SGD(lr=0.1), 30)
    others, chosen, *_ = pictures.norms(run, "W_P", 30, 30).to_dict()["data"]
    assert chosen["name"] == "W_P"
    found = {name: {} for name in others["text"]}
    for name, x, y in zip(others["text"], others["x"], others["y"], strict=True):
        found[name][x] = y
    assert {*found, "W_P"} == set(run.names)
    for name, line in found.items():
        assert line.pop(None, "no gap") is None
        lengths = run.grad_norms[list(line), run.names.index(name)]
        assert np.allclose(list(line.values()), lengths, rtol=1e-4)
