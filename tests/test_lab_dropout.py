"""What the dropout lab says at the states its presets and sliders reach."""

import numpy as np
import pytest

from engine.dropout import mask_sums

SLUG = "dropout"
ROW = [1.2, 0.4, 0.9, 2.0, 0.3, 1.5, 0.7, 1.1, 0.2, 1.7]


def test_pytorch_always_scales_the_weights_it_returns(app):
    scaled, unscaled = (app(SLUG, {f"{SLUG}.scaled": on}).words() for on in ("true", "false"))
    assert "returns them after it, always scaled: 0.833" in scaled
    assert "returns them after it, always scaled: 0.833" in unscaled
    assert "× 1.667 (switched off now)" in unscaled
    assert "switched off" not in scaled


def test_nothing_dropped_is_not_called_dropped(app):
    for link in ({f"{SLUG}.p": "0"}, {f"{SLUG}.training": "false"}):
        words = app(SLUG, link).words()
        assert "nothing is dropped: the rows sum to 1.000, 1.000, 1.000" in words
        assert "Dropped weights" not in words
    assert "In evaluation none of the eight masks drops anything" in app(SLUG).click("Evaluation").words()


def test_a_sum_that_cancels_does_not_hide_the_other_scale(app):
    link = {f"{SLUG}.row": "1 -1 1 -1 1 -1 1 -1 1 -1", f"{SLUG}.scaled": "false"}
    words = app(SLUG, link).words()
    assert "only because the activations cancel: each one of them is expected at 0.6 of its size" in words
    assert "as training expects." in app(SLUG).words()
    assert (
        "training expects 6.000, so the next layer meets another scale" in app(SLUG).click("Without the factor").words()
    )


def test_rounding_is_no_sum(app):
    words = app(SLUG, {f"{SLUG}.row": "0.1 0.2 -0.3 0 0 0 0 0 0 0"}).words()
    assert "against 0 up to rounding without dropout" in words


def test_the_wider_band_stands_beside_the_opening_one(app):
    wide, opening = (mask_sums(ROW, p, 10, np.random.default_rng(0)).deviation for p in (0.9, 0.4))
    words = app(SLUG).click("Nine in ten dropped").words()
    assert f"σ = **{wide:.3f}**; at p = 0.4 it is {opening:.3f}" in words


@pytest.mark.parametrize(("p", "coincide"), [("0.5", True), ("0.4", False)])
def test_one_over_p_is_a_slip_except_by_chance(app, p, coincide):
    words = app(SLUG, {f"{SLUG}.p": p}).words()
    assert ("the same at p = 0.5" in words) is coincide
    assert "p is the share kept" in words


def test_a_clicked_activation_is_written_out(app):
    at = app(SLUG, {f"{SLUG}.cell": "7", f"{SLUG}.mask": "2"})
    value = at.charts["masks"].data[0]["z"][2][7]
    (formula,) = [text for text in at.texts("latex") if text.strip("$ \n").startswith("y_{7}")]
    assert float(formula.split()[-2]) == pytest.approx(value or 0, abs=1e-3)


def test_the_axes_of_the_maps_have_names(app):
    drawn = next(chart for chart in app(SLUG).charts.values() if "Attention weights" in chart.text)
    for name in ("query ↓", "key →"):
        assert name in str(drawn.spec)


def test_dropping_whole_sublayers_is_told_apart(app):
    words = app("dropout").click("Everything dropped").words()
    assert "timm's DropPath (Huang et al. 2016) a whole sublayer's output" in words
    assert "1 / (1 − p) has no value" in words


def test_a_question_has_the_answer_worked_out_by_hand(app):
    words = app(SLUG).ask("Without the factor").predict(0.6 * sum(ROW)).press("ask_show").words()
    assert "**Right.**" in words
    assert "6.000 is expected, 10.000 with the factor" in words


def test_a_band_that_only_rounding_keeps_from_0_begins_there(app):
    at = app("dropout", {"dropout.row": "0 1 0 2 0 0 0 1 0 0"})
    assert "lie within ±2σ, from 0.000 to 8.000" in at.words()
