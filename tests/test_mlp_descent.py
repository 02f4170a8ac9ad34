import numpy as np
import pytest

from engine.losses import cross_entropy
from engine.mlp import (
    DenseLayer,
    follow_gradient,
    gradient_step,
    init_mlp,
    loss_along_gradient,
    mlp_backward,
    mlp_forward,
    take_step,
)
from engine.optimizers import SGD


@pytest.fixture
def lab(rng):
    return init_mlp([3, 4, 4, 3], rng), rng.normal(size=(4, 3)), np.array([0, 2, 1, 2])


def test_a_step_is_lr_times_the_gradient():
    stepped = take_step([DenseLayer([[1, 2]], [0, 1])], [DenseLayer([[10, -10]], [5, 0])], 0.1)
    np.testing.assert_allclose(stepped[0].W, [[0, 3]], atol=1e-15)
    np.testing.assert_allclose(stepped[0].b, [-0.5, 1], atol=1e-15)


def test_a_step_is_sgd(lab):
    layers, *batch = lab
    step = gradient_step(layers, *batch, activation="tanh", lr=0.3)
    sgd = SGD(lr=0.3)
    for before, grad, after in zip(layers, step.backward.grads, step.layers, strict=True):
        for part, slope, moved in zip(before, grad, after, strict=True):
            np.testing.assert_array_equal(sgd.step(part, slope, sgd.initial_state(part)).param, moved)


def test_the_promise_is_kept_to_first_order(lab):
    for lr in (1e-2, 1e-3, 1e-4):
        step = gradient_step(*lab, activation="tanh", lr=lr)
        assert step.predicted_change == -lr * step.squared_norm < 0
        assert abs(step.actual_change - step.predicted_change) < 5 * lr**2 * step.squared_norm
    flat = np.concatenate([part.ravel() for grad in step.backward.grads for part in grad])
    assert step.squared_norm == pytest.approx(flat @ flat, rel=1e-14)


def test_the_step_ends_where_it_says(lab):
    layers, x, targets = lab
    step = gradient_step(layers, x, targets, activation="relu", lr=0.3)
    logits = mlp_forward(step.layers, x, activation="relu").logits
    assert step.loss == cross_entropy(logits, targets).loss
    assert step.actual_change == step.loss - mlp_backward(layers, x, targets, activation="relu").loss


def test_many_steps_learn_the_batch(lab):
    layers, x, targets = lab
    for _ in range(300):
        layers = gradient_step(layers, x, targets, activation="tanh", lr=0.5).layers
    assert gradient_step(layers, x, targets, activation="tanh", lr=0).loss < 0.05


def test_a_path_is_its_steps(lab):
    layers, *batch = lab
    path = follow_gradient(layers, *batch, activation="tanh", lr=0.5, n_steps=4)
    assert (len(path.layers), path.promised.shape, path.losses.shape) == (5, (4,), (5,))
    for i in range(4):
        step = gradient_step(path.layers[i], *batch, activation="tanh", lr=0.5)
        assert (path.losses[i], path.losses[i + 1]) == (step.backward.loss, step.loss)
        assert path.promised[i] == step.backward.loss + step.predicted_change
        for moved, expected in zip(path.layers[i + 1], step.layers, strict=True):
            np.testing.assert_array_equal(moved.W, expected.W)
            np.testing.assert_array_equal(moved.b, expected.b)
    still = follow_gradient(layers, *batch, activation="tanh", lr=0.5, n_steps=0)
    assert still.losses.tolist() == [path.losses[0]]
    assert still.promised.size == 0
    for wrong in (-1, 1.5, None):
        with pytest.raises(ValueError, match="n_steps"):
            follow_gradient(layers, *batch, activation="tanh", lr=0.5, n_steps=wrong)
    with pytest.raises(ValueError, match="float64"):
        follow_gradient(layers, *batch, activation="relu", lr=1e308, n_steps=1)


def test_no_step_changes_nothing(lab):
    step = gradient_step(*lab, activation="relu", lr=0)
    assert (step.predicted_change, step.actual_change) == (0, 0)
    assert not np.signbit(step.predicted_change)


def test_the_line_meets_its_tangent_and_the_steps(lab):
    rates = np.array([-0.1, 0, 1e-6, 0.1])
    line = loss_along_gradient(*lab, activation="silu", learning_rates=rates)
    backward = mlp_backward(*lab, activation="silu")
    assert line.losses[1] == pytest.approx(backward.loss, rel=1e-15)
    assert line.tangent[1] == backward.loss
    assert line.losses[2] == pytest.approx(line.tangent[2], abs=1e-10)
    assert line.losses[3] == pytest.approx(gradient_step(*lab, activation="silu", lr=0.1).loss, rel=1e-15)
    assert line.losses[0] > backward.loss  # uphill
    uphill = take_step(lab[0], [DenseLayer(-grad.W, -grad.b) for grad in backward.grads], 0.1)
    assert line.losses[0] == pytest.approx(mlp_backward(uphill, *lab[1:], activation="silu").loss, rel=1e-15)


def test_refusals(lab):
    layers, x, targets = lab
    for lr in (-0.1, np.nan, "0.1", None):
        with pytest.raises(ValueError, match="lr"):
            gradient_step(layers, x, targets, activation="relu", lr=lr)
    with pytest.raises(ValueError, match="float64"):
        gradient_step(layers, x, targets, activation="relu", lr=1e308)
    with pytest.raises(ValueError, match="grads must have the shapes"):
        take_step(layers, layers[:1], 0.1)
    with pytest.raises(ValueError, match="grads"):
        take_step(layers, None, 0.1)
    for rates in (0.1, [np.nan], None, [[0.1]]):
        with pytest.raises(ValueError, match="learning_rates"):
            loss_along_gradient(layers, x, targets, activation="relu", learning_rates=rates)
    with pytest.raises(ValueError, match="float64"):
        loss_along_gradient(layers, x, targets, activation="relu", learning_rates=[1e308])
    with pytest.raises(ValueError, match="squared norm"):
        gradient_step([DenseLayer([[0.0, 0]], [0, 0])], [[1e200]], [0], activation="relu", lr=0)


def test_a_step_says_what_it_promised():
    layers = [DenseLayer([[0, 0]], [0, 0])]
    step = gradient_step(layers, [[0]], [0], activation="relu", lr=0.1)
    assert step.promised == step.backward.loss + step.predicted_change
