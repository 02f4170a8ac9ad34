"""What the optimizer lab shows at the states people go there for."""

import re

import numpy as np
import pytest


def test_paths_and_heights_play_together_and_agree(app):
    shown = app("optimizers").charts
    paths, heights = shown["paths"], shown["values"]
    assert paths.layout["meta"]["play"] == {"traces": [1, 2, 3], "steps": 60, "step": 60}
    assert heights.layout["meta"]["play"]["follow"]
    for path, height in zip(paths.data[1:4], heights.data[:3], strict=True):
        x, y = np.array(path["x"]), np.array(path["y"])
        assert len(x) == 61
        np.testing.assert_allclose(height["y"], (x**2 + 20 * y**2) / 2, rtol=1e-12)


def test_beyond_the_limit_it_stops_early_and_says_why(app):
    at = app("optimizers", {"optimizers.lr": "0.13"})
    paths = at.charts["paths"].data
    assert len(paths[1]["x"]) < 61
    assert np.abs(paths[1]["y"]).max() <= 1e6
    assert "**SGD is lost**: step 30 would leave" in at.words()
    assert "c = 20.000, where learning rates below 2/c = 0.1 converge; here it is 0.13" in at.words()
    assert "Momentum is lost" not in at.words()


def test_exactly_on_the_limit_the_zigzag_keeps_its_height(app):
    sgd = app("optimizers", {"optimizers.lr": "0.1"}).charts["paths"].data[1]
    np.testing.assert_allclose(np.abs(sgd["y"]), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("form", "limit"), [("sum", "0.18"), ("average", "0.9"), ("Nesterov", "0.0692")])
def test_the_limits_stand_in_the_chart_and_in_words(app, form, limit):
    at = app("optimizers", {"optimizers.form": form})
    marked = [note["text"] for note in at.charts["rates"].layout["annotations"]]
    assert marked == ["0.1", limit]
    assert re.search(rf"and momentum below \S.* = {limit}\.", at.words())


def test_a_start_for_every_surface_and_no_step_yet(app):
    at = app("optimizers", {"optimizers.surface": "Beale", "optimizers.step": "0"})
    assert not at.exception
    assert "remembers nothing" in at.words()
    start = at.charts["paths"].data[-1]
    assert (start["x"][-1], start["y"][-1]) == (1.0, 1.5)


def test_both_numbers_of_every_convention(app):
    table = app("optimizers").words()
    velocities = ["0.8000, 0.4600, 0.0620", "0.9800, 0.9424, 0.8897", "0.8000, 0.4760, 0.0987", "0.4202", "0.1448"]
    for row in [*velocities, "0.9004975", "0.9001248", "0.9136527", "0.9990000", "0.9000001", "0.9900000"]:
        assert row in table
    assert (
        "| outside the root, as PyTorch: 0.83333, 0.70101 | inside, as TensorFlow and Keras: 0.80388, 0.64812 |"
        in table
    )


@pytest.mark.parametrize("rate", ["0.003", "0.005", "0.03", "0.05", "0.3", "0.4", "0.5", "0.6"])
def test_the_learning_rates_of_textbooks_can_be_set(app, rate):
    at = app("optimizers", {"optimizers.lr": rate, "optimizers.adam_lr": rate})
    assert not at.warning
    assert (at.control("lr").value, at.control("adam_lr").value) == (rate, rate)


def test_of_several_minima_the_nearest_sets_the_limit(app):
    start = {"surface": "Himmelblau", "lr": "0.02", "x_himmelblau": "-3", "y_himmelblau": "-3"}
    at = app("optimizers", {f"optimizers.{name}": value for name, value in start.items()})
    said = "is (−3.78, −3.28), where the largest curvature is c = 133.8: near it plain descent converges below 2/c ="
    assert f"{said} 0.0149" in at.words()
    assert at.charts["rates"].layout["annotations"][0]["text"] == "0.0149"


def test_starting_in_a_minimum_all_rates_tie(app):
    at = app("optimizers", {"optimizers.x_ravine": "0", "optimizers.y_ravine": "0"})
    assert re.search(r"SGD: \d+ that tie, from 0\.0001 to 10; Momentum: \d+ that tie", at.words())
    assert "10.0" not in at.words()


def test_each_question_is_answered_where_it_leads(app):
    at = app("optimizers")
    past = at.click("Past the limit").words()
    assert "**SGD is lost**" in past
    assert "**Momentum** ends at (" in past
    assert "its zigzag neither shrinks nor grows, y is 1.000" in at.click("Exactly on it").words()
    assert "Lowest of the three ends **" in at.click("Round the bend").words()
    flat = at.click("A plateau").words()
    assert "because slopes of one direction add up in v" in flat
    assert "√ŝ divides out how small they are" in flat


def test_what_sgd_is_here_is_said(app):
    assert "there are no batches, so nothing in it is stochastic" in app("optimizers").words()


def test_momentum_and_adam_have_letters_of_their_own(app):
    formulas = "".join(app("optimizers").texts("latex"))
    assert r"v = \left[" in formulas
    assert r"\hat s = \left[" in formulas
    assert r"\hat v" not in formulas


def test_weight_decay_draws_towards_nought_and_lowers_the_limit(app):
    at = app("optimizers", {"optimizers.decay": "1", "optimizers.surface": "Rosenbrock", "optimizers.lr": "0.001"})
    without = app("optimizers", {"optimizers.surface": "Rosenbrock", "optimizers.lr": "0.001"})
    ends = [abs(np.array(page.charts["paths"].data[1]["x"])[-1]) for page in (at, without)]
    assert ends[0] < ends[1]
    assert "below 2/(c + λ) = " in at.words()
    assert r"\lambda\theta" in "".join(at.texts("latex"))


def test_a_click_on_the_heights_chooses_the_step(app):
    assert app("optimizers").charts["values"].clickable


def test_a_lost_run_has_no_end_and_is_placed_by_its_start(app):
    at = app("optimizers", {"optimizers.surface": "Himmelblau"})  # both are lost at this learning rate
    assert "The minimum nearest to where SGD and momentum start is (" in at.words()
    words = app("optimizers").click("Past the limit").words()
    assert "The minimum nearest to where SGD starts and momentum ends is (0.00, 0.00)" in words
    words = app("optimizers", {"optimizers.x_ravine": "0", "optimizers.y_ravine": "0"}).words()
    assert "SGD, Momentum and Adam end equally low" in words


def test_the_answers_are_those_worked_out_by_hand(app):
    plateau = app("optimizers").ask("A plateau").predict(1.0).press("ask_show").words()  # ten steps of 0.1
    assert "**Right.** In ten steps Adam gets 0.987 in x, SGD 0.037" in plateau
    assert (
        "**Right.** y starts 1.000" in app("optimizers").ask("Exactly on it").predict("stays").press("ask_show").words()
    )
