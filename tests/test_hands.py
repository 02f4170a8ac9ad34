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
