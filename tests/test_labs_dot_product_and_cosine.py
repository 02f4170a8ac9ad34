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
    with_point = room.by_angle(**over, today=(90.0, 0.0))
    without = room.by_angle(**over, today=(None, 0.0), lowest=True)
    assert (len(with_point.data), len(without.data)) == (2, 1)
    assert with_point.data[0].name == "Dot product"
    assert with_point.layout.xaxis.dtick == 45
    assert not with_point.layout.xaxis.title.text
    assert "degrees" in without.layout.xaxis.title.text


@pytest.mark.parametrize(
    ("zero", "dot", "cosine", "words"),
    [
        ("a and b", 0.0, 0.0, "**a and b** has length 0"),
        ("", 0.0, 0.0, "right angle"),
        ("", 3.0, 0.5, "**60.0°** is less than a right angle, so dot product and cosine are both **positive**"),
        ("", -3.0, -0.5, "**60.0°** is more than a right angle, so dot product and cosine are both **negative**"),
    ],
)
def test_the_meaning_follows_the_sign(zero, dot, cosine, words):
    assert words in room.meaning(zero, told(dot=dot, cosine=cosine, angle=60.0))
