"""What is taken hold of in a picture: the messages that set controls, and junk that sets nothing."""

import pytest

from tests.driven import Driven
from ui.charts.hands import MOST, Handle

CELL = {"control": "k", "row": 0, "column": 0, "value": 1}
pytestmark = pytest.mark.page


def values(at: Driven) -> dict:
    return {key: control.value for key, control in at.controls.items()}


def test_a_handle_says_where_it_is_and_which_way_it_goes():
    assert Handle({"a": "x"}, x=2.0).told() == {"x": 2.0, "y": None, "along": "x"}
    assert Handle({"a": "y"}, y=2.0, panel=1).told() == {"x": None, "y": 2.0, "along": "y", "panel": 1}
    assert Handle({"a": "angle"}, x=1.0, y=2.0).told() == {"x": 1.0, "y": 2.0, "along": "xy"}
    assert Handle({"a": "y"}, x=1.0, y=2.0, only="y").told()["only"] == "y"


def test_a_number_changed_by_hand_is_the_texts_and_the_links():
    at = Driven.open("attention_matrix")
    at.hold(
        "mix",
        {"control": "k", "row": 1, "column": 1, "value": 2.57},
        {"control": "q", "row": 0, "column": 3, "value": -1},
    )
    assert at.matrices["Keys K"][1, 1] == 2.57
    assert at.matrices["Queries Q"][0, 3] == -1
    assert "0.6 2.57 0.5 0.9" in at.controls["attention_matrix.k"].value
    assert "2.57" in at.unfold("take_away").link


@pytest.mark.parametrize(
    "junk",
    [
        None, 7, "k", {}, [], [None], [[]], [{"control": "k"}], [{"handle": 3, "x": 1, "y": 1}], [{"handle": "x"}],
        [CELL | {"control": "nothing"}], [CELL | {"row": 9}], [CELL | {"row": -1}], [CELL | {"row": 1e400}],
        [CELL | {"value": "nan"}], [CELL | {"value": "1e999"}], [CELL | {"row": 9}] * (MOST + 1),
    ],
)  # fmt: skip
def test_junk_sets_nothing(junk, opened):
    before = values(opened)
    opened._sends("mix", "held", junk)
    assert not opened.exception
    assert values(opened) == before


@pytest.fixture(scope="module")
def opened():
    return Driven.open("attention_matrix")


def test_a_number_beyond_its_limit_is_told_as_in_the_text():
    at = Driven.open("attention_matrix").hold("mix", {"control": "v", "row": 0, "column": 0, "value": 4000})
    assert "lies outside" in at.error[0].value
    assert at.matrices["Values V"][0, 0] == 0.1
    at.hold("mix", {"control": "v", "row": 0, "column": 0, "value": 4})
    assert not at.error
    assert at.matrices["Values V"][0, 0] == 4


def test_a_question_takes_nothing_from_the_hand():
    at = Driven.open("attention_matrix").ask("One loud key")
    before = values(at)
    at.hold("four", CELL)
    assert values(at) == before


def test_a_handle_stands_where_a_click_sets_a_control_and_moves_it():
    at = Driven.open("optimizers").hold("paths", {"handle": 0, "x": 1.5, "y": -0.5})
    assert (at.controls["optimizers.x_ravine"].value, at.controls["optimizers.y_ravine"].value) == (1.5, -0.5)


def numbers(at: Driven, name: str) -> list[list[float]]:
    return [[float(one) for one in row.split()] for row in at.control(name).value.split("\n")]


def test_a_number_that_is_shown_scaled_and_shifted_is_turned_back():
    at = Driven.open("rows_normalised", {"rows_normalised.row": "1", "rows_normalised.scale": "0.1"})
    at.hold("norms", *({"control": "x", "row": row, "column": 0, "value": 0.3} for row in (0, 1)))
    assert [row[0] for row in numbers(at, "x")][:2] == [0.3, 3]
    at.hold("norms", {"control": "x", "row": 1, "column": 0, "value": 500})  # 5000 is more than the text may hold
    assert numbers(at, "x")[1][0] == 100
    assert not at.error
    at = Driven.open("dot_product_against_cosine", {"dot_product_against_cosine.factor": "2"})
    at.hold("similarity", *({"control": "vectors", "row": row, "column": 1, "value": 3} for row in (0, 3)))
    assert [row[1] for row in numbers(at, "vectors")] == [2, 0.5, 2.5, 1, -1, -1, -0.5, -1.5]
    assert all("held" not in one for one in at.set(centre=True).charts["similarity"].layout["meta"]["matrices"])


