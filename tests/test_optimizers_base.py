from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from engine.optimizers import OPTIMIZERS, Momentum, Optimizer, StepOverflowError


def test_inputs_are_left_alone():
    param, grad, optimizer = np.array([1.0, 2.0]), np.array([3.0, 4.0]), Momentum(lr=0.1)
    state = optimizer.initial_state(param)
    optimizer.step(param, grad, state)
    assert (param.tolist(), grad.tolist(), state.velocity.tolist()) == ([1, 2], [3, 4], [0, 0])
    with pytest.raises(FrozenInstanceError):
        optimizer.lr = 1


@pytest.mark.parametrize("bad", [-0.1, np.nan, np.inf, "0.1", None, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_refuses_bad_learning_rates(name, bad):
    with pytest.raises(ValueError, match="lr"):
        OPTIMIZERS[name](lr=bad)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_refuses_what_does_not_fit(name):
    optimizer = OPTIMIZERS[name](lr=0.1)
    state = optimizer.initial_state([1.0, 2.0])
    for param, grad, memory in [
        ([1.0, np.nan], [0, 0], state),
        ([1.0, 2.0], [1.0], state),
        ([1.0, 2.0], ["a", 1], state),
        ([1.0, 2.0], [1.0, 1.0], (0,)),
        (None, [1.0, 1.0], state),
    ]:
        with pytest.raises(ValueError, match="param|grad|state"):
            optimizer.step(param, grad, memory)
    with pytest.raises(StepOverflowError, match="lower"):
        replace(optimizer, lr=1e308).step([1e308], [1e300], optimizer.initial_state([1.0]))


def test_an_optimizer_without_a_rule_cannot_be_made():
    with pytest.raises(TypeError, match=r"abstract class Optimizer .*initial_state'?, '?move"):
        Optimizer(lr=0.1)
