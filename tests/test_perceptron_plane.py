import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.perceptron import (
    dataset,
    decision_line,
    half_plane,
    is_separable,
    mistakes_per_epoch,
    predict,
    right_biases,
    train_perceptron,
)


def test_line_ends_lie_on_line_and_border(rng):
    for w, b in [([1, 1], -1), ([0, 2], -1), ([2, 0], -1), *((rng.normal(size=2), rng.normal()) for _ in range(20))]:
        ends = decision_line(w, b, low=-3, high=3)
        assert ends.shape == (2, 2)
        np.testing.assert_allclose(ends @ w + b, 0, atol=1e-14)
        np.testing.assert_allclose(np.abs(ends).max(axis=1), 3, atol=1e-14)


def test_no_line_to_draw():
    for w, b in [([0, 0], 0), ([0, 0], 1), ([1, 1], -100), ([5e-324, 0], 1), ([0, 1e-300], 1e300)]:
        assert decision_line(w, b, low=-1, high=1).shape == (0, 2)
    assert decision_line([1e308, 1e308], 0, low=-3, high=3).tolist() == [[-3, 3], [3, -3]]


def test_helpers_refuse(rng):
    for call, message in [
        (lambda: dataset("nand"), "name"),
        (lambda: dataset("two clouds"), "rng"),
        (lambda: dataset("two clouds", rng=rng, n_per_cloud=0), "n_per_cloud"),
        (lambda: dataset("two clouds", rng=rng, distance=-1), "distance"),
        (lambda: predict([[1, 2]], [1], 0), "weights"),
        (lambda: mistakes_per_epoch(()), "PerceptronTrace"),
        (lambda: decision_line([1, 2, 3], 0, low=0, high=1), "weights"),
        (lambda: decision_line([1, 2], 0, low=1, high=1), "high"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-12, 12), min_size=3, max_size=3))
def test_half_plane_holds_what_is_answered_1(numbers):
    *w, b = np.array(numbers) / 4
    region = half_plane(w, b, low=-2, high=3)
    x, y = region.T
    area = (
        abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
    )  # the shoelace formula: right only in order around the region
    side = np.linspace(-2, 3, 201)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    assert area == pytest.approx(25 * predict(grid, w, b).out.mean(), abs=0.35)
    assert (region @ w + b > -1e-9).all()


def test_half_plane_of_everything_and_nothing():
    assert half_plane([0, 0], 1, low=0, high=1).tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert half_plane([0, 0], 0, low=0, high=1).shape == (0, 2)
    assert half_plane([1, 0], -2, low=0, high=1).shape == (0, 2)
    with pytest.raises(ValueError, match="weights"):
        half_plane([1], 0, low=0, high=1)


def test_the_biases_that_get_all_right_are_those():
    x, targets = dataset("and")
    low, high = right_biases(x, targets, [1, 1])
    for b in (low, low + 1e-9, high, high + 1e-9):
        right = (predict(x, [1, 1], b).out == targets).all()
        assert right == (low < b <= high)
    assert right_biases(x, targets, [-1, -1]) is None
    assert right_biases(x, targets, [0, 0]) is None
    assert right_biases([[1, 0]], [1], [1, 0]) == (-1.0, np.inf)


def test_gates_a_line_can_and_cannot_make():
    assert [is_separable(*dataset(name)) for name in ("and", "or", "xor")] == [True, True, False]
    assert is_separable([[1, 1], [2, 2]], [1, 1])
    assert is_separable([[0, 0], [0, 0], [1, 0]], [0, 0, 1])
    assert not is_separable([[0, 0], [0, 0]], [0, 1])
    assert not is_separable([[0, 0], [1, 1], [2, 2]], [0, 1, 0])
    assert is_separable([[0, 0], [1, 1], [2, 2]], [0, 0, 1])
    assert not is_separable([[0, 0], [2, 0], [1, 0], [1, 1]], [0, 0, 1, 1]), "a point on the edge of the other hull"
    assert is_separable([[0, 0], [2, 0], [1, 1e-300], [1, 1]], [0, 0, 1, 1]), "exact, however near"


@pytest.mark.parametrize("seed", range(20))
def test_separable_is_what_a_perceptron_can_end_on(seed):
    rng = np.random.default_rng(seed)
    x, targets = rng.integers(-2, 3, size=(5, 2)), rng.integers(0, 2, size=5)
    assert is_separable(x, targets) == train_perceptron(x, targets, max_epochs=2_000).converged


def test_two_clouds_that_were_not_given_the_time():
    x, targets = dataset("two clouds", rng=np.random.default_rng(0), distance=3.75)
    assert train_perceptron(x, targets, max_epochs=6).converged <= is_separable(x, targets)
    apart = [is_separable(*dataset("two clouds", rng=np.random.default_rng(0), distance=d)) for d in (0, 1, 12)]
    assert apart == [False, False, True]


@pytest.mark.parametrize("bad", [[[1, 2, 3]], [[1]], [1, 2], None, [[np.nan, 1]]])
def test_separable_refuses_what_is_no_plane(bad):
    with pytest.raises(ValueError, match="x "):
        is_separable(bad, [0])
