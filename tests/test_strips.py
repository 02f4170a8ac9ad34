import numpy as np
import plotly.graph_objects as go

from ui.charts.strips import strips
from ui.charts.theme import colour

VALUES = [[1.0, 3.0], [np.nan, 2.0]]


def drawn(**options):
    return strips(
        ["a", "<b>"],
        VALUES,
        means=[2.0, 2.0],
        variances=[[1.0], [np.nan]],
        columns=["x", "y"],
        x_range=(0, 4),
        **options,
    ).to_dict()


def test_a_row_a_line_with_its_mean_and_deviation():
    figure = drawn(notes=["one", "<two>"])
    go.Figure(figure)
    assert [trace["x"] for trace in figure["data"]] == [[1.0, 3.0], [None, 2.0]]
    assert figure["layout"]["yaxis"]["ticktext"] == ["<b>a</b>", "<b>&lt;b&gt;</b>"]
    bars = [s for s in figure["layout"]["shapes"] if s["type"] == "rect"]
    assert [(b["x0"], b["x1"]) for b in bars] == [(1.0, 3.0)]
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["one", "&lt;two&gt;"]


def test_the_chosen_column_has_todays_colour_and_its_number_on_every_line():
    figure = drawn(chosen=1, joined=True)
    paths, rows = figure["data"][:2], figure["data"][2:]
    assert [path["line"]["color"] for path in paths] == [colour("line"), colour("today")]
    assert [row["marker"]["color"] for row in rows] == [[colour("ink"), colour("today")]] * 2
    assert [row["text"] for row in rows] == [["", "<b>3.000</b>"], ["", "<b>2.000</b>"]]
