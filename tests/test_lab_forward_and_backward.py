import numpy as np
import pytest


def errors(at) -> list[float]:
    """The relative errors of all parameters, kinks left out."""
    heat = np.concatenate([part.ravel() for part in at.charts["check"].heatmaps[2::3]])
    return heat[~np.isnan(heat)].tolist()


@pytest.mark.parametrize("activation", ["tanh", "silu", "gelu"])
def test_every_gradient_agrees_with_its_definition(app, activation):
    at = app("forward_and_backward", {"forward_and_backward.activation": activation})
    assert len(errors(at)) == 51  # 40 weights, 11 biases
    assert max(errors(at)) < 1e-6
    assert "under 10⁻⁶" in at.words()
    assert f"{activation} is smooth" in at.words()


def test_the_error_curve_is_a_u_with_today_on_it(app):
    at = app("forward_and_backward", {"forward_and_backward.h": "1e-12"})
    largest, _, mark = at.charts["errors"].data
    low = int(np.argmin(largest["y"]))
    assert 0 < low < 12
    assert mark["x"] == [1e-12]
    assert mark["y"][0] == largest["y"][11] > 1e3 * largest["y"][low]
    assert "The best h of the curve, 1e-05, leaves 9.32e−10, this one, 1e-12, leaves" in at.words()
    assert "rounding" in at.words()


def test_kinks_are_named(app):
    at = app("forward_and_backward").click("Standing on a corner")
    assert len(errors(at)) == 51 - 8
    assert "**8 kinks** at this h: b_1[0]" in at.words()
    label = [part for part in at.charts["check"].data if part.get("mode") == "text"]
    assert {text for part in label for text in part["text"]} == {"kink"}


def test_steps_go_on_where_the_last_one_ended(app):
    losses = app("forward_and_backward").charts["path"].named("still to come")["y"]
    at = app("forward_and_backward", {"forward_and_backward.steps": "7"})
    assert at.charts["path"].data[-1]["y"] == [losses[7]]
    line = at.charts["line"].data[-1]
    assert line["y"][0] == losses[7]  # before
    assert line["y"][2] == pytest.approx(losses[8], rel=1e-12)  # after
    assert line["y"][1] < line["y"][2]  # the promise of the slope, not quite kept


def test_the_chain_rule_has_its_middle_link(app):
    at = app("forward_and_backward")
    formulas = "".join(at.texts("latex")).replace(r"\nobreak", "")
    felt, slope, delta = 0.05125, 0.8474, 0.04343  # of h2_1 in row 0, by autograd
    assert rf"\frac{{\partial L}}{{\partial h2_1}} \cdot f'(z) = {felt} \cdot {slope} = {delta}" in formulas
    assert rf"0.2915 \cdot {delta}" in formulas
    pink = [part for part in at.charts["network"].data if part.get("mode") == "text"][0]["text"]
    assert "<b>0.051</b>" in pink
    at = app("forward_and_backward", {"forward_and_backward.parameter": "W_3[0, 1]"})
    assert r"\delta_{z_1} = \frac{p - y}{n}" in "".join(at.texts("latex"))


def test_the_nodes_of_two_layers_have_two_names(app):
    matrices = app("forward_and_backward").charts["check"]
    first, second = matrices.layout["xaxis"]["ticktext"], matrices.layout["xaxis4"]["ticktext"]
    assert (first[0], second[0]) == ("h1_0", "h2_0")


def test_four_times_the_step_is_not_four_times_the_gain(app):
    at = app("forward_and_backward").click("Four times the step")
    assert "promises −0.81023 and brings **−0.46193**" in at.words()
    assert "With η = 0.5 it would promise −0.20256 and bring −0.18294" in at.words()
    assert "too long" not in at.words()  # the loss falls


def test_what_has_become_of_the_pink_numbers(app):
    words = app("forward_and_backward").click("Twenty steps").words()
    assert "‖g‖² has gone from 0.405 to **0.003**, the largest pink number of row 0 from 0.185 to **0.038**" in words
    assert "Since the start" not in app("forward_and_backward").words()


def test_one_kink_is_one(app):
    link = {"activation": "relu", "seed": "1", "h": "1e-02"}
    words = app("forward_and_backward", {f"forward_and_backward.{name}": to for name, to in link.items()}).words()
    assert "**1 kink** at this h" in words
    assert "Off the kinks the largest of 50 relative errors" in words
    assert "Off the kinks" not in app("forward_and_backward").words()


def test_a_question_has_the_answer_worked_out_by_hand(app):
    words = app("forward_and_backward").ask("Standing on a corner").predict("biases").press("ask_show").words()
    assert "**Right.**" in words
    assert "0 of 40 weights and 8 of 11 biases stand on a kink" in words  # all of b_1 and b_2; b_3 meets no ReLU
