"""The texts follow the sizes, every cell can be reached, and sizes that do not meet are explained."""

import numpy as np
import pytest

SLUG = "matrix_multiplication"


def test_texts_follow_the_sizes_and_keep_what_was_written(app):
    at = app(SLUG)
    at.set(A="9 8 7 6\n5 4 3 2\n1 0 1 0")
    at.set(k=5)
    assert [row.split()[:4] for row in at.control("A").value.splitlines()] == [list("9876"), list("5432"), list("1010")]
    assert len(at.control("B").value.splitlines()) == 5
    at.set(k=2)
    assert at.control("A").value == "9 8\n5 4\n1 0"
    at.set(A="9 8\n5 x\n1 0")
    at.set(m=1)
    A, B, AB = at.charts["product"].heatmaps
    assert A.tolist() == [[9, 8]]  # the last good numbers, cut to the new size
    np.testing.assert_array_equal(AB, A @ B)


@pytest.mark.parametrize("cell", ["AB[0, 0]", "AB[1, 1]", "AB[2, 0]"])
def test_a_step_lights_up_row_column_and_terms(app, cell):
    at = app(SLUG, {f"{SLUG}.step": cell})
    row, column = int(cell[3]), int(cell[6])
    A, B, AB = at.charts["product"].heatmaps
    (terms,) = at.charts["terms"].heatmaps
    np.testing.assert_array_equal(terms, [A[row], B[:, column], A[row] * B[:, column]])
    assert terms[2].sum() == AB[row, column]
    marks = [(box["xref"], box["x0"], box["y0"]) for box in at.charts["product"].boxes()]
    assert marks == [("x", -0.5, row - 0.5), ("x2", column - 0.5, -0.5), ("x3", column - 0.5, row - 0.5)]
    assert f"(AB)_{{{row},{column}}}" in at.get("latex")[0].value


def test_sizes_that_do_not_meet_are_explained_and_the_page_lives_on(app):
    at = app(SLUG, {f"{SLUG}.inner": "k + 1"})
    assert "The columns of A must be as many as the rows of B" in at.texts("info")[0]
    assert [h.shape for h in at.charts["product"].heatmaps] == [(3, 4), (5, 2)]
    assert "finds no partner" in at.words()
    assert not at.exception


def test_the_smallest_product(app):
    at = app(SLUG, {f"{SLUG}.{name}": "1" for name in "mkn"})
    assert [h.shape for h in at.charts["product"].heatmaps] == [(1, 1)] * 3
    assert not at.exception


RIGHT = {  # state: what is said there
    "": [
        "6 cells of 4 multiplications and 3 additions: exactly 42.",
        "2·m·k·n, takes an addition more for each cell: **48 FLOPs**",
        "3 × 4 and 4 × 2 do not fit",
        "(3 × 4) times (4 × 2)",
    ],
    "m=6&k=1&n=6": [
        "36 cells of 1 multiplication and 0 additions: exactly 36.",
        "**72 FLOPs**",
        "6 × 6 without an error, exactly AB",
        "It is 1 × 1, AB is 6 × 6",
        "The 1 term whose sum is",
    ],
    "m=1&k=6&n=1": ["6 × 6 without an error, 3 in [0, 0]", "1 × 1 is left, 1 number."],
    "m=2&n=2&inner=k + 1": ["as many as the rows of A, 2. It is 5 × 4; AB does not exist."],
    "m=3&k=3&n=3&A=1 0 0\n0 1 0\n0 0 1": ["Both orders exist, and here BA is AB.", "rows 0, 1, 2 of B"],
    "k=3&A=0 1 0\n0 0 1\n1 0 0": ["the rows of AB are rows 1, 2, 0 of B."],
    "A=1.1 2 0 -1\n2 -1 1 3\n0 3 -2 1": [r"1.1 \cdot\nobreak 3.0 +", "= 3.3"],
}


@pytest.mark.parametrize("state", RIGHT)
def test_what_is_said_is_right(app, state):
    link = dict(pair.split("=") for pair in state.split("&") if pair)
    words = app(SLUG, {f"{SLUG}.{name}": value for name, value in link.items()}).words()
    for sentence in RIGHT[state]:
        assert sentence in words
    assert "and as many additions" not in words
    assert "these shapes differ" not in words
    assert "not the same thing" not in words


def test_a_click_on_the_row_of_b_that_comes_out_is_right(app):
    at = app(SLUG).ask("One 1 in each row").tap("product", panel=1, row=1, column=0).press("ask_show")
    assert "**Right.**" in at.words()
    assert "0.0 · row 0 + 1.0 · row 1 + 0.0 · row 2 is 1.0, 2.0." in at.words()
    at = app(SLUG).ask("A column times a row").predict(36.0).press("ask_show")
    assert (
        "**Right.** The inner sizes meet and vanish: from 6 numbers to 36, each the sum of 1 product now." in at.words()
    )
