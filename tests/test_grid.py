from ui.charts import grid


def test_panels_share_lines_and_axes_are_numbered_from_two():
    assert [grid.axis(i) for i in range(3)] == ["", "2", "3"]
    assert grid.lines(5, 2) == [[0, 1], [2, 3], [4]]
    assert grid.lines(0, 3) == []


def test_a_place_adds_to_an_axis_and_leaves_the_layout_it_was_given():
    layout = {"xaxis": {"range": [0, 1]}}
    assert grid.placed(layout, {"xaxis": {"domain": [0, 1]}, "height": 5})["xaxis"] == {
        "range": [0, 1],
        "domain": [0, 1],
    }
    assert layout == {"xaxis": {"range": [0, 1]}}


def test_a_title_stands_on_the_corner_it_is_given():
    words = grid.title("<b>A</b>", 0.25, 1, yshift=6)
    assert (words["text"], words["x"], words["y"], words["yshift"]) == ("<b>A</b>", 0.25, 1, 6)


def test_only_what_differs_travels_to_a_phone():
    assert grid.changes([{"x": 1}], [{"x": 1}, {"x": 2}]) == [{"x": 1}, {"x": 2}]
    assert grid.changes({"a": 1}, {"a": 1}) == {}
