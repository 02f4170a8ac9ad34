import time

import numpy as np
import pytest
from near import close

from engine.feed_forward import ACTIVATIONS
from engine.mlp import (
    DenseLayer,
    flattened,
    gradient_check,
    gradient_error_by_h,
    init_mlp,
    mlp_backward,
    worst_off_kinks,
)


def cells(layers):
    return np.concatenate([part.ravel() for layer in layers for part in layer])


@pytest.fixture
def lab(rng):
    """3 → 4 → 4 → 3, a batch of 4."""
    layers = tuple(layer._replace(b=rng.normal(size=layer.b.size)) for layer in init_mlp([3, 4, 4, 3], rng))
    return layers, rng.normal(size=(4, 3)), np.array([0, 2, 1, 2])


@pytest.mark.parametrize("activation", [name for name in ACTIVATIONS if name != "relu"])
def test_gradients_are_central_differences(lab, activation):
    checked = gradient_check(*lab, activation=activation)
    assert cells(checked.relative_error).max() < 1e-6
    assert not cells(checked.kink).any()
    for field in checked:
        assert [layer.W.shape for layer in field] == [(3, 4), (4, 4), (4, 3)]
        assert [layer.b.shape for layer in field] == [(4,), (4,), (3,)]


def test_numeric_is_one_parameter_moved_at_a_time(lab):
    layers, x, targets = lab
    moved = [
        mlp_backward((layers[0], layers[1]._replace(W=layers[1].W + shift), layers[2]), x, targets, activation="silu")
        for shift in (1e-3 * np.eye(4)[[2]].T * np.eye(4)[[1]], -1e-3 * np.eye(4)[[2]].T * np.eye(4)[[1]])
    ]
    numeric = gradient_check(layers, x, targets, activation="silu", h=1e-3).numeric
    close(numeric[1].W[2, 1], (moved[0].loss - moved[1].loss) / 2e-3, 1e-12)


def test_only_kinks_may_differ(lab):
    checked = gradient_check(*lab, activation="relu", h=0.05)
    kink = cells(checked.kink)
    smooth = gradient_check(*lab, activation="relu", h=1e-6)
    assert 0 < kink.sum() < kink.size
    assert not cells(smooth.kink).any()
    assert cells(smooth.relative_error).max() < 1e-6
    assert cells(checked.relative_error)[~kink].max() < 2e-2
    assert cells(checked.relative_error)[kink].max() > 0.1
    assert not cells(checked.kink[2:]).any()  # nothing after the last ReLU can move one


def test_a_relu_input_of_zero_is_a_kink():
    layers = [DenseLayer([[0.0], [0.0]], [0.0]), DenseLayer([[1.0, -1.0]], [0.0, 0.0])]
    kink = gradient_check(layers, [[2.0, 0.0]], [0], activation="relu").kink
    assert kink[0].W.tolist() == [[True], [False]]  # the second input is 0: its weight moves nothing
    assert kink[0].b.tolist() == [True]
    assert not cells(kink[1:]).any()


def test_batches_of_shifted_networks_change_nothing(lab, monkeypatch):
    whole = gradient_check(*lab, activation="relu", h=0.05)
    monkeypatch.setattr("engine.mlp.check._BATCH", 400)
    parts = gradient_check(*lab, activation="relu", h=0.05)
    close(cells(whole.numeric), cells(parts.numeric), 1e-13)
    assert (cells(whole.kink) == cells(parts.kink)).all()


def test_the_error_is_a_u(lab):  # Paddle#4283, jax#39821
    curve = gradient_error_by_h(*lab, activation="tanh", h=[1e-1, 1e-2, 1e-3, 1e-5, 1e-8, 1e-11, 1e-13])
    assert (np.diff(curve.overall[:4]) < 0).all()
    assert (np.diff(curve.overall[3:]) > 0).all()
    close(curve.overall[1] / curve.overall[2], 100, 1)  # h² on the right arm
    assert curve.overall.min() < 1e-9
    assert curve.largest[3] < 1e-7
    assert curve.kinks.tolist() == [0] * 7


def test_the_u_is_drawn_while_a_slider_moves(lab):
    start = time.perf_counter()
    gradient_error_by_h(*lab, activation="relu", h=np.geomspace(1e-14, 0.1, 30))
    assert time.perf_counter() - start < 10


def test_the_curve_agrees_with_the_check(lab):
    checked = gradient_check(*lab, activation="relu", h=0.05)
    curve = gradient_error_by_h(*lab, activation="relu", h=[0.05])
    kink = cells(checked.kink)
    assert curve.kinks[0] == kink.sum()
    assert curve.largest[0] == cells(checked.relative_error)[~kink].max()


def test_tiny_and_large_steps_give_numbers(lab):
    for h in (1e-100, 1e-16, 1):
        checked = gradient_check(*lab, activation="gelu", h=h)
        assert np.isfinite(cells(checked.relative_error)).all()


@pytest.mark.parametrize("h", [0, -1e-5, 2, np.nan, "1e-5", None])
def test_refuses_bad_steps(lab, h):
    with pytest.raises(ValueError, match="h must"):
        gradient_check(*lab, activation="relu", h=h)
    with pytest.raises(ValueError, match="h must be a vector"):
        gradient_error_by_h(*lab, activation="relu", h=1e-5)
    with pytest.raises(ValueError, match="h must be a number"):
        gradient_error_by_h(*lab, activation="relu", h=[1e-5, 0])


def test_arguments_stay_as_they_were(lab):
    layers, x, targets = lab
    kept = cells(layers), x.copy(), targets.copy()
    gradient_check(layers, x, targets, activation="relu")
    for now, before in zip((cells(layers), x, targets), kept, strict=True):
        close(now, before, 0)


def test_the_worst_parameter_off_every_kink(lab):
    for activation in ("tanh", "relu"):
        check = gradient_check(*lab, activation=activation, h=1e-2)
        kink, error = flattened(check.kink), flattened(check.relative_error)
        assert kink.dtype == bool
        assert worst_off_kinks(check) == int(np.where(kink, -1, error).argmax())
