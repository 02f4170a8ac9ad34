"""The states where the two measures surprise: a right angle, and a vector without a direction."""

import pytest

SLUG = "dot_product_and_cosine"


def titles(at) -> list[str]:
    return [chart.layout["title"]["text"] for chart in at.charts.values()]


def test_a_right_angle_is_zero_and_not_a_rounding_error(app):
    at = app(SLUG)
    for angle in range(0, 360, 7):
        at.set(angle_a=(angle + 90) % 360, angle_b=angle)
        assert titles(at)[1:] == ["<b>Dot product: 0.000</b>", "<b>Cosine: 0.000</b>"]
        assert "right angle" in at.words()


@pytest.mark.parametrize(
    ("zero", "said"),
    [("a", "**a** has length 0, so it"), ("b", "**b** has"), ("ab", "**a and b** have length 0, so they")],
)
def test_a_zero_vector_in_words(app, zero, said):
    at = app(SLUG, {f"{SLUG}.length_{name}": "0" for name in zero})
    assert "undefined" in titles(at)[2]
    assert said in at.words()
    assert "the cosine would still be" not in at.words()
    assert "1 − cosine = " not in at.words()
    assert ("there is no projection" in at.words()) == ("b" in zero)
    assert "from 0.000 down" not in at.words()
    assert not at.exception


@pytest.mark.parametrize("link", [{"angle_a": "110"}, {"angle_a": "110", "length_b": "0.1"}, {"angle_b": "165"}])
def test_rounding_at_a_right_angle_is_not_shown(app, link):
    assert "e−" not in app(SLUG, {f"{SLUG}.{name}": value for name, value in link.items()}).words()


def test_presets_are_answered(app):
    at = app(SLUG)
    assert (
        "is **0.000** long, and with it the dot product and the cosine are 0.000" in at.click("A right angle").words()
    )
    assert "the dot product is **−10.500**, the cosine **−1.000**" in at.click("Head on").words()
    assert "4 · 4 = **16** times" in at.click("Long and askew").words()
    assert "there is no angle" in at.click("No direction").words()


def test_the_dot_product_is_lengths_times_cosine(app):
    assert any(
        r"\cos 55.0^\circ = 3.000" in formula and formula.rstrip("$ \n").endswith("0.5736 = 6.023")
        for formula in app(SLUG).texts("latex")
    )


def test_length_moves_the_dot_product_only(app):
    short, long = (app(SLUG, {f"{SLUG}.length_b": length}) for length in ("1", "4"))
    assert titles(short)[1] != titles(long)[1]
    assert titles(short)[2] == titles(long)[2]


def test_head_on_is_minus_both_lengths(app):
    words = app(SLUG).ask("Head on").predict(-10.5).press("ask_show").words()
    assert "**Right.** The dot product goes from 6.023 to −10.500" in words  # 3 · 3.5, at a cosine of −1


def test_vectors_of_one_direction_are_no_rounding_error_apart(app):
    for angle in range(0, 360, 20):
        at = app(SLUG, {f"{SLUG}.angle_a": str(angle), f"{SLUG}.angle_b": str(angle)})
        assert "e−" not in at.words(), angle