def test_a_point_of_a_row_is_moved_and_followed():
    at = Driven.open("layer_normalisation", {"layer_normalisation.scale": "0.5", "layer_normalisation.shift": "1"})
    at.hold("stages", {"handle": 3, "x": 2.47, "y": 0.3})
    assert numbers(at, "row") == [[5, -1, 2, 3, 0, 3]]
    assert at.control("feature").value == 3
    assert at.charts["numbers"].heatmaps[0][0, 3] == 2.5


def test_rows_that_follow_padding_or_stand_above_masks_are_held_alone():
    at = Driven.open("pooling", {"pooling.side": "left"})
    assert at.charts["pooled"].layout["meta"]["matrices"][0]["own"] == [2, 8, 4]
    at.set(side="right")
    assert at.charts["pooled"].layout["meta"]["matrices"][0]["own"] == [0, 6, 4]
    at = Driven.open("dropout").hold("masks", {"control": "row", "row": 0, "column": 9, "value": -3})
    assert at.charts["masks"].heatmaps[0][0, 9] == -3
    assert at.charts["masks"].layout["meta"]["matrices"][0]["own"] == [0, 1, 10]


def test_the_end_of_a_logits_bar_sets_it_but_leaves_its_axis():
    at = Driven.open("softmax").hold("logits", {"handle": 3, "x": 9, "y": 1.234}, {"handle": 0, "x": 0, "y": 5.5})
    assert numbers(at, "logits") == [[4, 1, 0.5, 1.2, -0.5, -1, -2, 3]]
    assert at.charts["logits"].layout["yaxis"]["range"] == [-5.6, 5.6]
    at = Driven.open("one_distribution_one_token", {"one_distribution_one_token.shape": "ties"})
    at.hold("logits", {"handle": 11, "x": 0, "y": -2.04})
    assert numbers(at, "ties.logits")[0][-2:] == [-1, -2]


def test_a_dot_is_drawn_along_its_loss():
    at = Driven.open("cross_entropy_against_mse", {"cross_entropy_against_mse.scale": "0.5"})
    at.hold("cost", {"handle": 1, "x": 0.75, "y": 5})
    assert at.charts["cost"].data[-1]["x"][1] == pytest.approx(0.75, abs=2e-3)
    assert at.control("row").value == "row 1"
    unmoved = at.matrices["Logits"][1, 0]
    assert unmoved == 0.25
    at.set(scale=0.0)
    assert all("held" not in one for one in at.charts["gradients"].layout["meta"]["matrices"])


def test_positions_are_moved_where_they_stand():
    at = Driven.open("positions_compared").hold("curves", {"handle": 0, "x": -20.2, "y": 0})
    assert [at.control(name).value for name in ("start", "end")] == ["20", "0"]
    at.hold("matrices", {"handle": 2, "x": 5.6, "y": 30.7})
    assert [at.control(name).value for name in ("start", "end")] == ["31", "6"]
    at = Driven.open("sinusoidal_table").hold("table", {"handle": 0, "x": 20.2, "y": 40.7})
    assert [at.control(name).value for name in ("other_position", "other_column")] == ["41", "20"]
    at = Driven.open("rope_and_alibi", {"rope_and_alibi.shift": "10"})
    x, y = (at.charts["pair0"].spec["layout"]["annotations"][1][end] for end in ("x", "y"))
    at.hold("pair0", {"handle": 0, "x": y, "y": -x})  # a quarter of a turn back, at a radian a place
    assert at.control("query").value == 4
    at.hold("score", {"handle": 0, "x": 9.8, "y": 0}).hold("slopes", {"handle": 0, "x": 5.7, "y": 1})
    assert [at.control(name).value for name in ("query", "key", "head")] == [4, 14, "6"]


