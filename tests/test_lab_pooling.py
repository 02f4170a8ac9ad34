"""What padding does to each method, and what is left when every row is masked."""

import pytest

from engine.pooling import drift_by_method
from ui.labs.pooling import drifting, without_direction

SLUG = "pooling"


def test_zeros_shorten_the_mean_and_lift_the_maximum(app):
    at = app(SLUG, {f"{SLUG}.fill": "zeros"})
    _, masked, unmasked = (trace["z"] for trace in at.charts["pooled"].data)
    assert unmasked[1] == pytest.approx([v * 6 / 8 for v in masked[1]])
    assert (masked[2][1], unmasked[2][1]) == (-0.5, 0)
    assert "its direction stays" in at.words()


def test_padding_in_front_takes_the_place_of_cls(app):
    right, left = (app(SLUG, {f"{SLUG}.side": side}).charts["pooled"].data for side in ("right", "left"))
    assert right[2]["z"][0] == right[1]["z"][0]
    assert left[2]["z"][0] == [9, 9, 9, 9]
    assert left[1]["z"][0] == right[1]["z"][0]  # with the mask [CLS] is the first real token


def test_no_padding_no_drift(app):
    at = app(SLUG, {f"{SLUG}.n_padding": "0"})
    _, masked, unmasked = (trace["z"] for trace in at.charts["pooled"].data)
    assert masked == unmasked
    assert "all three methods agree" in at.words()


def test_nothing_to_pool_is_said_and_the_rest_lives_on(app):
    at = app(SLUG, {f"{SLUG}.nothing": "true", f"{SLUG}.rows": "0 0 0 0"})
    assert "real token to pool" in at.info[0].value
    assert len(at.charts["pooled"].data) == 2
    assert "no vector at all" in at.words()
    assert not at.exception


def test_zero_vectors_in_words(app):
    at = app(SLUG, {f"{SLUG}.rows": "0 0 0 0", f"{SLUG}.fill": "zeros"})
    assert not at.exception
    assert "mean: one of the two vectors is zero" in at.words()


def test_the_furthest_method_is_named():
    far = drift_by_method([[1, 0], [3, 0], [9, 9]], [True, True, False])
    assert drifting(far).startswith("Without the mask [CLS] lands **0.000** away, cosine 1.000; mean lands")
    assert drifting(far).endswith("Furthest off: max.")
    assert drifting(drift_by_method([[1, 0]], [True])).endswith("Nothing drifts.")
    assert without_direction(drift_by_method([[0, 0], [9, 9]], [True, False])) == ["[CLS]", "mean", "max"]
