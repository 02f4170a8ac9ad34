from dataclasses import replace

import numpy as np
import pytest
from near import within

from engine.optimizers import SGD, Momentum, Nesterov, descend
from engine.surfaces import SURFACES

close = within(5e-7)


def one_step(optimizer, grad):
    return optimizer.step([1.0], [grad], optimizer.initial_state([1.0]))


def along_x(optimizer, n_steps):
    return descend(SURFACES["bowl"], optimizer, (1, 0), n_steps).points[1:, 0]


def test_velocity_by_hand():
    momentum = Momentum(lr=0.1)
    first = one_step(momentum, 2.0)
    assert (first.state.step, first.state.velocity.tolist()) == (1, [2])
    second = momentum.step(first.param, [1.0], first.state)
    close([second.state.velocity, second.update], [[2.8], [-0.28]], 1e-15)
    assert one_step(SGD(lr=0.1), 2.0).state == ()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [0.8, 0.46, 0.062]),
        ({"dampening": 0.1}, [0.8, 0.476, 0.09872]),
        ({"form": "average"}, [0.98, 0.9424, 0.88971]),
        ({"form": "lr_inside"}, [0.8, 0.46, 0.062]),
    ],
)
def test_forms_of_momentum(settings, expected):  # pytorch#1099
    close(along_x(Momentum(lr=0.1, **settings), 3), expected, 5e-6)


@pytest.mark.parametrize(("form", "expected"), [("sum", 0.4202), ("lr_inside", 0.1448)])
def test_a_learning_rate_lowered_on_the_way(form, expected):  # pytorch#1099
    optimizer = Momentum(lr=0.1, form=form)
    param, state = np.array([1.0]), optimizer.initial_state([1.0])
    for lr in (0.1, 0.1, 0.01):
        state, _, param = replace(optimizer, lr=lr).step(param, 2 * param, state)
    close(param, expected, 1e-12)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (SGD, {"weight_decay": -1}),
        (Momentum, {"weight_decay": None}),
        (Momentum, {"beta": 1.0}),
        (Momentum, {"dampening": 2}),
        (Momentum, {"nesterov": 1}),
        (Momentum, {"form": "mean"}),
        (Momentum, {"form": "average", "dampening": 0.5}),
        (Momentum, {"form": "average", "nesterov": True}),
        (Nesterov, {"dampening": 0.1}),
    ],
)
def test_refuses_bad_settings(kind, settings):
    with pytest.raises(ValueError, match="|".join(settings)):
        kind(lr=0.1, **settings)


def test_refuses_a_state_of_another_shape():
    with pytest.raises(ValueError, match=r"state\.velocity"):
        Momentum(lr=0.1).step([1.0, 2.0], [1.0, 1.0], Momentum(lr=0.1).initial_state([1.0]))
