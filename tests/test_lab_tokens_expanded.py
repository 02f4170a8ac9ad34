"""What the feed-forward lab says at the states its presets and sliders reach."""

import pytest

from engine.feed_forward import along_line

SLUG = "tokens_expanded"


def test_the_identity_is_no_activation_and_compared_with_nothing(app):
    words = app(SLUG).click("No activation").words()
    assert "The identity is no activation: the two layers **are that one layer**" in words
    assert "With identity" not in words
    assert "16 units without activation never bend" in words


def test_presets_are_answered(app):
    silent = app(SLUG).click("Everything silent").words()
    assert "**100 %** of the hidden numbers are exactly 0, silent" in silent
    assert "With a bias of 0 it is 50 %." in silent
    assert "The largest of all outputs is **0.000** in size." in silent
    straight = app(SLUG).click("A ReLU that never bends").words()
    assert "at most **0 up to rounding**: every h lies where the activation is straight" in straight
    bumps = app(SLUG).click("Width for two bumps").words()
    assert "**0.264** with 4, **0.040** with 32; 16 units are the first to bring it below 0.1" in bumps


@pytest.mark.parametrize("bias", ["0", "1", "-1.5"])
def test_the_bends_are_those_of_the_layers_own_units(app, bias):
    at = app(SLUG, {f"{SLUG}.bias": bias})
    made = at.unfold("take_away").computed()
    W_1, b_1, W_2 = made["W_1"], made["b_1"], made["W_2"]
    line = along_line(made["x"][0], W_1, b_1, W_2, [0] * 4, [-4, 4], activation="relu")
    n = len(line.bends)
    assert ("All 16 units bend the output at one place" if bias == "0" else f"Of the 16 units, {n} bend") in at.words()


def test_the_unit_and_the_header_follow_the_width(app):
    at = app(SLUG, {f"{SLUG}.expansion": "1"})
    assert at.control("unit").options[-1] == "3"
    assert "d_model = 4 → d_ff = 4 → 4" in at.words()


def test_clicked_numbers_are_written_out(app):
    at = app(SLUG, {f"{SLUG}.output": "2", f"{SLUG}.unit": "5", f"{SLUG}.token": "1"})
    hidden, activated, out = at.texts("latex")
    assert "h_{5}" in hidden
    assert "a_{5}" in activated
    made = at.unfold("take_away").computed()
    assert float(out.strip("$ \n").split(" ")[-1]) == pytest.approx(made["out"][1, 2], abs=1e-3)


def test_a_small_error_of_a_fit_is_no_rounding(app):
    at = app("tokens_expanded", {"tokens_expanded.activation": "tanh", "tokens_expanded.curve": "line"})
    assert "**less than 10⁻⁶** with 16" in at.words()  # 5.98e-08, worked out with more digits too


def test_a_question_has_the_answer_worked_out_by_hand(app):
    words = app(SLUG).ask("Everything silent").predict(0.0).press("ask_show").words()  # no h reaches 2
    assert "**Right.**" in words
    assert "32 hidden numbers spoke, 0 speak now" in words  # half of 4 · 16


def test_a_click_is_an_answer(app):
    question = app(SLUG).ask("What ReLU takes")
    hidden = question.charts["layers"].heatmaps[1][1].tolist()
    lowest = hidden.index(min(hidden))
    words = question.tap("layers", panel=1, row=1, column=lowest).press("ask_show").words()
    assert f"**Right.** ReLU turns h{lowest} = −1.470 of t1 into 0.000" in words
    other = app(SLUG).ask("What ReLU takes").tap("layers", panel=1, row=0, column=lowest).press("ask_show").words()
    assert "**Not so.**" in other
