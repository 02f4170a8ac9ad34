import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.feed_forward import ACTIVATIONS

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def test_the_names_menus_need():
    assert list(ACTIVATIONS) == ["relu", "gelu", "gelu_tanh", "silu", "tanh", "identity"]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_agree_with_pytorch(reference, name):
    frozen = reference("feed_forward")
    x, expected = frozen["x"], frozen["activations"][name]
    np.testing.assert_allclose(ACTIVATIONS[name].function(x), expected["values"], rtol=1e-15, atol=1e-15)
    np.testing.assert_allclose(ACTIVATIONS[name].derivative(x), expected["derivatives"], rtol=0, atol=4e-15)


def test_exact_and_tanh_gelu_are_two_functions():  # keras-bert#129
    x = np.array([1, -2.7, 3])
    exact, approximate = ACTIVATIONS["gelu"].function(x), ACTIVATIONS["gelu_tanh"].function(x)
    np.testing.assert_allclose(exact, [0.8413447, -0.0093608, 2.9959503], rtol=0, atol=5e-8)
    np.testing.assert_allclose(approximate, [0.8411920, -0.0088876, 2.9963626], rtol=0, atol=5e-8)
    grid = np.linspace(-6, 6, 12_001)
    gap = np.abs(ACTIVATIONS["gelu"].function(grid) - ACTIVATIONS["gelu_tanh"].function(grid))
    assert gap.max() == pytest.approx(4.7324e-4, abs=5e-9)
    assert abs(grid[gap.argmax()]) == pytest.approx(2.699, abs=2e-3)


@pytest.mark.parametrize("name", ACTIVATIONS)
@given(x=st.floats(-20, 20))
@settings(max_examples=50, deadline=None)
def test_derivative_is_the_central_difference(name, x):
    if name == "relu" and abs(x) < 1e-5:
        assert ACTIVATIONS["relu"].derivative(0.0) == 0
        return
    function, derivative = ACTIVATIONS[name]
    assert derivative(x) == pytest.approx((function(x + 1e-5) - function(x - 1e-5)) / 2e-5, abs=1e-8)


@pytest.mark.parametrize("name", ACTIVATIONS)
@given(x=FINITE)
@settings(max_examples=50, deadline=None)
def test_every_finite_number_has_a_finite_value(name, x):
    function, derivative = ACTIVATIONS[name]
    assert -1 <= function(x) - max(x, 0) * (name != "identity") <= max(x, 0) or name in ("tanh", "identity")
    assert np.isfinite(function(x))
    assert -0.2 <= derivative(x) <= 1.2


def test_identity_returns_a_new_array():
    x = np.ones(3)
    assert not np.shares_memory(ACTIVATIONS["identity"].function(x), x)
