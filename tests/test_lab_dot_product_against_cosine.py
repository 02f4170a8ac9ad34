"""An offset makes every cosine high, the mean takes it out again, and a long vector becomes everyone's neighbour."""

from types import SimpleNamespace

import numpy as np

from ui.labs.dot_product_against_cosine import cosine, cosines_by_offset, neighbours

SLUG = "dot_product_against_cosine"


def rows_of(at) -> list[list[str]]:
    """Who is whose: by dot product, by cosine, and whether they agree."""
    return at.charts["neighbours"].data[0]["text"]


def test_a_large_offset_and_its_cure(app):
    at = app(SLUG).click("A large offset")
    assert np.min(at.charts["similarity"].data[1]["z"]) > 0.7
    at = at.click("The mean subtracted")
    assert np.min(at.charts["similarity"].data[1]["z"]) < -0.9
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
    at = app(SLUG, {f"{SLUG}.vectors": "\n".join(["1 2 3 4"] * 8), f"{SLUG}.centre": "true"})
    assert not at.exception


def test_a_table_of_neighbours_flags_what_differs():
    assert neighbours(["a", "b", "c"], [1, 0, 0], [1, 2, 0], 1).data[0]["text"][2] == ["=", "≠", "="]


def test_mean_cosines_are_marked_where_the_offset_is():
    sweep = SimpleNamespace(offsets=[0, 1], within=[1.0, 1.0], between=[-1.0, 0.5])
    today = cosines_by_offset(sweep, 1.0, SimpleNamespace(within=1.0, between=0.5)).data[-1]
    assert (today["x"], today["y"]) == ((1.0, 1.0), (1.0, 0.5))


def test_a_cosine_without_a_direction_is_not_a_number():
    assert cosine("a", "b", 0.0, (0.0, 1.0), None).endswith(r"\frac{0}{0}\text{, undefined: shown as }0")
