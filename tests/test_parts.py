import numpy as np
import pytest

from ui.charts import theme
from ui.charts.axes import scale
from ui.charts.parts import Mark, Series, band, fall, finite, scatter, with_marks


def test_nan_and_infinity_are_gaps_in_short_and_long_series():
    assert finite([1, np.nan, np.inf]) == [1.0, None, None]
    long = finite(np.r_[np.zeros(600), np.inf])
    assert long.dtype == np.float32
    assert np.isnan(long[-1])


def test_numbers_beyond_single_precision_travel_in_double():
    large = np.linspace(0, 1e39, 600)
    assert finite(large).tolist() == large.tolist()
    assert finite(-large).dtype == np.float64
    assert np.isnan(finite(np.r_[large, np.inf])[-1])
    assert finite(np.linspace(0, 3.4e38, 600)).dtype == np.float32


def test_a_zero_falls_off_a_log_axis_instead_of_breaking_the_line():
    assert fall(Series("a", [1.0, 0.0])).y.tolist() == [1.0, 1e-300]


def test_words_are_escaped_and_the_colour_is_the_meanings():
    trace = scatter(Series("<b>x</b>", [1], "query", text=["<i>"]), [0], "markers")
    assert (trace["name"], trace["text"]) == ("&lt;b&gt;x&lt;/b&gt;", ["&lt;i&gt;"])
    assert trace["line"]["color"] == theme.colour("query")
    with pytest.raises(KeyError):
        scatter(Series("a", [1], "no such meaning"), [0], "lines")


def test_a_band_is_two_edges_in_the_series_colour():
    assert band(Series("a", [1, 2]), [0, 1]) == []
    low, high = band(Series("a", [1, 2], "query", band=([0, 1], [2, 3])), [0, 1])
    assert (low["y"], high["y"], high["fill"]) == ([0, 1], [2, 3], "tonexty")
    assert high["fillcolor"].startswith(theme.colour("query"))


def test_marks_without_a_number_are_left_out():
    figure = with_marks(
        [],
        {"xaxis": scale("x", (0, 5))},
        [Mark(1, 2, "here"), Mark(np.nan, 1), Mark(1, np.inf), Mark(3, None, "up")],
        False,
    )
    assert (list(figure.data[0].x), list(figure.data[0].text)) == ([1], ["here"])
    assert [shape.x0 for shape in figure.layout.shapes] == [3]


def test_words_of_a_mark_turn_inwards_at_the_right_edge_and_stand_where_they_are_told():
    marks = [Mark(1, 2, "early"), Mark(9, 2, "late", "query"), Mark(9, 2, "told", at="bottom center")]
    today = with_marks([], {"xaxis": scale("x", (0, 10))}, marks, False).data[0]
    assert list(today.textposition) == ["top right", "top left", "bottom center"]
    assert list(today.textfont.color) == [theme.ink("today"), theme.ink("query"), theme.ink("today")]
