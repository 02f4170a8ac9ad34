import numpy as np
import pytest

from engine.attention import scaled_dot_product
from engine.practice.solutions import figure, row, score_lines, small_numbers, softmax_lines, total, weight_lines


@pytest.mark.parametrize(
    ("x", "text"), [(3.0, "3"), (-3.0, "−3"), (0.0, "0"), (2 / 3, "0.6667"), (-0.5, "−0.5000"), (11 + 1e-12, "11")]
)
def test_figures(x, text):
    assert figure(x) == text


def test_lines_hold_the_numbers_they_are_about():
    q, K = np.array([1.0, -2.0]), np.array([[3.0, 0.0], [0.0, -1.0]])
    trace = scaled_dot_product([q], K, K)
    assert score_lines(q, K, trace.scores[0]) == ("k_0 = 1·3 + (−2)·0 = 3", "k_1 = 1·0 + (−2)·(−1) = 2")
    assert weight_lines(q, K, trace)[2:] == (
        "divided by √2 = 1.4142: 2.1213, 1.4142",
        "exp: 8.3421, 4.1133; their sum is 12.4554",
        "8.3421 / 12.4554 = 0.6698",
        "4.1133 / 12.4554 = 0.3302",
    )
    assert row([0.25, -1]) == "0.2500, −1"
    assert total([0.25, -1]) == "0.2500 + (−1)"
    assert softmax_lines(np.array([0.0]), np.array([1.0])) == ("exp: 1; their sum is 1", "1 / 1 = 1")


def test_whole_numbers_stay_small(rng):
    numbers = small_numbers(rng, 500)
    assert set(numbers) == {-2, -1, 0, 1, 2, 3}
    assert small_numbers(rng, 500, low=0).min() == 0
