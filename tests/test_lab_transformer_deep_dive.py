"""The deep dive: the document's numbers, steps overwritten, positions, masks."""

import numpy as np
import pytest

SLUG = "transformer_deep_dive"
PARTS = ["Attention", "Heads", "Positions", "Masking", "Practice"]


def open_part(app, part, **values):
    return app(SLUG, {f"{SLUG}.part": part} | {f"{SLUG}.{name}": str(value) for name, value in values.items()})


@pytest.mark.parametrize("part", PARTS)
def test_every_part_opens_and_can_be_taken_away(app, part):
    at = open_part(app, part).unfold("take_away")
    assert not at.exception
    assert not at.error
    assert {"out", "concat", "sine", "masked", "answer"} & at.computed().keys()


def test_the_documents_example(app):
    shown = app(SLUG).matrices
    assert shown["1 Scores"].tolist() == [[0, 2], [1, 0]]
    np.testing.assert_allclose(shown["3 Weights"], [[0.240, 0.760], [0.640, 0.360]], atol=5e-4)
    np.testing.assert_allclose(shown["4 Output"], shown["3 Weights"])


def test_an_overwritten_step_carries_on(app):
    at = open_part(app, "Attention", own_scores="5 5\n0 0", v="3 1\n1 3")
    shown = at.matrices
    assert shown["1 Scores, yours"].tolist() == [[5, 5], [0, 0]]
    assert shown["3 Weights"].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert shown["4 Output"].tolist() == [[2, 2], [2, 2]]
    assert "s_{0,0} =" not in at.words()
    at.set(own_scores="5 5")
    assert "row given" in at.error[0].value
    assert at.matrices["1 Scores, yours"].tolist() == [[5, 5], [0, 0]]


def test_the_first_position_of_the_document(app):
    at = open_part(app, "Positions")
    assert any("0.841" in formula for formula in at.texts("latex"))
    at = open_part(app, "Positions", d_model=8, i=200)
    assert "the last pair is 3: it stands here in place of pair 200" in at.words()


@pytest.mark.parametrize("scores", ["1 2 3", "1\n2\n3", "7", "1 2\n3 4\n5 6"])
def test_any_shape_of_scores_can_be_masked(app, scores):
    at = open_part(app, "Masking", s=scores, token=0)
    assert not at.exception
    shown = at.matrices
    n_q, n_k = shown["Before: all scores"].shape
    assert (shown["After: softmax"] > 0).tolist() == np.tri(n_q, n_k, n_k - n_q, dtype=bool).tolist()
    assert ("nothing is left" in at.words()) == (n_q > n_k)
