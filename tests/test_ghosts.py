"""What a picture remembers of before, and what a covered one keeps to itself."""

import numpy as np

from ui import charts
from ui.charts import BarPanel, Panel, Series, TilePanel, bar_rows, surface_paths, tiles, treemap
from ui.charts.cover import cover
from ui.charts.figure import parts
from ui.charts.ghosts import behind, changes

A = Panel([[1.0, 2.0], [3.0, 4.0]], "A", ["the", "cat"])
MORE = A._replace(values=[[1.5, 2.0], [9.0, 9.0], [3.0, 4.0]], rows=["the", "big", "cat"])


def drawn(*panels):
    return charts.matrices(list(panels), per_row=3)


def cells(figure) -> dict:
    heatmaps = [trace for trace in parts(figure)["data"] if trace["type"] == "heatmap"]
    titles = [note["text"].split("</b>")[0].split(">")[-1] for note in parts(figure)["layout"]["annotations"]]
    return dict(zip(titles, (heatmap["text"] for heatmap in heatmaps), strict=False))


def test_a_matrix_is_compared_with_itself_where_another_has_gone():
    was = parts(drawn(A, A._replace(title="B", values=[[5.0, 6.0], [7.0, 8.0]]), A._replace(title="AB")))
    now = drawn(A, A._replace(title="B", values=[[5.0, 6.5], [7.0, 8.0]]))
    assert changes(now, was) == [(0.5, "B: the, 1 6.000 → 6.500")]
    shown = cells(behind(now, was))
    assert shown["A"][0] == ["1.000", "2.000"]
    assert "6.000" in shown["B"][0][1]


def test_masked_cells_shift_no_matrix_on_to_another():
    masked = A._replace(title="masked", masked=np.array([[False, True], [False, False]]))
    was = parts(drawn(A, A._replace(title="masked"), A._replace(title="weights", values=np.ones((2, 2)))))
    now = drawn(A, masked, A._replace(title="weights", values=np.zeros((2, 2))))
    assert {text.split(":")[0] for _, text in changes(now, was)} == {"weights"}


def test_of_a_matrix_of_another_size_the_rows_that_are_still_there_are_compared():
    assert changes(drawn(MORE), parts(drawn(A))) == [(0.5, "A: the, 0 1.000 → 1.500")]


def test_names_that_only_a_covered_matrix_has_are_covered_with_it():
    figure = drawn(A, A._replace(title="held", rows=["big 0", "the 4"]), A._replace(title="weights"))
    layout = parts(cover(figure, ("held", "weights")))["layout"]
    assert layout["yaxis2"]["ticktext"] == []
    assert layout["yaxis3"]["ticktext"] == ["the", "cat"]
    assert layout["xaxis2"]["ticktext"] == ["0", "1"]
    assert parts(cover(figure))["layout"]["yaxis2"]["ticktext"] == ["big 0", "the 4"]


def before(figure, was) -> list[dict]:
    return [trace for trace in parts(behind(figure, parts(was)))["data"] if trace.get("name") == "before"]


def test_tiles_that_were_cut_otherwise_have_their_former_cut_under_them():
    cut = lambda *rows: tiles([TilePanel("Cut", rows, ["a", "b", "c"], {})], columns=6, lines=3)
    (ghost,) = before(cut(["low", "er"], ["new"], ["pun"]), cut(["low", "e", "r"], ["new"], ["hugs"]))
    assert [*zip(ghost["base"], ghost["x"], strict=True)] == [(0, 3), (3, 1), (4, 1)]  # the third holds another word
    assert {int(row) for row in ghost["y"]} == {0}
    assert not before(cut(["low"]), cut(["low"]))


def test_areas_say_how_large_they_were():
    drawn = lambda W_E: treemap(["all", "W_E", "W_P"], ["", "all", "all"], [W_E + 9, W_E, 9], colours=["ink"] * 3)
    (area,) = parts(behind(drawn(20), parts(drawn(15))))["data"]
    assert [text.split(">was ")[-1] for text in area["texttemplate"][:2]] == ["24</span>", "15</span>"]
    assert "was" not in area["texttemplate"][2]
    assert changes(drawn(20), parts(drawn(15))) == [(5, "all: 24 → 29"), (5, "W_E: 15 → 20")]


def test_a_lying_bar_is_compared_with_that_of_its_own_row_and_stays_on_it():
    bars = lambda rows, values: bar_rows([BarPanel("Next", (0, 1), values, text=["", ""], rows=rows)])
    now = bars(["cat", "dog"], [0.5, 0.25])
    (ghost,) = before(now, bars(["dog", "hen"], [0.75, 0.125]))
    assert ghost["x"] == [None, 0.75]
    assert not [trace for trace in parts(behind(now, parts(now)))["data"] if "offsetgroup" in trace]


def test_the_path_of_before_lies_over_the_surface():
    drawn = lambda y: surface_paths([0, 1], [0, 1], [[0, 1], [1, 2]], [Series("SGD", [0, y], x=[0, 1])])
    surface, *_ = parts(drawn(0.5))["data"]
    (ghost,) = before(drawn(0.5), drawn(0.75))
    assert surface["zorder"] < ghost["zorder"]
    assert ghost["y"] == [0, 0.75]
