"""What the depth lab shows at the states people go there for."""

from time import perf_counter

import numpy as np


def gradients(at) -> dict:
    """The lines of the gradient by name."""
    return {line["name"]: np.array(line["y"], float) for line in at.charts["gradients"].data if "name" in line}


def test_silent_sublayers_pass_on_exactly_one_at_every_layer(app):
    at = app("gradient_by_depth", {"gradient_by_depth.gain": "0", "gradient_by_depth.depth": "48"})
    drawn = gradients(at)
    assert list(drawn) == ["plain", "residual", "pre-norm", "post-norm"]
    assert drawn["residual"].tolist() == drawn["pre-norm"].tolist() == [1.0] * 49
    assert (drawn["plain"][:-1] < 1e-200).all()  # 0, which a log axis cannot show, falls off it
    assert "Exactly 1 at every layer and for every seed: **residual, pre-norm**." in at.words()


def test_a_chain_of_halves_leaves_two_to_the_minus_twelve(app):
    at = app("gradient_by_depth", {"gradient_by_depth.gain": "0.5", "gradient_by_depth.activation": "identity"})
    np.testing.assert_allclose(gradients(at)["plain"], 0.5 ** np.arange(12, -1, -1), rtol=1e-12)
    assert "**2.44e−04** on its way to the input, 0.500 a layer" in at.words()


def test_forty_eight_layers_cost_no_more_than_their_number(app):
    def quickest(depth: int) -> float:
        at, times = app("gradient_by_depth", {"gradient_by_depth.depth": str(depth)}), []
        for gain in (0.9, 1.0, 1.1, 1.2, 1.3):
            start = perf_counter()
            at.control("gain").set_value(gain).run()
            times.append(perf_counter() - start)
        return min(times)

    assert quickest(48) < 24 * quickest(2)  # one run beside the other; about 2 on a quiet machine


def test_no_layer_can_be_chosen_beyond_the_top(app):
    at = app("gradient_by_depth")
    assert at.control("layer").options[-1] == "12"
    assert "At layer 12 it stands at 1.000, 1.000 … 1.000 over 8 seeds" in at.set(layer="12").words()
    assert "At layer 3 it stands at 1.000" in at.set(depth=3).words()
    assert "**3 layers × width 8 · a batch of 4**" in at.words()


def test_unchanged_up_to_rounding_is_no_change(app):
    words = app("gradient_by_depth", {"gradient_by_depth.activation": "identity"}).words()
    assert "1 at every layer and for every seed, up to rounding: **plain**." in words
    assert "No arrangement here passes" not in words
    assert "No arrangement here passes" in app("gradient_by_depth").words()


def test_what_training_needs_besides_an_even_gradient(app):  # Xiong et al. 2020
    at = app("gradient_by_depth")
    assert "a gradient of **1.515** with post-norm and **0.880** with pre-norm" in at.words()
    assert "**1.528** with post-norm and **0.522** with pre-norm" in at.click("Forty-eight layers").words()
    assert "with **pre-norm 9.603, post-norm 2.859**, not with plain 5.56e−11, residual 8.27e+06." in at.words()


def test_what_goes_wrong_on_the_residual_path_alone(app):
    words = app("gradient_by_depth").click("Residual alone").words()
    assert "**explodes**: the gradient grows by a factor of 6.73e+06 on its way down, what flows up from 5.668" in words


def test_lines_that_leave_a_chart_are_named_with_what_helps(app):
    link = {"gradient_by_depth.depth": "48", "gradient_by_depth.gain": "0.05"}
    words = app("gradient_by_depth", link | {"gradient_by_depth.decades": "±24"}).words()
    assert "Parts of plain leave the chart of gradients: they are more than 24 powers of ten away." in words
    assert "show more powers of ten" not in words
    assert "show more powers of ten" in app("gradient_by_depth", link).words()
    flows = app("gradient_by_depth", {"gradient_by_depth.gain": "2", "gradient_by_depth.activation": "identity"})
    assert "Parts of plain and residual leave the chart of what flows up: show more powers of ten." in flows.words()


def test_nought_falls_off_and_is_said_to(app):
    words = app("gradient_by_depth").click("Silent sublayers").words()
    assert "A norm of 0 has no place on a log axis: plain falls off the picture there." in words
    assert "powers of ten away" not in words
    assert "takes out of the gradient its mean and its part along the normalised row" in words


def test_one_seed_has_no_range(app):
    words = app("gradient_by_depth", {"gradient_by_depth.seeds": "1"}).words()
    assert "over 1 seed" not in words
    assert "At layer 0 it stands at 0.004." in words


def test_the_answers_are_those_worked_out_by_hand(app):
    halves = app("gradient_by_depth").ask("A chain of halves").predict(12.0).press("ask_show").words()
    assert "**Right.** Each layer halves it: 0.5 to the power 12 is 2.44e−04 (1.000 before)." in halves
    silent = app("gradient_by_depth").ask("Silent sublayers").predict("two").press("ask_show").words()
    assert "**Right.** At the input: plain 0.000, residual 1.000, pre-norm 1.000, post-norm" in silent
