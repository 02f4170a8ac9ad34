import json
import re

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.io.json import to_json_plotly

from ui import charts
from ui.charts import Arrow, Mark, Series, theme

MARKUP = "<b>&"  # what a visitor may have typed as a name
X = np.linspace(1, 3, 5)
ONE = Series(MARKUP, X**2, "query", band=(X, X**3), text=["a"] * 5)
GAP = Series("gap", [1, np.nan, np.inf, -np.inf, 0], "key", x=X + 1, dash="dot")
MARKS = [
    Mark(2, 4, MARKUP),
    Mark(1.5, None, MARKUP, "key"),
    Mark(2.9, None, "late"),
    Mark(np.nan, 1),
    Mark(np.inf, None),
]
GRID = np.linspace(-1, 1, 60)
FIGURES = {
    "lines": charts.lines(X, [ONE, GAP], title=MARKUP, x_title="x", x_range=(1, 3), y_range=(0, 9), marks=MARKS),
    "log lines": charts.lines(X, [ONE, GAP], log_x=True, log_y=True, x_range=(0.1, 10), y_range=(1e-6, 1), marks=MARKS),
    "ticks": charts.lines(X, [ONE], x_ticks={1: "one"}, y_ticks={4: "four"}, mode="lines+markers"),
    "steps": charts.lines(X, [ONE], x_step=45),
    "points": charts.points([ONE._replace(x=X)], x_range=(0, 1), y_range=(0, 1), paths=[GAP], marks=MARKS, equal=True),
    "bars": charts.bars(
        ["a", MARKUP], [Series(MARKUP, [1, np.inf], ["query", "key"])], y_range=(0, 1), marks=[Mark(0, 1)]
    ),
    "stacked bars": charts.bars(
        ["a"], [Series("b", [1]), Series("c", [2])], y_range=(0, 3), stacked=True, numbers=False
    ),
    "arrows": charts.arrows(
        [Arrow(1, 2, MARKUP), Arrow(0, 0), Arrow(1, 1, head=False)], limit=3, paths=[GAP], title="t"
    ),
    "no arrows": charts.arrows([], limit=1),
    "surface": charts.surface_paths(
        GRID, GRID, np.outer(GRID, GRID), [ONE._replace(x=X)], marks=MARKS, meta={"play": {}}
    ),
    "treemap": charts.treemap([MARKUP, "a"], ["", MARKUP], [3, 3], colours=["query", "key"], title="t"),
    "matrix": charts.matrix(np.eye(2), MARKUP, rows=["a", MARKUP], columns=["b", "c"], mark=(0, None)),
}
EACH = pytest.mark.parametrize("name", FIGURES)


def strings(part):
    """Every text in a figure's dictionary."""
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list | tuple):
        return [text for one in part for text in strings(one)]
    return [part] if isinstance(part, str) else []


@EACH
def test_plotly_accepts_every_figure(name):
    figure = FIGURES[name].to_dict()
    go.Figure(figure)
    go.Figure(json.loads(to_json_plotly(figure)))
    assert figure["layout"]["height"] > 100
    for narrow in [figure["layout"]["meta"]["narrow"]] if "narrow" in figure["layout"].get("meta", {}) else []:
        go.Figure(layout={k: v for k, v in narrow.items() if k != "annotations"})


@EACH
def test_names_never_become_markup(name):
    for text in strings(FIGURES[name].to_dict()):
        assert "<b>&" not in text.replace("<b>&lt;b&gt;&amp;", ""), text


@EACH
def test_every_colour_has_a_dark_partner(name):
    found = set(re.findall(r"#[0-9a-f]{6}", to_json_plotly(FIGURES[name].to_dict())))
    assert found <= set(theme.DARK)


def test_what_is_no_number_is_a_gap():
    gap = FIGURES["lines"].to_dict()["data"][3]
    assert gap["y"] == [1, None, None, None, 0]
    assert gap["x"] == (X + 1).tolist()


def test_a_band_is_drawn_under_its_line_without_a_name_of_its_own():
    low, high, line = FIGURES["lines"].to_dict()["data"][:3]
    assert (low["y"], high["y"]) == (X.tolist(), (X**3).tolist())
    assert high["fill"] == "tonexty"
    assert [trace.get("showlegend", True) for trace in (low, high, line)] == [False, False, True]


def test_log_axes_take_ranges_and_marks_in_the_datas_own_units_and_zeros_fall_off():
    figure = FIGURES["log lines"].to_dict()
    assert figure["layout"]["xaxis"]["range"] == [-1, 1]
    assert figure["layout"]["yaxis"]["range"] == [-6, 0]
    assert figure["layout"]["annotations"][0]["x"] == pytest.approx(np.log10(1.5))
    assert figure["layout"]["shapes"][0]["x0"] == 1.5
    assert figure["data"][3]["y"] == [1, None, None, None, 1e-300]


def test_marks_that_are_nowhere_are_left_out_and_late_ones_turn_their_words_inwards():
    figure = FIGURES["lines"].to_dict()
    assert (figure["data"][-1]["x"], figure["data"][-1]["y"]) == ([2], [4])
    early, late = figure["layout"]["annotations"]
    assert (early["xanchor"], late["xanchor"]) == ("left", "right")
    assert early["yshift"] > late["yshift"]


def test_bars_carry_their_numbers_and_their_colours():
    bars, _ = FIGURES["bars"].to_dict()["data"]
    assert bars["text"] == ["1.000", "∞"]
    assert bars["y"] == [1, None]
    assert bars["marker"]["color"] == [theme.colour("query"), theme.colour("key")]
    assert not any(bar.text for bar in FIGURES["stacked bars"].data)
    assert FIGURES["stacked bars"].layout.barmode == "stack"


def test_arrows_have_heads_unless_they_are_guides_or_go_nowhere():
    figure = FIGURES["arrows"].to_dict()
    assert sum(note.get("arrowhead", 0) > 0 for note in figure["layout"]["annotations"]) == 1
    assert [trace["mode"] for trace in figure["data"]] == ["lines", "lines"]


def test_a_surface_is_a_light_message_and_keeps_its_player():
    figure = FIGURES["surface"]
    assert figure.data[0].z.dtype == np.float32
    assert len(to_json_plotly(figure.to_dict())) < 40_000
    assert set(figure.layout.meta) == {"play", "narrow", "below"}


def test_areas_add_up_to_their_parent():
    (area,) = FIGURES["treemap"].to_dict()["data"]
    assert area["branchvalues"] == "total"
    assert area["parents"] == ["", "&lt;b&gt;&amp;"]


def test_numbers_on_bars_are_as_wide_as_their_digits_or_left_out():
    figure = charts.bars(["a", "b"], [Series("p", [2e-9, np.nan])], y_range=(0, 1))
    assert list(figure.data[0].text) == ["0.000", "undefined"]
    assert figure.layout.uniformtext.mode == "hide"
