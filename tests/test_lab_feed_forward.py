"""The labs on feed-forward layers and dropout: their presets reach what they promise."""

import numpy as np
import pytest


def test_without_an_activation_two_layers_are_one(app):
    at = app("tokens_expanded")
    assert np.abs(at.charts["collapse"].heatmaps[3]).max() > 0.5
    shown = at.click("No activation").charts
    np.testing.assert_array_equal(shown["layers"].heatmaps[1], shown["layers"].heatmaps[3])
    assert np.abs(shown["collapse"].heatmaps[3]).max() < 1e-12
    assert np.ptp(shown["errors"].data[0]["y"]) < 1e-9
    assert "0 up to rounding" in at.words()


def test_bias_silences_or_straightens_every_relu(app):
    at = app("tokens_expanded")
    assert not at.click("Everything silent").charts["layers"].heatmaps[3].any()
    assert "every unit is silent" in at.words()
    assert np.abs(at.click("A ReLU that never bends").charts["collapse"].heatmaps[3]).max() < 1e-12
    assert "every h lies where the activation is straight" in at.words()


def test_width_buys_accuracy(app):
    rmse = app("tokens_expanded").click("Width for two bumps").charts["errors"].data[0]["y"]
    assert (np.diff(rmse) <= 1e-9).all()
    assert rmse[-1] < rmse[0] / 5


def test_the_factor_holds_the_sum_and_its_absence_does_not(app):
    at = app("dropout")
    masks, totals = at.charts["masks"].heatmaps[:2]
    assert sum(at.charts["sums"].data[0]["y"]) == 1000
    x, out = masks[0], masks[1:]
    kept = ~np.isnan(out)
    np.testing.assert_allclose(out[kept], np.broadcast_to(x / 0.6, (8, 10))[kept])
    np.testing.assert_allclose(np.nansum(out, axis=1), totals[1:, 0])
    assert "as training expects" in at.words()
    assert "training expects 6.000, so the next layer" in at.click("Without the factor").words()


def test_evaluation_and_the_far_end(app):
    at = app("dropout")
    masks = at.click("Evaluation").charts["masks"].heatmaps[0]
    np.testing.assert_array_equal(masks, np.tile(masks[0], (9, 1)))
    masks, totals = at.click("Everything dropped").charts["masks"].heatmaps[:2]
    assert np.isnan(masks[1:]).all()
    assert not totals[1:].any()
    assert "no factor brings the sum back" in at.words()


@pytest.mark.parametrize("row", [" ".join(["0"] * 10), " ".join(["-1", "1"] * 5), " ".join(["1e-300"] * 10)])
@pytest.mark.parametrize("p", ["0.0", "0.5", "1.0"])
def test_any_row_is_drawn(app, row, p):
    at = app("dropout", {"dropout.row": row, "dropout.p": p})
    assert not at.exception
    assert len(at.charts) == 3


def test_at_nine_in_ten_a_weight_of_one_is_not_above_one_and_the_band_leaves_the_axis(app):
    at = app("dropout")
    assert "band is wider than the axis" not in at.words()
    assert "the rows sum to 0.000, 1.000, 0.000." in at.click("Nine in ten dropped").words()
    assert "band is wider than the axis" in at.words()
