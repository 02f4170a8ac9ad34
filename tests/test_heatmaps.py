import numpy as np
import plotly.graph_objects as go
import pytest

from ui.charts import theme
from ui.charts.figure import parts
from ui.charts.heatmaps import Panel, matrices, matrix

SMALL = np.array([[0.5, -1.0, np.nan], [1e-9, 2e7, -0.0004]])


def texts(figure) -> list:
    return figure.to_dict()["data"][0]["text"]


def test_numbers_stand_in_cells_with_fixed_decimals():
    figure = matrix(SMALL, "A")
    go.Figure(figure.to_dict())
    assert texts(figure) == [["0.500", "−1.000", ""], ["0.000", "2.00e+07", "0.000"]]
    assert texts(matrix(SMALL, "A", digits=1))[0][0] == "0.5"
    assert texts(matrix(np.eye(2), "A", words=[["a", "b"], ["c", "d"]])) == [["a", "b"], ["c", "d"]]


def test_large_numbers_give_up_decimals_before_they_outgrow_their_cell():
    assert texts(matrix([[70079.885, -6417.04, 127.5, -12.3456]], "A")) == [["70080", "−6417", "127.50", "−12.346"]]


def test_a_title_too_long_for_its_place_ends_at_the_right_edge():
    panels = [Panel(np.eye(6), "left"), Panel(np.ones((6, 2)), "a title wider than two columns")]
    left, right = matrices(panels, per_row=2).layout.annotations
    assert (left.xanchor, right.xanchor, right.x) == ("left", "right", 1)


@pytest.mark.parametrize(("names", "lines"), [(["a", "b"], 1), (["journey", "starts"], 2)])
def test_a_phone_gives_two_matrices_one_line_only_where_both_fit(names, lines):
    figure = matrices([Panel(np.eye(2), "A", names, names)] * 2, per_row=2)
    assert len({note.y for note in figure.layout.annotations}) == 1
    phone = figure.layout.to_plotly_json()["meta"]["narrow"]
    ys = {phone.get(axis, {}).get("domain", figure.layout[axis].domain)[1] for axis in ("yaxis", "yaxis2")}
    assert len(ys) == lines


@pytest.mark.parametrize(("n", "shown"), [(12, True), (13, False)])
def test_up_to_twelve_rows_and_columns_show_their_numbers(n, shown):
    heat = matrix(np.eye(n), "A").to_dict()["data"][0]
    assert ("text" in heat) == shown


def test_a_large_matrix_keeps_numbers_beyond_single_precision():
    values = np.full((13, 13), -3.5e38)
    assert parts(matrix(values, "A"))["data"][0]["z"].tolist() == values.tolist()
    assert parts(matrix(np.eye(13), "A"))["data"][0]["z"].dtype == np.float32


def test_masked_cells_are_hatched_and_say_so():
    figure = matrix(np.ones((2, 2)), "A", masked=[[False, True], [False, False]])
    go.Figure(figure.to_dict())
    heat, label = figure.to_dict()["data"]
    assert heat["z"] == [[1, None], [1, 1]]
    assert (label["x"], label["y"], label["text"]) == ([1], [0], ["−∞"])
    hatch = [s for s in figure.layout.shapes if s.line.color == theme.colour("hatch")]
    assert len(hatch) == 1
    zero = matrix(np.ones((1, 1)), "A", masked=[[True]], gone="0").to_dict()["data"][1]
    assert zero["text"] == ["0"]


@pytest.mark.parametrize(
    ("mark", "box"),
    [((1, 2), (1.5, 2.5, 0.5, 1.5)), ((1, None), (-0.5, 2.5, 0.5, 1.5)), ((None, 2), (1.5, 2.5, -0.5, 1.5))],
)
def test_todays_choice_is_outlined(mark, box):
    figure = matrix(SMALL, "A", mark=mark)
    (outline,) = [s for s in figure.layout.shapes if s.line.color == theme.colour("today")]
    assert (outline.x0, outline.x1, outline.y0, outline.y1) == box


def test_matrices_share_a_scale_by_kind_and_limit():
    kinds = [Panel(SMALL, "a"), Panel(SMALL, "b"), Panel(SMALL, "c", limit=2), Panel(SMALL, "d", kind="probability")]
    figure = matrices(kinds)
    go.Figure(figure.to_dict())
    axes = [trace.coloraxis for trace in figure.data if trace.type == "heatmap"]
    assert axes[0] == axes[1]
    assert len(set(axes)) == 3
    scale = figure.layout[axes[3]]
    assert (scale.cmin, scale.cmax) == (0, 1)
    assert (figure.layout[axes[0]].cmin, figure.layout[axes[0]].cmax) == (-1, 1)


