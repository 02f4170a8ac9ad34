"""The texts follow the sizes, every cell can be reached, and sizes that do not meet are explained."""

import json

import numpy as np
import pytest

SLUG = "matrix_multiplication"


def heatmaps(at, chart: int = 0) -> list[np.ndarray]:
    charts = [json.loads(e.proto.json) for e in at.get("bidi_component") if '"spec"' in e.proto.json]
    return [np.array(trace["z"]) for trace in json.loads(charts[chart]["spec"])["data"] if trace["type"] == "heatmap"]


def text(at, name: str) -> str:
    return at.text_area(key=f"{SLUG}.{name}").value


def test_texts_follow_the_sizes_and_keep_what_was_written(app):
    at = app(SLUG)
    at.text_area(key=f"{SLUG}.A").set_value("9 8 7 6\n5 4 3 2\n1 0 1 0").run()
    at.slider(key=f"{SLUG}.k").set_value(5).run()
    assert [row.split()[:4] for row in text(at, "A").splitlines()] == [list("9876"), list("5432"), list("1010")]
    assert len(text(at, "B").splitlines()) == 5
    at.slider(key=f"{SLUG}.k").set_value(2).run()
    assert text(at, "A") == "9 8\n5 4\n1 0"
    at.text_area(key=f"{SLUG}.A").set_value("9 8\n5 x\n1 0").run()
    at.slider(key=f"{SLUG}.m").set_value(1).run()
    A, B, AB = heatmaps(at)
    assert A.tolist() == [[9, 8]]  # the last good numbers, cut to the new size
    np.testing.assert_array_equal(AB, A @ B)


@pytest.mark.parametrize("cell", ["AB[0, 0]", "AB[1, 1]", "AB[2, 0]"])
def test_a_step_lights_up_row_column_and_terms(app, cell):
    at = app(SLUG, {f"{SLUG}.step": cell})
    row, column = int(cell[3]), int(cell[6])
    A, B, AB = heatmaps(at)
    (terms,) = heatmaps(at, chart=1)
    np.testing.assert_array_equal(terms, [A[row], B[:, column], A[row] * B[:, column]])
    assert terms[2].sum() == AB[row, column]
    shapes = json.loads(json.loads(at.get("bidi_component")[1].proto.json)["spec"])["layout"]["shapes"]
    marks = [(s["xref"], s["x0"], s["y0"]) for s in shapes if s["type"] == "rect"]
    assert marks == [("x", -0.5, row - 0.5), ("x2", column - 0.5, -0.5), ("x3", column - 0.5, row - 0.5)]
    assert f"(AB)_{{{row},{column}}}" in at.get("latex")[0].value


def test_sizes_that_do_not_meet_are_explained_and_the_page_lives_on(app):
    at = app(SLUG, {f"{SLUG}.inner": "k + 1"})
    assert "The columns of A must be as many as the rows of B" in at.info[0].value.replace("\\", "")
    assert [h.shape for h in heatmaps(at)] == [(3, 4), (5, 2)]
    assert "finds no partner" in " ".join(m.value for m in at.markdown)
    assert not at.exception


def test_the_smallest_product(app):
    at = app(SLUG, {f"{SLUG}.{name}": "1" for name in "mkn"})
    assert [h.shape for h in heatmaps(at)] == [(1, 1)] * 3
    assert not at.exception
