"""An offset makes every cosine high, the mean takes it out again, and a long vector becomes everyone's neighbour."""

from types import SimpleNamespace

import numpy as np
import pytest

from ui.labs.dot_product_against_cosine import cosine, cosines_by_offset, neighbours

SLUG = "dot_product_against_cosine"


def linked(app, **controls):
    return app(SLUG, {f"{SLUG}.{name}": str(value) for name, value in controls.items()})


def rows_of(at) -> list[list[str]]:
    """Who is whose: by dot product, by cosine, and whether they agree."""
    return at.charts["neighbours"].data[0]["text"]


def test_a_large_offset_and_its_cure(app):
    at = app(SLUG).click("A large offset")
    assert np.min(at.charts["similarity"].data[2]["z"]) > 0.7
    at = at.click("The mean subtracted")
    assert np.min(at.charts["similarity"].data[2]["z"]) < -0.9
    for line in at.charts["offsets"].data[:2]:
        assert np.ptp(line["y"]) < 1e-12


def test_a_long_vector_is_nearest_by_dot_product_only(app):
    before = rows_of(app(SLUG).click("No offset"))
    after = rows_of(app(SLUG).click("One long vector"))
    assert after[0].count("v1") > before[0].count("v1")
    assert after[1] == before[1]


def test_flags_agree_with_the_two_rows(app):
    for offset in ("0", "1", "5"):
        by_dot, by_cosine, flags = rows_of(app(SLUG, {f"{SLUG}.offset": offset}))
        assert flags == ["≠" if a != b else "=" for a, b in zip(by_dot, by_cosine, strict=True)]


def test_vectors_without_direction_in_words(app):
    at = app(SLUG, {f"{SLUG}.vectors": "\n".join(["0 0 0 0"] * 8), f"{SLUG}.offset": "0"})
    assert not at.exception
    assert "a zero vector has no direction" in at.words()
    assert "against v0" not in at.words()
    assert "of the 7 others" not in at.words()
    assert rows_of(at) == [["none"] * 8, ["none"] * 8, ["="] * 8]
    assert "Pearson's correlation: undefined" in at.words()
    at = app(SLUG, {f"{SLUG}.vectors": "\n".join(["1 2 3 4"] * 8), f"{SLUG}.centre": "true"})
    assert not at.exception


def test_a_table_of_neighbours_flags_what_differs():
    assert neighbours(["a", "b", "c", "none"], [1, 0, 0], [1, 2, 0], 1).data[0]["text"][2] == ["=", "≠", "="]


def test_mean_cosines_are_marked_where_the_offset_is():
    sweep = SimpleNamespace(offsets=[0, 1], within=[1.0, 1.0], between=[-1.0, 0.5])
    today = cosines_by_offset(sweep, 1.0, SimpleNamespace(within=1.0, between=0.5)).data[-1]
    assert (today["x"], today["y"]) == ((1.0, 1.0), (1.0, 0.5))


def test_a_cosine_without_a_direction_is_not_a_number():
    assert cosine("a", "b", 0.0, (0.0, 1.0), None).endswith(r"\frac{0}{0}\text{, undefined: shown as }0")


def test_a_zero_vector_is_nobodys_neighbour(app):
    at = linked(app, offset=0, factor=0)
    by_dot, by_cosine, _ = rows_of(at)
    assert (by_dot[3], by_cosine[3]) == ("none", "none")
    assert "v3" not in by_dot + by_cosine


@pytest.mark.parametrize(
    ("preset", "sentence"),
    [
        ("No offset", "between the two **−0.793**: 16 of the 16 cosines between them are negative."),
        ("A large offset", "Even the least alike two, v2 and v6, have a cosine of 0.768."),
        (
            "The mean subtracted",
            "Nothing is left of the offset: from 0 to 5 the mean cosine between the clusters stays −0.838",
        ),
        (
            "The mean subtracted",
            "−0.793 to −0.838. It leaves 3 vectors with another neighbour by cosine than by dot product, against 2",
        ),
        (
            "One long vector",
            "At 5 times its length v1 is the nearest of v0, v2, v3 by dot product, at its own of none; by cosine",
        ),
    ],
)
def test_a_preset_is_answered(app, preset, sentence):
    assert sentence in app(SLUG).click(preset).words()


def test_the_mean_of_all_is_said_to_need_its_switch(app):
    words = app(SLUG).words()
    assert "with the switch on, that of all vectors: cos(v3, v2) = 0.835" in words
    assert "NumPy's corrcoef, which is Pearson's correlation: 0.890" in words  # np.corrcoef gives 0.8895529
    assert "= 0.835" in linked(app, centre="true").words()


def test_a_search_that_keeps_the_diagonal_is_faiss(app):
    assert "2 of 8 vectors find themselves by dot product" in app(SLUG).words()  # IndexFlatIP: 2 2 2 2 6 6 6 6
    same = app(SLUG).set(vectors="\n".join(["1 1 1 1"] * 8))
    assert "1 of 8 vectors finds itself by dot product" in same.words()  # of eight alike the first is found
    assert "that of all vectors: cos(v3, v2) = undefined" in same.words()  # nothing is left of either


def test_a_click_chooses_both_vectors_of_the_sum(app):
    at = app(SLUG).tap("similarity", panel=2, row=5, column=0)
    assert "v5 and v0" in at.texts("header")
    assert (at.control("row").value, at.control("column").value) == ("v5", "v0")
    box = at.charts["similarity"].boxes()[-1]
    assert (box["x0"] + box["x1"], box["y0"] + box["y1"]) == (0, 10)


def test_the_nearest_by_cosine_is_clicked(app):
    at = app(SLUG).ask("The nearest by cosine").tap("similarity", panel=2, row=3, column=0).press("ask_show")
    # v3 and v0, an offset of 1 added: (1.5, 2, 0, 1) and (3, 2.5, 0, 0.5), 10 over the roots of 7.25 and 15.5
    assert "**Right.** By cosine v0, 0.943; by dot product v2, 13.000" in at.words()
