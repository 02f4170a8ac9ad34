import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.perceptron import (
    DATASETS,
    dataset,
    decision_line,
    epoch_ends,
    first_repeat,
    half_plane,
    is_separable,
    mistakes_per_epoch,
    predict,
    train_perceptron,
)


def train(name, **settings):
    return train_perceptron(*dataset(name), **({"max_epochs": 50} | settings))


def test_and_by_hand():
    trace = train("and")
    first = trace.steps[3]  # the first mistake: (1, 1) under zero weights
    assert (first.epoch, first.example, first.weighted_sum, first.prediction, first.target) == (1, 3, 0, 0, 1)
    assert (first.update, first.mistakes, first.weights.tolist(), first.bias) == (1, 1, [1, 1], 1)
    assert (trace.converged, trace.epochs, trace.weights.tolist(), trace.bias) == (True, 6, [2, 1], -2)
    assert mistakes_per_epoch(trace) == (1, 3, 3, 2, 1, 0)


@pytest.mark.parametrize("name", ["and", "or"])
def test_gates_are_learnt_and_the_clean_pass_counts(name):
    trace = train(name)
    x, targets = dataset(name)
    assert predict(x, trace.weights, trace.bias).out.tolist() == targets.tolist()
    assert len(trace.steps) == 4 * trace.epochs
    assert all(step.update == 0 for step in trace.steps[-4:])
    assert mistakes_per_epoch(trace)[-1] == 0 not in mistakes_per_epoch(trace)[:-1]


def test_xor_never_stops():
    trace = train("xor", max_epochs=200)
    assert (trace.converged, trace.epochs) == (False, 200)
    assert min(mistakes_per_epoch(trace)) > 0


def test_steps_follow_one_another():
    trace = train("xor", max_epochs=3, weights=[0.5, -1], bias=0.25)
    before = [0.5, -1], 0.25
    for step in trace.steps:
        assert (step.weights_before.tolist(), step.bias_before) == before
        before = step.weights.tolist(), step.bias
    assert (trace.weights.tolist(), trace.bias) == before


def test_weights_that_are_right_already_take_one_pass():
    trace = train("and", weights=[1, 1], bias=-1.5)
    assert (trace.epochs, trace.converged, trace.weights.tolist(), trace.bias) == (1, True, [1, 1], -1.5)


def test_learning_rate_scales_the_answer_from_zero():
    one, quarter = train("and"), train("and", learning_rate=0.25)
    assert quarter.epochs == one.epochs
    assert quarter.weights.tolist() == (one.weights / 4).tolist()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_clouds_far_apart_are_learnt(seed):
    x, targets = dataset("two clouds", rng=np.random.default_rng(seed), distance=12)
    trace = train_perceptron(x, targets, max_epochs=500)
    assert trace.converged
    assert predict(x, trace.weights, trace.bias).out.tolist() == targets.tolist()


def test_datasets():
    assert list(DATASETS) == ["and", "or", "xor", "two clouds"]
    assert dataset("and").x.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert dataset("or").targets.tolist() == [0, 1, 1, 1]
    clouds = dataset("two clouds", rng=np.random.default_rng(3), n_per_cloud=4000, distance=6)
    again = dataset("two clouds", rng=np.random.default_rng(3), n_per_cloud=4000, distance=6)
    assert (clouds.x == again.x).all()
    centres = [clouds.x[clouds.targets == target].mean(axis=0) for target in (0, 1)]
    np.testing.assert_allclose(centres[1], [6 / 8**0.5] * 2, atol=0.06)
    assert np.linalg.norm(centres[1] - centres[0]) == pytest.approx(6, abs=0.1)


def test_on_the_line_is_no():
    assert predict([[1, 1], [1, 1.5]], [1, 1], -2).out.tolist() == [0, 1]


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


GATE = dataset("and")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": np.empty((0, 2)), "targets": []}, "at least one example"),
        ({"x": np.empty((4, 0))}, "at least one example"),
        ({"x": [0, 1]}, "x must be a matrix"),
        ({"x": None}, "x must be a matrix"),
        ({"targets": [0, 0, 0, 2]}, "targets"),
        ({"targets": [-1, -1, -1, 1]}, "targets"),
        ({"targets": [0, 1]}, "targets"),
        ({"targets": [False, True, True, True]}, "targets"),
        ({"learning_rate": 0}, "learning_rate"),
        ({"max_epochs": 0}, "max_epochs"),
        ({"max_epochs": 2.0}, "max_epochs"),
        ({"weights": [1, 2, 3]}, "weights"),
        ({"weights": 1}, "weights"),
        ({"weights": [np.nan, 0]}, "weights"),
        ({"bias": None}, "bias"),
        ({"x": GATE.x * 1e308, "weights": [1e10, 1]}, "float64"),
        ({"learning_rate": 1e308, "x": GATE.x * 10}, "float64"),
    ],
)
def test_refusals(change, message):
    with pytest.raises(ValueError, match=message):
        train_perceptron(**({"x": GATE.x, "targets": GATE.targets, "max_epochs": 5} | change))


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


def test_arguments_stay_as_they_were():
    weights = np.array([0.0, 0.0])
    trace = train("and", weights=weights)
    assert weights.tolist() == [0, 0]
    assert trace.steps[0].weights_before is not weights
    assert GATE.x.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


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


def test_xor_goes_in_a_circle_and_gates_do_not():
    trace = train("xor")
    earlier, later = first_repeat(trace)
    ends = [(step.weights.tolist(), step.bias) for step in trace.steps[3::4]]
    assert ends[earlier - 1] == ends[later - 1]
    assert len({str(end) for end in ends[: later - 1]}) == later - 1
    assert first_repeat(train("and")) is None
    assert first_repeat(train("xor", max_epochs=1)) is None
    assert first_repeat(train("xor", max_epochs=1, weights=[0.5, 0.25])) is None
    with pytest.raises(ValueError, match="PerceptronTrace"):
        first_repeat(None)


def test_epochs_end_after_every_example():
    x, targets = dataset("xor")
    trace = train_perceptron(x, targets, max_epochs=7)
    assert epoch_ends(trace).tolist() == (4 * np.arange(1, 8)).tolist()
    with pytest.raises(ValueError, match="PerceptronTrace"):
        epoch_ends(None)


def test_gates_a_line_can_and_cannot_make():
    assert [is_separable(*dataset(name)) for name in ("and", "or", "xor")] == [True, True, False]
    assert is_separable([[1, 1], [2, 2]], [1, 1])
    assert is_separable([[0, 0], [0, 0], [1, 0]], [0, 0, 1])
    assert not is_separable([[0, 0], [0, 0]], [0, 1])
    assert not is_separable([[0, 0], [1, 1], [2, 2]], [0, 1, 0])
    assert is_separable([[0, 0], [1, 1], [2, 2]], [0, 0, 1])
    assert not is_separable([[0, 0], [2, 0], [1, 0], [1, 1]], [0, 0, 1, 1]), "a point on the edge of the other hull"
    assert is_separable([[0, 0], [2, 0], [1, 1e-300], [1, 1]], [0, 0, 1, 1]), "exact, however near"


@pytest.mark.parametrize("seed", range(60))
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
