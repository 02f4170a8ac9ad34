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


def test_forty_eight_layers_come_back_at_once(app):
    at = app("gradient_by_depth", {"gradient_by_depth.depth": "48"})
    times = []
    for gain in (0.9, 1.0, 1.1, 1.2, 1.3):
        start = perf_counter()
        at.control("gain").set_value(gain).run()
        times.append(perf_counter() - start)
    assert min(times) < 0.1


def test_a_layer_beyond_the_top_is_the_top(app):
    at = app("gradient_by_depth", {"gradient_by_depth.layer": "48"})
    assert "At layer 12 it stands at 1.000, 1.000 … 1.000" in at.words()
