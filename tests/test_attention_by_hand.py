import numpy as np
import pytest

from engine.attention import attention_by_hand, scaled_dot_product

DOCUMENT = ([[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]])


def test_nothing_overwritten_is_attention(rng):
    q, k, v = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    for here, there in zip(attention_by_hand(q, k, v), scaled_dot_product(q, k, v), strict=True):
        np.testing.assert_array_equal(here, there)


def test_the_documents_example():
    trace = attention_by_hand(*DOCUMENT)
    assert trace.scores.tolist() == [[0, 2], [1, 0]]
    assert trace.scaled.round(3).tolist() == [[0, 1.155], [0.577, 0]]
    assert trace.weights.round(3).tolist() == trace.out.round(3).tolist() == [[0.24, 0.76], [0.64, 0.36]]


def test_each_step_goes_on_from_what_is_given():
    own = [[3.0, -3.0], [0.5, 0.5]]
    plain = attention_by_hand(*DOCUMENT)
    by_scores = attention_by_hand(*DOCUMENT, scores=own)
    np.testing.assert_allclose(by_scores.scaled, np.array(own) / np.sqrt(3), rtol=1e-15)
    by_scaled = attention_by_hand(*DOCUMENT, scaled=own)
    assert by_scaled.scores.tolist() == plain.scores.tolist()
    np.testing.assert_allclose(by_scaled.weights[0], [1 / (1 + np.exp(-6)), 1 / (1 + np.exp(6))], rtol=1e-12)
    assert by_scaled.weights[1].tolist() == [0.5, 0.5]
    by_weights = attention_by_hand(*DOCUMENT, weights=own)
    assert by_weights.scaled.tolist() == plain.scaled.tolist()
    assert by_weights.out.tolist() == own  # the values are the identity


def test_the_last_step_given_wins():
    trace = attention_by_hand(*DOCUMENT, scores=[[9, 9], [9, 9]], weights=[[1, 0], [0, 1]])
    assert trace.scores.tolist() == [[9, 9], [9, 9]]
    assert trace.out.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("step", ["scores", "scaled", "weights"])
@pytest.mark.parametrize(
    ("bad", "sentence"),
    [([[1, 2, 3]], "shape"), ([[np.nan, 0], [0, 0]], "finite|NaN"), ([1, 2], "dimension|axes|shape")],
)
def test_a_step_that_does_not_fit_is_refused(step, bad, sentence):
    with pytest.raises(ValueError, match=sentence):
        attention_by_hand(*DOCUMENT, **{step: bad})


def test_numbers_beyond_float64_are_refused():
    with pytest.raises(ValueError, match="out"):
        attention_by_hand([[1.0]], [[1.0]], [[1e300]], weights=[[1e300]])