def test_titles_carry_the_shape_and_names_are_escaped():
    figure = matrix(SMALL, "<A>", rows=["<r>", "s"], columns=["x", "y", "<z>"], bands=((2, 3, "key"),), colour="key")
    go.Figure(figure.to_dict())
    (title,) = figure.layout.annotations
    assert "&lt;A&gt;" in title.text
    assert "2 × 3" in title.text
    assert figure.layout.yaxis.ticktext[0] == "&lt;r&gt;"
    assert figure.layout.xaxis.ticktext[2] == f'<b style="color:{theme.ink("key")}">&lt;z&gt;</b>'


@pytest.mark.parametrize("per_row", [1, 2, 3])
def test_matrices_stand_beside_each_other_without_overlap_also_on_a_phone(per_row):
    panels = [
        Panel(np.ones((3, 2)), "a"),
        Panel(np.ones((1, 4)), "b"),
        Panel(np.ones((5, 5)), "c", rows=["long name"] * 5),
    ]
    figure = matrices(panels, per_row=per_row)
    go.Figure(figure.to_dict())
    layout = figure.to_dict()["layout"]
    phone = layout["meta"]["narrow"]
    for place in ({}, phone):
        axes = {name: axis | place.get(name, {}) for name, axis in layout.items() if "axis" in name[:5]}
        boxes = [(*axes[f"xaxis{i}"]["domain"], *axes[f"yaxis{i}"]["domain"]) for i in ("", 2, 3)]
        for left, right, low, high in boxes:
            assert 0 <= left < right <= 1.0001
            assert 0 <= low < high <= 1.0001
        for k, a in enumerate(boxes):
            for b in boxes[:k]:
                assert a[0] >= b[1] - 1e-9 or a[1] <= b[0] + 1e-9 or a[2] >= b[3] - 1e-9 or a[3] <= b[2] + 1e-9
    assert phone.get("height", layout["height"]) >= layout["height"]


def test_a_figure_says_from_which_width_on_its_matrices_stand_beside_each_other():
    below = lambda n, **more: matrices([Panel(np.eye(4), "A", **more)] * n, per_row=n).layout.meta["below"]
    assert below(1) == 560
    assert 560 <= below(2) < below(4) < below(4, columns=["a long name"] * 4) == 880
    assert below(2, rows=["a name"] * 4) >= below(2)


def test_a_title_leaves_out_the_axes_where_the_next_title_stands():
    scores = Panel(np.eye(2), "3 Weights, yours", axes=("query", "key"))
    titles = lambda per_row: [a["text"] for a in matrices([scores] * 4, per_row=per_row).layout.annotations]
    assert ["query ↓ key →" in text for text in titles(4)] == [False, False, False, True]
    assert all("query ↓ key →" in text for text in titles(2))


def test_short_numbers_have_room_in_sixteen_columns():
    wide = np.full((4, 16), 0.5)
    assert "text" not in matrix(wide, "A").to_dict()["data"][0]
    assert texts(matrix(wide, "A", digits=2))[0][0] == "0.50"
    assert "text" not in matrix(np.full((4, 17), 0.5), "A", digits=2).to_dict()["data"][0]


def test_a_sign_stands_before_its_matrix_where_another_one_is_beside_it():
    layout = matrices([Panel(np.eye(2), "x"), Panel(np.eye(9), "h", sign="→")], per_row=2).to_dict()["layout"]
    notes, domains = layout["annotations"], [layout[axis]["domain"] for axis in ("xaxis", "xaxis2")]
    assert notes[2]["text"] == "→"
    assert domains[0][1] < notes[2]["x"] < domains[1][0]
    assert layout["meta"]["narrow"]["annotations"][2]["text"] == ""


def test_right_answers_have_an_outline_in_ink():
    figure = matrix([[0.5, 0.5], [0.1, 0.9]], "p", kind="probability", right=((0, 1), (1, 0))).to_dict()
    boxes = [shape for shape in figure["layout"]["shapes"] if shape["type"] == "rect"]
    assert [(round((b["y0"] + b["y1"]) / 2), round((b["x0"] + b["x1"]) / 2)) for b in boxes] == [(0, 1), (1, 0)]
    assert {box["line"]["color"] for box in boxes} == {theme.colour("ink")}