@pytest.mark.parametrize(
    ("slug", "link", "chart", "control", "matrix"),
    [
        ("heads_split_and_mixed", {}, "split", "x", "Tokens X"),
        ("transformer_deep_dive", {}, "qkv", "v", "Values V"),
        ("transformer_deep_dive", {"transformer_deep_dive.part": "Heads"}, "maps", "x", "Two words X"),
        ("transformer_deep_dive", {"transformer_deep_dive.part": "Masking"}, "mask", "s", "Before: all scores"),
        ("forward_and_backward", {}, "batch", "x", "Input x"),
    ],
)
def test_what_a_text_holds_is_held_in_the_picture(slug, link, chart, control, matrix):
    at = Driven.open(slug, link)
    called = next(one for one in at.charts[chart].layout["meta"]["matrices"] if one["title"] == matrix)
    assert called["held"] == control
    at.hold(chart, {"control": control, "row": 1, "column": 1, "value": 0.35})
    assert at.matrices[matrix][1, 1] == 0.35
    assert "0.35" in at.control(control).value


def test_a_matrix_of_the_model_is_held_where_it_is_chosen():
    at = Driven.open("architecture_ingredients", {"architecture_ingredients.matrix": "layers[0].b_1"})
    held = lambda: [
        one["title"]
        for chart in at.charts.values()
        for one in chart.layout.get("meta", {}).get("matrices", ())
        if "held" in one
    ]
    assert held() == ["8  b_1"]
    at.hold("layer", *({"control": "model", "row": 0, "column": c, "value": v} for c, v in ((1, 0.5), (3, -2))))
    assert at.matrices["8  b_1"].tolist() == [[0, 0.5, 0, -2, 0, 0]]
    assert "Changed against" in at.words()
    at.hold(
        "layer",
        {"control": "model", "row": 0, "column": 9, "value": 1},
        {"control": "model", "row": 0, "column": 0, "value": 1e9},
    )
    assert at.matrices["8  b_1"].tolist() == [[0, 0.5, 0, -2, 0, 0]]
    at.set(matrix="W_P").hold("embeddings", {"control": "model", "row": 0, "column": 0, "value": 3})
    assert at.matrices["2  W_P"][0, 0] == 3
    assert at.matrices["8  b_1"][0, 1] == 0.5


def test_the_step_of_a_run_is_dragged_along_both_its_curves():
    at = Driven.open("model_learns", {"model_learns.steps": "50"})
    for chart, x in (("loss", 20.2), ("norms", 30.9)):
        assert at.hold(chart, {"handle": 0, "x": x}).control("step").value == str(round(x))


def test_the_tips_of_both_arrows_and_the_angle_on_a_curve_are_dragged():
    at = Driven.open("dot_product_and_cosine").hold("arrows", {"handle": 0, "x": 0.0, "y": 2.0})
    assert (at.control("angle_a").value, at.control("length_a").value) == (90, 2.0)
    at.hold("arrows", {"handle": 1, "x": -1.0, "y": -1.0})
    assert (at.control("angle_b").value, at.control("length_b").value) == (225, 1.4)
    at.hold("dot", {"handle": 0, "x": 90.0, "y": 1.0})
    assert at.control("angle_a").value == 315


def test_a_line_of_ones_own_is_shifted_by_its_middle_and_turned_by_its_end():
    names = {"perceptron.w_1": "1", "perceptron.w_2": "1", "perceptron.bias": "-1", "perceptron.step": "0"}
    at = Driven.open("perceptron", names).hold("plane", {"handle": 4, "x": 1.0, "y": 1.0})
    start = lambda: [at.control(name).value for name in ("w_1", "w_2", "bias")]
    assert start() == [1, 1, -2]
    at.hold("plane", {"handle": 5, "x": 1.0, "y": -0.5})
    assert start() == [1.5, 0, -1.5]
    at.set(step="3").hold("plane", {"handle": 4, "x": 0.0, "y": 0.0})
    assert start() == [1.5, 0, -1.5]


def test_an_example_is_moved_at_any_step_and_stays_inside_its_square():
    at = Driven.open("perceptron").hold("plane", {"handle": 1, "x": 0.256, "y": 0.75})
    assert numbers(at, "examples") == [[0, 0, 0], [0.26, 0.75, 0], [1, 0, 0], [1, 1, 1]]
    assert "4 examples of your own" in at.charts["plane"].alt
    at.hold("plane", {"handle": 1, "x": 9, "y": 0.5}, {"handle": 4, "x": 0, "y": 0})  # neither is there to be set
    assert numbers(at, "examples") == [[0, 0, 0], [0.26, 0.5, 0], [1, 0, 0], [1, 1, 1]]
    assert not at.error
