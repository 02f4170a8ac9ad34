"""Three small tools that keep a calculation exact where the obvious formula overflows, underflows or rounds."""

import numpy as np


def binary_exponent(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """The whole number k with |x| / 2^k < 1 along an axis, and the largest entry at least ½ (0 for zeros).

    np.ldexp(x, −k) is then x divided by 2^k: exact, and its squares can neither overflow nor all underflow.
    Shapes: x float64, returns integers with 1 in place of the axis.

    >>> binary_exponent(np.array([[3.0, -4.0], [0.0, 0.0]])).tolist()
    [[3], [0]]
    """
    return np.frexp(np.abs(x).max(axis=axis, keepdims=True))[1]


def mean_along(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """The mean along an axis, exactly the common value where all entries are equal, and free of overflow.

    mean = first + mean(x − first), computed on x / 2^k. Shapes: x float64, returns 1 in place of the axis.

    >>> mean_along(np.array([0.1, 0.1, 0.1])).tolist(), mean_along(np.array([1e308, 1.5e308])).tolist()
    ([0.1], [1.25e+308])
    """
    k = binary_exponent(x, axis)
    return np.ldexp(mean_of_scaled(np.ldexp(x, -k), axis), k)


def mean_of_scaled(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """`mean_along` for numbers already divided by their 2^k, which cannot overflow.

    >>> mean_of_scaled(np.array([0.1, 0.1, 0.1])).tolist()
    [0.1]
    """
    first = x.take([0], axis=axis)
    return first + plain_mean(x - first, axis)


def plain_mean(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """`x.mean(axis, keepdims=True)` to the last digit, in half the time where arrays are small.

    >>> plain_mean(np.array([[1.0, 2.0], [3.0, 6.0]])).tolist()
    [[1.5], [4.5]]
    """
    return np.add.reduce(x, axis=axis, keepdims=True) / x.shape[axis]


def eigenvalues(matrix: np.ndarray) -> np.ndarray:
    """The eigenvalues of a symmetric matrix of finite numbers, rising; ∞ where one is beyond float64.

    Computed on the matrix / 2^k, which keeps what is done on the way inside float64. Shapes: (n, n), returns (n,).

    >>> eigenvalues(np.array([[1e308, 0.0], [0.0, 1e308]])).tolist()
    [1e+308, 1e+308]
    """
    k = int(np.frexp(np.abs(matrix).max())[1])
    with np.errstate(over="ignore"):
        return np.ldexp(np.linalg.eigvalsh(np.ldexp(matrix, -k)), k)
