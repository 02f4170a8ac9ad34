"""The states where the two measures surprise: a right angle, and a vector without a direction."""

SLUG = "dot_product_and_cosine"


def titles(at) -> list[str]:
    return [chart.layout["title"]["text"] for chart in at.charts.values()]


def test_a_right_angle_is_zero_and_not_a_rounding_error(app):
    at = app(SLUG)
    for angle in range(0, 360, 7):
        at.set(angle_a=(angle + 90) % 360, angle_b=angle)
        assert titles(at)[1:] == ["<b>Dot product: 0.000</b>", "<b>Cosine: 0.000</b>"]
        assert "right angle" in at.words()


def test_a_zero_vector_in_words(app):
    for zero, named in ((("a",), "**a**"), (("b",), "**b**"), (("a", "b"), "**a and b**")):
        at = app(SLUG, {f"{SLUG}.length_{name}": "0" for name in zero})
        assert "undefined" in titles(at)[2]
        assert f"{named} has length 0" in at.words()
        assert not at.exception


def test_length_moves_the_dot_product_only(app):
    short, long = (app(SLUG, {f"{SLUG}.length_b": length}) for length in ("1", "4"))
    assert titles(short)[1] != titles(long)[1]
    assert titles(short)[2] == titles(long)[2]
