"""What a picture remembers of before, and what a covered one keeps to itself."""

import numpy as np

from ui import charts
from ui.charts import Panel
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
