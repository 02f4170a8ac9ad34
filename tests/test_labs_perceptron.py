from types import SimpleNamespace

import numpy as np

from ui.labs.perceptron import Examples, ended, epochs, looked, plane, points, without_a_line

DATA = Examples(np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0, 1, 1]), "your own", (0.0, 1.0))
WRONG, LINE = np.array([False, True, False]), np.array([[0.0, 1.0], [1.0, 0.0]])
TINTED = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def named(figure) -> dict:
    return {trace["name"]: trace for trace in figure.to_dict()["data"]}


def test_the_plane_shows_the_line_before_from_the_first_look_on():
    first = named(plane(DATA, WRONG, LINE, None, None, TINTED))
    assert (first["mistake"]["x"], first["mistake"]["y"]) == ([0.0], [1.0])
    assert (first["target 1"]["x"], first["target 0"]["x"]) == ([0.0, 1.0], [0.0])
    assert not {"before", "looked at"} & set(first)
    later = named(plane(DATA, WRONG, LINE, LINE + 1, 2, TINTED))
    assert later["before"]["y"] == [2.0, 1.0]
    assert (later["looked at"]["x"], later["looked at"]["y"]) == ([1.0], [1.0])


def test_only_whole_epochs_are_drawn_full():
    drawn = named(epochs((2, 1, 0), [4, 8, 12], n=4, taken=11, looks=120))
    assert drawn["so far"]["x"] == [4, 8]
    assert drawn["still to come"]["y"] == [2, 1, 0]


def test_mistakes_stay_inside_their_chart_however_many():
    top = lambda mistakes, n: epochs(mistakes, [n], n=n, taken=0, looks=120).to_dict()["layout"]["yaxis"]["range"][1]
    assert (top((4,), 4), top((11,), 20), top((24,), 24)) == (4.9, 12, 25)


def test_a_point_is_called_by_its_number_and_class_and_sets_its_two_numbers():
    point = points(DATA)[1]
    assert (point.x, point.y, point.told()["name"]) == (0.0, 1.0, "Example 2, class 1")
    set_by = {control: of({"x": 0.123, "y": 4.567}) for control, of in point.sets.items()}
    assert set_by == {("examples", 1, 0): 0.12, ("examples", 1, 1): 4.57}


def said(pairs: list) -> list[str]:
    return [sentence for claim, sentence in pairs if claim]


def test_a_look_says_what_it_moved():
    (away,) = said(looked(SimpleNamespace(update=-0.5), 3))
    assert away == "Look 3 was a mistake, so w moved by **−0.500 · x**, away from an example that should be 0."
    (towards,) = said(looked(SimpleNamespace(update=0.5), 3))
    assert towards.endswith("towards an example that should be 1.")
    (right,) = said(looked(SimpleNamespace(update=0.0), 3))
    assert right.startswith("Look 3 was right")


def test_an_end_is_told_with_its_reason():
    assert "**1 epoch**, 4 looks" in said(ended((0,), n=4, possible=True))[0]
    (yet,) = said(ended((3, 1), n=20, possible=True))
    assert "after 40 looks: epoch 2 still made 1 mistake." in yet
    (never,) = said(ended((2, 2), n=4, possible=False))
    assert "never die out" in never


def test_no_line_has_its_reason():
    assert "the answer is 1 everywhere" in said(without_a_line([0.0, 0.0], 0.5, []))[0]
    assert said(without_a_line([0.0, 1.0], 9.0, []))[0].startswith("The line lies outside")
    assert said(without_a_line([0.0, 1.0], 0.5, LINE)) == []
