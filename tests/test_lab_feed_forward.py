"""The labs on feed-forward layers and dropout: their presets reach what they promise."""

import base64
import json

import numpy as np
import pytest


def figures(at):
    specs = [json.loads(e.proto.json) for e in at.get("bidi_component") if '"spec"' in e.proto.json]
    return [json.loads(chart["spec"]) for chart in specs]


def press(at, slug, title):
    at.button(key=f"{slug}.try.{title}").click().run()
    return figures(at)


def panel(figure, i):
    z = [t["z"] for t in figure["data"] if t["type"] == "heatmap"][i]
    if isinstance(z, dict):  # a matrix without numbers in its cells
        shape = [int(n) for n in z["shape"].split(",")]
        return np.frombuffer(base64.b64decode(z["bdata"]), z["dtype"]).reshape(shape)
    return np.array(z, dtype=float)


def said(at, words):
    return any(words in m.value for m in at.markdown)


def test_without_an_activation_two_layers_are_one(app):
    at = app("tokens_expanded")
    assert np.abs(panel(figures(at)[1], 3)).max() > 0.5
    layers, collapse, _, errors = press(at, "tokens_expanded", "No activation")
    np.testing.assert_array_equal(panel(layers, 1), panel(layers, 3))
    assert np.abs(panel(collapse, 3)).max() < 1e-12
    assert np.ptp(errors["data"][0]["y"]) < 1e-9
    assert said(at, "as good as nothing")


def test_bias_silences_or_straightens_every_relu(app):
    at = app("tokens_expanded")
    layers, *_ = press(at, "tokens_expanded", "Everything silent")
    assert not panel(layers, 3).any()
    assert said(at, "**100 %** of the hidden units are silent")
    _, collapse, *_ = press(at, "tokens_expanded", "A ReLU that never bends")
    assert np.abs(panel(collapse, 3)).max() < 1e-12
    assert said(at, "no unit is bent")


def test_width_buys_accuracy(app):
    *_, errors = press(app("tokens_expanded"), "tokens_expanded", "Width for two bumps")
    rmse = errors["data"][0]["y"]
    assert (np.diff(rmse) <= 1e-9).all()
    assert rmse[-1] < rmse[0] / 5


def test_the_factor_holds_the_sum_and_its_absence_does_not(app):
    at = app("dropout")
    masks, sums, _ = figures(at)
    assert sum(sums["data"][0]["y"]) == 1000
    x, out = panel(masks, 0)[0], panel(masks, 0)[1:]
    kept = ~np.isnan(out)
    np.testing.assert_allclose(out[kept], np.broadcast_to(x / 0.6, (8, 10))[kept])
    np.testing.assert_allclose(np.nansum(out, axis=1), panel(masks, 1)[1:, 0])
    assert said(at, "as training expects")
    press(at, "dropout", "Without the factor")
    assert said(at, "training expects 6.000, so the next layer")


def test_evaluation_and_the_far_end(app):
    at = app("dropout")
    masks, *_ = press(at, "dropout", "Evaluation")
    np.testing.assert_array_equal(panel(masks, 0), np.tile(panel(masks, 0)[0], (9, 1)))
    masks, *_ = press(at, "dropout", "Everything dropped")
    assert np.isnan(panel(masks, 0)[1:]).all()
    assert not panel(masks, 1)[1:].any()
    assert said(at, "no factor brings the sum back")


@pytest.mark.parametrize("row", [" ".join(["0"] * 10), " ".join(["-1", "1"] * 5), " ".join(["1e-300"] * 10)])
@pytest.mark.parametrize("p", ["0.0", "0.5", "1.0"])
def test_any_row_is_drawn(app, row, p):
    at = app("dropout", {"dropout.row": row, "dropout.p": p})
    assert not at.exception
    assert len(figures(at)) == 3


def test_at_nine_in_ten_a_weight_of_one_is_not_above_one_and_the_band_leaves_the_axis(app):
    at = app("dropout")
    assert not said(at, "band is wider than the axis")
    press(at, "dropout", "Nine in ten dropped")
    assert said(at, "the rows sum to 0.000, 1.000, 0.000.")
    assert said(at, "band is wider than the axis")
