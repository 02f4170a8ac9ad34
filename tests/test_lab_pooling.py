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
    assert "each method gives the same vector with the mask and without it" in at.words()


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
    assert drifting(far).endswith("Furthest off by distance: max and last token; by cosine: max and last token.")
    assert drifting(drift_by_method([[1, 0]], [True])).endswith("Nothing drifts.")
    assert without_direction(drift_by_method([[0, 0], [9, 9]], [True, False])) == ["[CLS]", "mean", "max", "last token"]


def test_both_measures_of_the_furthest_method_are_named(app):
    words = app(SLUG).click("Half noise").words()
    assert "Furthest off by distance: last token; by cosine: last token" in words
    assert "the whole row of the batch" not in words


@pytest.mark.parametrize(("side", "slip"), [("right", [3, 4]), ("left", [1, 2])])
def test_the_last_token_is_the_last_real_one_on_either_side(app, side, slip):
    link = {"rows": "1 2 0 0; 3 4 0 0", "side": side, "method": "last", "n_padding": "1"}
    for dim in (0, 1):
        at = app(SLUG, {f"{SLUG}.{name}": value for name, value in (link | {"dim": str(dim)}).items()})
        assert f"whichever side the padding is on: {[3, 4][dim]:.3f}" in at.words()
        assert f"right only with padding on the right: {slip[dim]:.3f}" in at.words()
        assert at.matrices["With the mask"][3][:2].tolist() == [3, 4]


def test_no_padding_takes_nothing_over(app):
    words = app(SLUG, {f"{SLUG}.n_padding": "0"}).words()
    assert "takes over" not in words
    assert "Changed by" not in words


def test_a_direction_that_hardly_turns_is_not_said_to_turn(app):
    link = {"side": "left", "fill": "noise", "n_padding": "6", "seed": "99"}
    words = app(SLUG, {f"{SLUG}.{name}": value for name, value in link.items()}).words()
    assert "its direction hardly turns" in words


def test_the_left_side_is_compared_with_the_right(app):
    words = app(SLUG).click("Padding on the left").words()
    assert "Changed by the padding on the left: [CLS], mean, max; untouched: last token." in words
    assert "With the padding on the other side the distances are [CLS] 0.000, mean" in words


def test_a_single_row_is_written_out_by_its_place(app):
    at = app(SLUG, {f"{SLUG}.method": "cls", f"{SLUG}.side": "left", f"{SLUG}.dim": "3"})
    masked, unmasked = at.texts("latex")
    assert "h_{2,3} = 2.000" in masked
    assert "h_{0,3} = 9.000" in unmasked
    (masked, _) = app(SLUG, {f"{SLUG}.method": "max"}).texts("latex")
    assert "(-" not in masked.split("max(")[1]


def test_two_rows_of_zeros_shorten_the_mean(app):
    at = app(SLUG).ask("Harmless zeros").predict("shorter").press("ask_show")
    # the sums of the dimensions are 6, −8.5, 3, 8: 13.463 long, over 6 rows and then over 8
    assert "**Right.** Its length goes from 2.244 to 1.683" in at.words()
