"""Figures on their way to the browser: through our component, or st.plotly_chart where plotly.js is not found."""

import json
import re
import zlib
from base64 import b64decode
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest
import streamlit as st
from plotly.io.json import to_json_plotly

from ui import charts, glossary
from ui.app import stage
from ui.charts import Series, live, theme


def components(at) -> list:
    return [element.proto for element in at.get("bidi_component")]


def no_constant(name: str):
    raise ValueError(f"{name} is not JSON")


def test_this_framework_has_the_chunk():
    assert re.fullmatch(r"PlotlyChart\.[\w-]+\.js", live.CHUNK)


def test_charts_go_through_the_component(app):
    at = app("softmax")
    assert not at.get("plotly_chart")
    boot, *drawn = components(at)
    stage_facts = {"stage": json.loads(json.dumps(stage.facts()))}
    facts = json.loads(boot.json)
    assert len(facts.pop("words")) == len(glossary.ENTRIES)
    assert ".lab-player" in facts.pop("css")
    assert facts == {"chunk": live.CHUNK, "dark": theme.DARK, "template": theme.TEMPLATE} | stage_facts
    assert len(drawn) == len(at.charts) == 5
    for chart in at.charts.values():
        assert chart.clickable is True
        assert re.search(r"\d\.\d{3}", chart.alt), "says today's number"
        json.loads(chart.text, parse_constant=no_constant)
        assert "template" not in chart.layout
        assert chart.layout["height"] > 100


def test_the_script_travels_once_a_session(app):
    at = app("softmax")
    assert "class Chart" in components(at)[0].js_content
    style = lambda: "".join(block.proto.body for block in at._tree[2].children.values())
    assert "lab_boot" in style()
    at.run()
    assert "lab_boot" not in style()
    assert all(len(chart.js_content) < 400 for chart in components(at))
    at.session_state["live.sent"] = False  # as a chart that missed it does
    at.run()
    assert "class Chart" in components(at)[0].js_content
    assert all(len(chart.js_content) < 400 for chart in components(at)[1:])


def test_a_chart_that_missed_the_script_asks_for_it(monkeypatch):
    state = {"live.sent": True}
    monkeypatch.setattr(st, "session_state", state)
    live._missed()
    assert state == {"live.sent": False}


def test_the_script_is_whole_and_bare(app):
    script = components(app("softmax"))[0].js_content
    assert not re.search(r"^\s*//|^\s+", script, flags=re.M)
    for name in ("class Chart", "class Player", "function followDrag", "function keepHistory", "function fitPaper"):
        assert script.count(name) == 1


def test_a_click_sets_what_it_names(monkeypatch):
    monkeypatch.setattr(st, "session_state", {"c": {"clicked": {"row": 2, "column": None, "x": 1, "y": 0.5}}})
    got = []
    setters = [(of, lambda value, of=of: got.append((of, value))) for of in ("row", "column", "x")]
    live._picked("c", [*setters, (lambda click: click["row"] * 10, got.append), (lambda click: None, got.append)])
    assert got == [("row", 2), ("x", 1.0), 20]
    monkeypatch.setattr(st, "session_state", {"c": {}})
    live._picked("c", setters)
    assert len(got) == 3


@pytest.mark.parametrize(
    ("slug", "place"),
    [
        ("matrix_multiplication", {"row": 9, "column": 3, "panel": 2}),
        ("heads_split_and_mixed", {"row": 1, "column": 1_000, "panel": 64}),
    ],
)
def test_a_click_on_a_chart_that_has_become_smaller_is_left_alone(app, slug, place):
    at = app(slug)
    for chart in [name for name, drawn in at.charts.items() if drawn.clickable]:
        at.tap(chart, **place, curve=0, point=None, x=0.0, y=0.0)
        assert not at.exception, chart
        assert at.charts


@pytest.fixture
def no_chunk(monkeypatch):
    monkeypatch.setattr(live, "CHUNK", None)


def test_without_the_chunk_streamlit_draws_the_same(app, monkeypatch):
    chunk = live.CHUNK
    monkeypatch.setattr(live, "CHUNK", None)
    at = app("softmax")
    assert not at.exception
    assert not components(at)
    stock = [json.loads(element.proto.spec) for element in at.get("plotly_chart")]
    monkeypatch.setattr(live, "CHUNK", chunk)
    ours = [chart.spec for chart in app("softmax").charts.values()]
    assert len(stock) == len(ours) == 5
    for one, other in zip(stock, ours, strict=True):
        assert one["layout"].pop("template")["layout"]["paper_bgcolor"] == theme.colour("paper")
        whole = json.loads(to_json_plotly(go.Figure(other)))
        whole["layout"].pop("template")  # Plotly's own
        assert one == whole


def test_without_the_chunk_dark_is_dark(app, no_chunk, monkeypatch):
    monkeypatch.setattr(type(st.context), "theme", SimpleNamespace(type="dark"))
    at = app("softmax")
    assert not at.exception
    specs = [element.proto.spec for element in at.get("plotly_chart")]
    assert len(specs) == 5
    for spec in specs:
        assert theme.DARK[theme.colour("paper")] in spec
        assert not [light for light in theme.DARK if light not in theme.DARK.values() and light in spec]


def test_every_slider_still_works_without_the_chunk(app, no_chunk):
    at = app("softmax")
    before = [element.proto.spec for element in at.get("plotly_chart")]
    at.set(temperature=3.0)
    assert [element.proto.spec for element in at.get("plotly_chart")] != before


def test_what_is_not_a_number_travels_as_a_gap(monkeypatch):
    sent = []
    monkeypatch.setattr(live, "_chart", lambda **call: sent.append(call["data"]))
    monkeypatch.setattr(live, "PACK_FROM", float("inf"))
    monkeypatch.setattr(live.run, "key", lambda name: name)
    nothing = SimpleNamespace(figures={}, pin=None, asked=None, edits=dict)
    monkeypatch.setattr(live.run, "current", lambda: nothing)
    figure = charts.lines([0, 1, 2, 3], [Series("y", [1, np.nan, np.inf, 2])], x_range=(0, 3), y_range=(0, 2))
    live.show("gap", figure, "A line with a gap.")
    live.show("raw", go.Figure({"type": "scatter", "y": [1.0, float("nan"), float("-inf")]}), "Raw values.")
    first, second = (json.loads(data["spec"], parse_constant=no_constant)["data"][0]["y"] for data in sent)
    assert first == [1.0, None, None, 2.0]
    assert second == [1.0, None, None]
    assert sent[0]["clickable"] is False


def test_a_large_figure_travels_compressed_and_whole(app, monkeypatch):
    monkeypatch.setattr(live, "PACK_FROM", float("inf"))
    at = app("attention_matrix")
    plain = json.loads(components(at)[1].json)["spec"]
    monkeypatch.setattr(live, "PACK_FROM", 1000)
    packed = json.loads(components(at.run())[0].json)["packed"]
    assert zlib.decompress(b64decode(packed)).decode() == plain
    assert len(packed) < len(plain) / 2
