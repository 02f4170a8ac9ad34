"""What the optimizer lab shows at the states people go there for."""

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
    assert "c = 20.000, which bears learning rates below 2/c = 0.1; today's is 0.13" in at.words()
    assert "Momentum is lost" not in at.words()


def test_exactly_on_the_limit_the_zigzag_keeps_its_height(app):
    sgd = app("optimizers", {"optimizers.lr": "0.1"}).charts["paths"].data[1]
    np.testing.assert_allclose(np.abs(sgd["y"]), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("form", "limit"), [("sum", "0.18"), ("average", "0.9"), ("Nesterov", "0.0692")])
def test_the_limits_stand_in_the_chart_and_in_words(app, form, limit):
    at = app("optimizers", {"optimizers.form": form})
    marked = [note["text"] for note in at.charts["rates"].layout["annotations"]]
    assert marked == ["0.1", limit]
    assert f"= {limit}. Adam" in at.words()


def test_a_start_for_every_surface_and_no_step_yet(app):
    at = app("optimizers", {"optimizers.surface": "Beale", "optimizers.step": "0"})
    assert not at.exception
    assert "remembers nothing" in at.words()
    start = at.charts["paths"].data[-1]
    assert (start["x"][-1], start["y"][-1]) == (1.0, 1.5)


def test_both_numbers_of_every_convention(app):
    table = app("optimizers").words()
    velocities = ["0.8000, 0.4600, 0.0620", "0.9800, 0.9424, 0.8897", "0.8000, 0.4760, 0.0987", "0.4202", "0.1448"]
    for row in [*velocities, "0.9004975", "0.9001248", "0.9136527", "0.9900000", "0.9000000"]:
        assert row in table
