"""The layer normalisation and rows normalised labs: their presets reach what they promise."""

import json

import numpy as np
import pytest


def figures(at):
    specs = [json.loads(e.proto.json) for e in at.get("bidi_component") if '"spec"' in e.proto.json]
    return [json.loads(chart["spec"]) for chart in specs]


def press(at, title):
    at.button(key=f"{at.title[0].value.lower().replace(' ', '_')}.try.{title}").click().run()
    return figures(at)


def stages(figure):
    return [trace["x"] for trace in figure["data"] if "markers" in trace["mode"]]


def panel(figure, i):
    return np.array([t["z"] for t in figure["data"] if t["type"] == "heatmap"][i], dtype=float)


def test_restoring_parameters_bring_the_row_back(app):
    at = app("layer_normalisation")
    row, _, normalised, out = stages(figures(at)[0])
    assert np.mean(normalised) == pytest.approx(0, abs=1e-12)
    assert np.var(normalised) == pytest.approx(1, abs=1e-5)
    assert max(np.abs(np.subtract(out, row))) > 1
    row, _, _, out = stages(press(at, "Undo it")[0])
    np.testing.assert_allclose(out, row, rtol=0, atol=1e-12)


def test_a_constant_row_leaves_beta_and_without_eps_a_sentence(app):
    at = app("layer_normalisation")
    row, centred, normalised, out = stages(press(at, "A constant row")[0])
    assert (row, centred, normalised) == ([4.0] * 6, [0.0] * 6, [0.0] * 6)
    assert out == [0.0, 0.0, 2.0, 0.0, -2.0, 2.0]
    assert any("the result is β alone" in m.value for m in at.markdown)
    at.select_slider(key="layer_normalisation.eps").set_value("0").run()
    assert "eps must be above 0" in at.error[0].value.replace("\\", "")
    assert not at.exception


@pytest.mark.parametrize("eps", ["0", "1e-8", "1"])
@pytest.mark.parametrize("row", ["1e-17 0 0 0 0 0", "1e-200 0 0 0 0 0", "100 100 100 100 100 -100", "0 0 0 0 0 0"])
def test_any_row_is_drawn_or_explained(app, row, eps):
    at = app("layer_normalisation", {"layer_normalisation.row": row, "layer_normalisation.eps": eps})
    assert not at.exception
    assert figures(at) or at.error


def test_layer_norm_evens_rows_and_batch_norm_columns(app):
    figure = figures(app("rows_normalised"))[0]
    layer, batch = panel(figure, 1), panel(figure, 2)
    np.testing.assert_allclose(layer[:4, 8], 0, atol=1e-12)
    np.testing.assert_allclose(layer[[0, 1, 3], 9], 1, atol=1e-4)
    assert layer[2, 9] == pytest.approx(0.917, abs=1e-3)
    assert np.ptp(layer[5, :8]) > 0.5
    np.testing.assert_allclose(batch[4, :8], 0, atol=1e-12)
    np.testing.assert_allclose(batch[5, :8], 1, atol=1e-4)
    assert np.ptp(batch[:4, 9]) > 0.5


def test_a_faint_row_needs_eps_zero(app):
    at = app("rows_normalised")
    assert panel(press(at, "A faint row")[0], 1)[0, 9] < 0.1
    assert panel(press(at, "Faint, without ε")[0], 1)[0, 9] == pytest.approx(1)
    quiet = panel(press(at, "One loud row")[0], 2)[:3, :8]
    assert np.abs(quiet).max() < 1.2


def test_a_constant_row_without_eps_is_a_sentence(app):
    text = "1 1 1 1 1 1 1 1; 1 2 3 4 5 6 7 8; 2 1 4 3 6 5 8 7; 5 3 1 2 9 8 7 6"
    at = app("rows_normalised", {"rows_normalised.x": text, "rows_normalised.eps": "0"})
    assert not at.exception
    assert "row" in at.error[0].value
    at.select_slider(key="rows_normalised.eps").set_value("1e-5").run()
    assert not at.error
    np.testing.assert_array_equal(panel(figures(at)[0], 1)[0, :8], 0)
