"""The layer normalisation and rows normalised labs: their presets reach what they promise."""

import numpy as np
import pytest


def stages(at):
    return [trace["x"] for trace in at.charts["stages"].data if "markers" in trace["mode"]]


def blocks(block):
    """The keys of all containers in one."""
    for child in getattr(block, "children", {}).values():
        yield getattr(getattr(child, "proto", None), "id", "")
        yield from blocks(child)


def norms(at):
    """The table as it came, by layer norm, by batch norm."""
    return at.charts["norms"].heatmaps


def test_restoring_parameters_bring_the_row_back(app):
    at = app("layer_normalisation")
    row, _, normalised, out = stages(at)
    assert np.mean(normalised) == pytest.approx(0, abs=1e-12)
    assert np.var(normalised) == pytest.approx(1, abs=1e-5)
    assert max(np.abs(np.subtract(out, row))) > 1
    row, _, _, out = stages(at.click("Undo it"))
    np.testing.assert_allclose(out, row, rtol=0, atol=1e-12)


def test_a_constant_row_leaves_beta_and_without_eps_a_sentence(app):
    at = app("layer_normalisation")
    row, centred, normalised, out = stages(at.click("A constant row"))
    assert (row, centred, normalised) == ([4.0] * 6, [0.0] * 6, [0.0] * 6)
    assert out == [0.0, 0.0, 2.0, 0.0, -2.0, 2.0]
    assert "the result is β alone" in at.words()
    at.set(eps="0")
    assert "ε must be above 0" in at.texts("error")[0]
    assert not at.exception


@pytest.mark.parametrize("eps", ["0", "1e-8", "1"])
@pytest.mark.parametrize("row", ["1e-17 0 0 0 0 0", "1e-200 0 0 0 0 0", "100 100 100 100 100 -100", "0 0 0 0 0 0"])
def test_any_row_is_drawn_or_explained(app, row, eps):
    at = app("layer_normalisation", {"layer_normalisation.row": row, "layer_normalisation.eps": eps})
    assert not at.exception
    assert at.charts or at.error


def test_rounding_is_no_result_of_layer_norm(app):
    words = app("layer_normalisation").words()
    assert "gradients of y2 sum to 0, here to 0 up to rounding" in words
    assert "RMS norm, which keeps the mean, has no such rule" in words
    assert "the row has mean **0 up to rounding**" in app("layer_normalisation").click("One outlier").words()


def test_an_outlier_draws_the_others_together_in_numbers(app):
    at = app("layer_normalisation")
    row = np.array([5, -1, 40, 6, 0, 3.0])
    at.click("One outlier")
    apart = np.ptp(np.delete(row, 2)) / row.std()
    before = np.ptp([5, -1, 6, 0, 3]) / np.std([5, -1, 2, 6, 0, 3])
    assert f"within 7.000 of each other in x and within **{apart:.3f}** in x̂" in at.words()
    assert f"in the row as this page opens, within {before:.3f} in x̂" in at.words()


def test_unused_gamma_and_beta_are_out_of_sight(app):
    at = app("layer_normalisation")
    assert any(key.endswith("typed.in_sight") for key in blocks(at.main))
    at.click("Undo it")
    assert any(key.endswith("typed.out_of_sight") for key in blocks(at.main))


def test_a_click_on_a_gradient_writes_that_gradient_out(app):
    at = app("layer_normalisation", {"layer_normalisation.input": "4"})
    assert any(r"\frac{\partial y_2}{\partial x_4}" in formula for formula in at.texts("latex"))
    gradient = at.charts["numbers"].heatmaps[1][0]
    (formula,) = [text for text in at.texts("latex") if r"\partial" in text]
    assert float(formula.split("= ")[-1].rstrip("$ ").replace(r"\approx ", "")) == pytest.approx(gradient[4], abs=1e-4)


def test_layer_norm_evens_rows_and_batch_norm_columns(app):
    layer, batch = norms(app("rows_normalised"))[1:3]
    np.testing.assert_allclose(layer[:4, 8], 0, atol=1e-12)
    np.testing.assert_allclose(layer[[0, 1, 3], 9], 1, atol=1e-4)
    assert layer[2, 9] == pytest.approx(0.917, abs=1e-3)
    assert np.ptp(layer[5, :8]) > 0.5
    np.testing.assert_allclose(batch[4, :8], 0, atol=1e-12)
    np.testing.assert_allclose(batch[5, :8], 1, atol=1e-4)
    assert np.ptp(batch[:4, 9]) > 0.5


def test_a_faint_row_needs_eps_zero(app):
    at = app("rows_normalised")
    assert norms(at.click("A faint row"))[1][0, 9] < 0.1
    assert norms(at.click("Faint, without ε"))[1][0, 9] == pytest.approx(1)
    quiet = norms(at.click("One loud row"))[2][:3, :8]
    assert np.abs(quiet).max() < 1.2


def test_a_constant_row_without_eps_is_a_sentence(app):
    text = "1 1 1 1 1 1 1 1; 1 2 3 4 5 6 7 8; 2 1 4 3 6 5 8 7; 5 3 1 2 9 8 7 6"
    at = app("rows_normalised", {"rows_normalised.x": text, "rows_normalised.eps": "0"})
    assert not at.exception
    assert "row" in at.error[0].value
    at.set(eps="1e-5")
    assert not at.error
    np.testing.assert_array_equal(norms(at)[1][0, :8], 0)


