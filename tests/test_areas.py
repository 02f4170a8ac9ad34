import numpy as np
import plotly.graph_objects as go

from ui.areas import surface_paths, treemap
from ui.drawing import Mark, Series


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
