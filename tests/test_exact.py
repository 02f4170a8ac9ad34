import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.exact import binary_exponent, mean_along

MATRICES = arrays(float, (3, 4), elements=st.floats(allow_nan=False, allow_infinity=False))


@given(MATRICES)
@settings(max_examples=50, deadline=None)
def test_exponent_brings_the_largest_entry_under_one(x):
    largest = np.abs(np.ldexp(x, -binary_exponent(x))).max(axis=1)
    assert ((largest == 0) | ((largest >= 0.5) & (largest < 1))).all()


@given(MATRICES)
@settings(max_examples=50, deadline=None)
def test_mean_is_finite_and_right(x):
    expected = (x / 4).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(mean_along(x), expected, rtol=0, atol=4e-16 * np.abs(x).max() + 2e-323)


def test_mean_of_equal_entries_is_that_entry():
    assert (mean_along(np.full((7, 2), 0.1), 0) == 0.1).all()