@pytest.mark.parametrize(("eps", "later"), [("1e-5", "−0.007"), ("1", "−0.005")])  # torch.nn.BatchNorm1d 2.13
def test_batch_norm_after_training_has_the_epsilon_of_the_page(app, eps, later):
    words = app("rows_normalised", {"rows_normalised.eps": eps}).words()
    assert f"0.9 · (mean 0, variance 1) + 0.1 · this batch's (variance by n − 1): {later}" in words


def test_the_norms_of_llama_gemma_and_pytorch(app):
    words = app("rows_normalised").words()  # torch.nn.functional.rms_norm 2.13 and transformers 5.24's GemmaRMSNorm
    assert "T5 and the first Llama, 1e-6: 0.939 | Llama 2 and 3, 1e-5: 0.904" in words
    assert "machine ε 1.19e-7: 0.942" in words
    assert "Llama and T5: 0.904 | Gemma multiplies by 1 + weight: 1.807" in words
    assert "PyTorch, 0.1 of the new batch: 0.018 | Keras, 0.99 of the old memory" in words


def test_a_loud_row_draws_the_others_together_under_batch_norm(app):
    words = app("rows_normalised").click("One loud row").words()
    assert "the other rows have 0.584, 0.661, 0.483 in column 0: **0.178** from lowest to highest" in words
    assert "it is 1.183 with row 3 at scale 1" in words


def test_presets_of_epsilon_name_the_rows_they_ask_for(app):
    faint = app("rows_normalised").click("A faint row").words()
    assert "leaves layer norm with **0.081**, batch norm with **0.222**, RMS norm with **0.081**" in faint
    great = app("rows_normalised").click("ε = 1").words()
    assert "row 2 the least, row 3 the most" in great


def test_constant_rows_and_no_gamma_are_not_explained_by_epsilon(app):
    text = "1 1 1 1 1 1 1 1; 1 2 3 4 5 6 7 8; 2 1 4 3 6 5 8 7; 5 3 1 2 9 8 7 6"
    words = app("rows_normalised", {"rows_normalised.x": text, "rows_normalised.row": "0"}).words()
    assert "Row 0 is constant: its variance is 0, and no ε makes it 1." in words
    assert "part of the answer" not in words
    words = app("rows_normalised", {"rows_normalised.gamma": "0"}).words()
    assert "does not centre" not in words
    assert "γ = 0 leaves nothing of x" in words


def test_gradients_that_cancel_leave_rounding_not_a_number(app):
    link = {"layer_normalisation.row": "0 0 -2 0 0 0", "layer_normalisation.restore": "true"}
    assert "here to 0 up to rounding: layer norm takes the mean out" in app("layer_normalisation", link).words()


def test_gradients_that_all_cancel_have_no_largest_but_those_epsilon_leaves_have(app):
    lone = {
        "row": "0 0 0 0 0 -1.7",
        "shift": "-0.75",
        "feature": "5",
        "eps": "0",
        "gamma_beta": "-0.37 " * 6 + "\n" + "0 " * 6,
    }
    at = app("layer_normalisation", {f"layer_normalisation.{name}": value for name, value in lone.items()})
    assert "The largest of them is **0 up to rounding** in size" in at.words()
    assert "whose largest entry is 0 up to rounding." in at.words()
    far = at.set(row="0 0 0 0 0 -100", scale=1.5, shift=0.0, eps="1e-8").words()
    assert "The largest of them is **1.7" in far  # γ · 5 / 6 · ε / σ³ = 1.77e−14
    assert "e−14** in size" in far


def test_rows_that_stay_apart_as_they_were_are_not_compared(app):
    at = app("rows_normalised").click("One loud row")
    assert "where it is 1.183 with row 3 at scale 1" in at.words()
    assert "with row 3 at scale 1" not in at.set(gamma=0.0).words()


def test_gamma_that_undoes_the_row_is_its_deviation(app):
    at = app("layer_normalisation").ask("Undo it").predict(2.5).press("ask_show")  # √(37.5 / 6)
    assert "**Right.** γ = √(σ² + ε) = 2.500" in at.words()
    at = app("layer_normalisation").ask("Whom it answers to")
    assert len(at.charts["numbers"].heatmaps) == 1
    at.tap("numbers", row=0, column=3, panel=1)  # 0.5 / 2.5 · (1 − 1/6 − 1.4² / 6) = 0.101
    assert "**Right.** x3 moves y3 most, by 0.101 a unit" in at.press("ask_show").words()


def test_a_covered_picture_keeps_no_note_at_its_edge(app):
    at = app("layer_normalisation").ask("A row by hand")
    assert "variance" not in at.charts["stages"].text


def test_the_row_that_keeps_least_beside_a_large_eps_is_the_faintest(app):
    at = app("rows_normalised").ask("ε = 1")
    assert len(at.charts["norms"].heatmaps) == 1
    at.tap("norms", row=2, column=0, panel=0)  # 0.000111 / 1.000111
    assert "**Right.** Row 2 keeps 1.11e−04, the next 0.394" in at.press("ask_show").words()
    at = app("rows_normalised").ask("Twice γ").predict(4.0).press("ask_show")
    assert "**Right.** γ = 2.000 multiplies every number" in at.words()
