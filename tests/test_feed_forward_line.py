import numpy as np
import pytest

from engine.feed_forward import along_line, feed_forward


def layer(rng, d_ff=12):
    return [rng.normal(size=shape) for shape in (4, (4, d_ff), d_ff, (d_ff, 3), 3)]


def test_relu_is_straight_between_its_bends_and_nowhere_else(rng):
    x, W_1, b_1, W_2, b_2 = layer(rng)
    bends = along_line(x, W_1, b_1, W_2, b_2, [-3, 3], activation="relu").bends
    assert len(bends) > 2
    for left, right in zip(bends, bends[1:], strict=False):
        ends = along_line(x, W_1, b_1, W_2, b_2, [left, (left + right) / 2, right], activation="relu").out
        np.testing.assert_allclose(ends[1], (ends[0] + ends[2]) / 2, atol=1e-10)
    for bend in bends:
        around = along_line(x, W_1, b_1, W_2, b_2, [bend - 1e-3, bend, bend + 1e-3], activation="relu").out
        assert abs(around[0] - 2 * around[1] + around[2]).max() > 1e-7


def test_the_line_is_the_layer_itself_and_straight_without_activation(rng):
    x, W_1, b_1, W_2, b_2 = layer(rng)
    trace = along_line(x, W_1, b_1, W_2, b_2, [-1, 0.5, 2], activation="gelu")
    np.testing.assert_array_equal(
        trace.out, feed_forward(np.outer([-1, 0.5, 2], x), W_1, b_1, W_2, b_2, activation="gelu").out
    )
    plain = along_line(x, W_1, b_1, W_2, b_2, [-1, 0.5, 2], activation="identity")
    np.testing.assert_allclose(plain.out, plain.straight, atol=1e-12)
    np.testing.assert_allclose(plain.straight[1], (plain.straight[0] + plain.straight[2]) / 2, atol=1e-12)


def test_units_without_biases_bend_together_and_a_zero_row_nowhere(rng):
    x, W_1, b_1, W_2, b_2 = layer(rng)
    assert along_line(x, W_1, 0 * b_1, W_2, b_2, [-1, 1], activation="relu").bends.tolist() == [0.0]
    assert along_line(0 * x, W_1, b_1, W_2, b_2, [-1, 1], activation="relu").bends.size == 0


def test_refuses_no_scales(rng):
    with pytest.raises(ValueError, match="scales"):
        along_line(*layer(rng), [], activation="relu")
    with pytest.raises(ValueError, match="s·x"):
        along_line([1e300, 0, 0, 0], *layer(rng)[1:], [1e300], activation="relu")
