import json

import numpy as np
import plotly.graph_objects as go
from plotly.io.json import to_json_plotly

from ui.charts.figure import Sketch, parts, to_json

DATA, LAYOUT = [{"type": "scatter", "y": [1.5, 2.5], "name": "a"}], {"height": 200, "xaxis": {"range": [0, 1]}}


def test_a_sketch_is_a_figure_as_soon_as_one_looks():
    sketch = Sketch(DATA, LAYOUT)
    assert isinstance(sketch, go.Figure)
    assert "given" in sketch.__dict__
    assert sketch.layout.xaxis.range == (0, 1)
    assert sketch.data[0].name == "a"
    ours, theirs = sketch.to_dict(), go.Figure(DATA, LAYOUT).to_dict()
    assert ours["layout"].pop("template") is None
    del theirs["layout"]["template"]
    assert ours == theirs
    assert not hasattr(sketch, "no_such_thing")


def test_its_json_is_plotlys_own():
    data = [{"type": "heatmap", "z": np.arange(6, dtype="f4").reshape(2, 3), "x": np.arange(3, dtype="i1")}]
    ours, theirs = json.loads(to_json(Sketch(data, LAYOUT))), json.loads(to_json_plotly(go.Figure(data, LAYOUT)))
    assert ours["data"][0]["z"] == theirs["data"][0]["z"]
    assert ours["data"][0]["x"] == theirs["data"][0]["x"]
    assert ours["layout"]["xaxis"] == theirs["layout"]["xaxis"]
    assert parts(go.Figure(DATA, LAYOUT))["data"][0]["y"] == [1.5, 2.5]


def test_nan_and_infinity_in_lists_are_gaps():
    spec = to_json(Sketch([{"y": [float("nan"), 1.0, float("-inf")]}], {"a": (float("inf"),)}))
    assert json.loads(spec) == {"data": [{"y": [None, 1.0, None]}], "layout": {"a": [None]}}
