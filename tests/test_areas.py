import numpy as np
import plotly.graph_objects as go

from ui import charts
from ui.charts import theme
from ui.charts.areas import shade, surface_paths, treemap
from ui.charts.parts import Mark, Series


def test_a_surface_stands_still_and_carries_its_paths():
    x, y = np.linspace(-2, 2, 30), np.linspace(-1, 1, 20)
    figure = surface_paths(
        x,
        y,
        np.add.outer(y**2, x**2),
        [Series("sgd", [1, 0], "query", [1, 0])],
        marks=[Mark(0, 0, "min")],
        meta={"play": {}},
    )
    go.Figure(figure.to_dict())
    assert (figure.layout.xaxis.range, figure.layout.yaxis.range) == ((-2, 2), (-1, 1))
    assert figure.data[0].z.dtype == np.float32
    assert figure.data[1].name == "sgd"
    assert figure.layout.meta["play"] == {}
    assert "narrow" in figure.layout.meta


def test_areas_add_up_and_labels_are_escaped():
    figure = treemap(["all", "<b>"], ["", "all"], [3, 3], colours=["panel", "query"])
    go.Figure(figure.to_dict())
    assert figure.data[0].branchvalues == "total"
    assert figure.data[0].labels[1] == "&lt;b&gt;"


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
