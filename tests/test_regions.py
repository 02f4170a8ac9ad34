import numpy as np

from ui import charts, theme
from ui.regions import shade

PLAIN = charts.points([charts.Series("a", [0.5], x=[0.5])], x_range=(0, 1), y_range=(0, 1))


def test_the_region_lies_under_what_is_drawn():
    figure = shade(PLAIN, [[0, 0], [1, 0], [1, 1]], "answer 1", "weight").to_dict()
    area, *rest = figure["data"]
    assert (area["x"], area["y"], area["fill"]) == ([0, 1, 1], [0, 0, 1], "toself")
    assert area["fillcolor"] == theme.colour("weight")
    assert rest == PLAIN.to_dict()["data"]
    assert figure["layout"] == PLAIN.to_dict()["layout"]


def test_no_corners_tint_nothing():
    assert shade(PLAIN, np.empty((0, 2)), "answer 1", "weight").to_dict()["data"][0]["x"] == []
