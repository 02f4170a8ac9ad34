"""One measure of nearness for all tests."""

import numpy as np


def within(tol: float, relative: bool = False):
    """A `close(actual, expected)` for every entry; `relative` adds the same share of what was expected."""

    def close(actual, expected, tol=tol):
        np.testing.assert_allclose(actual, expected, rtol=tol if relative else 0, atol=tol)

    return close


close = within(5e-6)
