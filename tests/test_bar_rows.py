import json

import plotly.graph_objects as go

from ui.charts.bar_rows import BarPanel, bar_rows

NAMES = ["a", "<b>", "c"]


def panels():
    return [
        BarPanel("one", (0, 1), [0.1, 0.9, 2.0], text=["0.1", "0.9", "2.0"], rows=NAMES, ghost=[0.2, 0.3, 0.5]),
        BarPanel("two", (0, 1), [0.3, float("nan"), 0.2], "today", note="a <note>", mark=0.5),
        BarPanel(
            "three",
            (0, 10),
            band=([1, 2, 3], [4, 5, 6]),
            ticks=[2, 3, 4],
            dots=[1, 9, 3],
            ends=["x", "y", "z"],
            x_title="n",
        ),
    ]


def test_a_clicks_curve_is_its_panel():
    figure = bar_rows(panels())
    go.Figure(figure.to_dict())
    bars = figure.to_dict()["data"][:3]
    assert [(bar["type"], bar["name"]) for bar in bars] == [("bar", "one"), ("bar", "two"), ("bar", "three")]
    assert bars[1]["x"] == [0.3, None, 0.2]


def test_a_bar_too_long_says_its_number_inside_and_goes_on():
    traces = bar_rows(panels()).to_dict()["data"]
    assert list(traces[0]["text"]) == ["0.1", "", ""]
    inside = next(t for t in traces if t.get("mode") == "text" and t["xaxis"] == "x")
    assert list(inside["text"]) == ["0.9", "2.0 →"]
    assert list(inside["x"]) == [0.9, 1]


def test_words_that_would_leave_a_narrow_panel_stand_inside_their_bar():
    words = lambda text: bar_rows([BarPanel("one", (0, 100), [62, 5], text=[text] * 2, rows=["a", "b"])] * 3)
    first = lambda text: list(words(text).to_dict()["data"][0]["text"])
    assert first("62 GiB · holds it") == ["", "62 GiB · holds it"]
    assert first("62") == ["62", "62"]


def test_panels_share_the_names_of_the_panel_on_the_left():
    layout = bar_rows(panels(), phone=2).to_dict()["layout"]
    assert [layout[axis]["ticktext"][0].strip() for axis in ("yaxis", "yaxis2", "yaxis3")] == ["a", "a", "a"]
    assert [layout[axis]["showticklabels"] for axis in ("yaxis", "yaxis2", "yaxis3")] == [True, False, False]
    narrow = layout["meta"]["narrow"]
    assert [narrow[axis]["showticklabels"] for axis in ("yaxis", "yaxis2", "yaxis3")] == [True, False, True]
    for place in (layout, narrow):
        for i in ("", "2", "3"):
            for axis in ("xaxis", "yaxis"):
                low, high = place[axis + i]["domain"]
                assert 0 <= low < high <= 1
    assert narrow["height"] > layout["height"]


def test_the_band_spans_its_limits_and_no_name_becomes_html():
    figure = bar_rows(panels()).to_dict()
    band = next(t for t in figure["data"] if "base" in t)
    assert (list(band["base"]), list(band["x"])) == ([1, 2, 3], [3, 3, 3])
    assert "<b>," not in json.dumps(figure["layout"]["yaxis"])
    assert "&lt;b&gt; " in figure["layout"]["yaxis"]["ticktext"]
    assert len(figure["layout"]["shapes"]) == 1
