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
