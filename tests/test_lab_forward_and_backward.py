import json

import numpy as np
import pytest


def specs(at) -> list[dict]:
    return [json.loads(json.loads(e.proto.json)["spec"]) for e in at.get("bidi_component") if '"spec"' in e.proto.json]


def words(at) -> str:
    return " ".join(m.value for m in at.markdown).replace("\\", "")


def errors(at) -> list[float]:
    """The relative errors of all parameters, kinks left out."""
    heat = [part for part in specs(at)[3]["data"] if part["type"] == "heatmap"]
    return [v for part in heat[2::3] for row in part["z"] for v in row if v is not None]


@pytest.mark.parametrize("activation", ["tanh", "silu", "gelu"])
def test_every_gradient_agrees_with_its_definition(app, activation):
    at = app("forward_and_backward", {"forward_and_backward.activation": activation})
    assert len(errors(at)) == 51  # 40 weights, 11 biases
    assert max(errors(at)) < 1e-6
    assert "under 10⁻⁶" in words(at)
    assert f"{activation} is smooth" in words(at)


def test_the_error_curve_is_a_u_with_today_on_it(app):
    at = app("forward_and_backward", {"forward_and_backward.h": "1e-12"})
    largest, _, mark = specs(at)[4]["data"]
    low = int(np.argmin(largest["y"]))
    assert 0 < low < 12
    assert mark["x"] == [1e-12]
    assert mark["y"][0] == largest["y"][11] > 1e3 * largest["y"][low]
    assert "rounding" in words(at)


def test_kinks_are_named(app):
    at = app("forward_and_backward")
    at.button(key="forward_and_backward.try.Standing on a corner").click().run()
    assert len(errors(at)) == 51 - 8
    assert "**8 kinks** at this h: b_1[0]" in words(at)
    label = [part for part in specs(at)[3]["data"] if part.get("mode") == "text"]
    assert {text for part in label for text in part["text"]} == {"kink"}


def test_steps_go_on_where_the_last_one_ended(app):
    history = specs(app("forward_and_backward"))[2]["data"]
    losses = next(part for part in history if part["name"] == "still to come")["y"]
    at = app("forward_and_backward", {"forward_and_backward.steps": "7"})
    assert specs(at)[2]["data"][-1]["y"] == [losses[7]]
    line = specs(at)[1]["data"][-1]
    assert line["y"][0] == losses[7]  # before
    assert line["y"][2] == pytest.approx(losses[8], rel=1e-12)  # after
    assert line["y"][1] < line["y"][2]  # the promise of the slope, not quite kept
