import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.perceptron import (
    DATASETS,
    dataset,
    epoch_ends,
    first_repeat,
    mistakes_per_epoch,
    predict,
    train_perceptron,
)

GATE = dataset("and")


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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": np.empty((0, 2)), "targets": []}, "at least one example"),
        ({"x": np.empty((4, 0))}, "at least one example"),
        ({"x": [0, 1]}, "x must be a matrix"),
        ({"x": None}, "x must hold numbers"),
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


def test_arguments_stay_as_they_were():
    weights = np.array([0.0, 0.0])
    trace = train("and", weights=weights)
    assert weights.tolist() == [0, 0]
    assert trace.steps[0].weights_before is not weights
    assert GATE.x.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


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


def test_scikit_learn_moves_as_far_and_on_the_line_too(reference):
    frozen = reference("perceptron")
    for case in frozen["cases"]:
        start = {"weights": case["weights"], "bias": case["bias"]}
        trained = train_perceptron([case["x"]], [case["target"]], learning_rate=frozen["eta"], max_epochs=1, **start)
        (step,) = trained.steps
        moved = [step.update * value for value in case["x"]], step.update
        if step.weighted_sum:
            assert moved == (case["d_weights"], case["d_bias"])
        else:  # there it is a mistake of either class
            assert case["d_bias"] == frozen["eta"] * (2 * case["target"] - 1)
