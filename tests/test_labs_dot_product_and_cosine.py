import numpy as np
import pytest

from ui.labs import dot_product_and_cosine as room
from ui.words import told

A, B = np.array([0.0, 3.0]), np.array([2.0, 0.0])


def test_the_picture_has_no_line_along_a_vector_without_a_direction():
    drawn = room.picture(A, B, 0 * A, 9 * B, 4.0, "90° apart")
    bare = room.picture(A, 0 * B, 0 * A, 0 * B, 4.0, "b = 0: no angle")
    assert (len(drawn.data), len(bare.data)) == (2, 1)
    assert "90° apart" in drawn.layout.title.text


def test_a_measure_has_todays_point_where_there_is_an_angle():
    over = {"angles": [0, 90], "values": [6, 0], "title": "Dot product: 0.000", "limit": 7}
    with_point = room.by_angle(**over, now=(90.0, 0.0))
    without = room.by_angle(**over, now=(None, 0.0), lowest=True)
    assert (len(with_point.data), len(without.data)) == (2, 1)
    assert with_point.data[0].name == "Dot product"
    assert with_point.layout.xaxis.dtick == 45
    assert not with_point.layout.xaxis.title.text
    assert "degrees" in without.layout.xaxis.title.text


@pytest.mark.parametrize(
    ("zero", "dot", "cosine", "words"),
    [
        ("a", 0.0, 0.0, "**a** has length 0, so it points nowhere"),
        ("a and b", 0.0, 0.0, "**a and b** have length 0, so they point nowhere"),
        ("", 0.0, 0.0, "right angle"),
        ("", 3.0, 0.5, "**60.0°** is less than a right angle, so dot product and cosine are both **positive**"),
        ("", -3.0, -0.5, "**60.0°** is more than a right angle, so dot product and cosine are both **negative**"),
    ],
)
def test_the_meaning_follows_the_sign(zero, dot, cosine, words):
    assert words in room.meaning(zero, told(dot=dot, cosine=cosine, angle=60.0, shadow=abs(dot)))


def test_the_formulas_hold_the_lengths_and_the_angle():
    now = told(length_a=3.0, length_b=2.0, dot=3.0, cosine=0.5, angle=60.0, square=4.0)
    written = room.formulas(A, B, B, "", now)
    assert r"\cos 60.0^\circ = 3.000 \cdot 2.000 \cdot 0.500 = 3.000" in written[2]
    assert r"\frac{3.000}{4.000}\,\left[2.000" in written[3]
    nowhere = told(length_a=3.0, length_b=0.0, dot=0.0, cosine=0.0, angle=0.0, square=0.0)
    written = room.formulas(A, 0 * B, 0 * B, "b", nowhere)
    assert "undefined" in written[1]
    assert "no projection" in written[2]
