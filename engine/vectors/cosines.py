"""The cosines between the rows of a matrix, or of many matrices side by side."""

import numpy as np

from engine.exact import binary_exponent


def row_cosines(X: np.ndarray) -> np.ndarray:
    """`similarity_matrix` for "cosine" on matrices already checked: X (…, n, d) becomes (…, n, n).

    >>> row_cosines(np.array([[[3.0, 4.0], [0.0, 0.0]]])).tolist()
    [[[1.0, 0.0], [0.0, 0.0]]]
    """
    X = np.ldexp(X, -binary_exponent(X))  # a row's length does not matter here, so its squares may neither
    dots = X @ X.swapaxes(-1, -2)  # (…, n, n)
    squares = np.diagonal(dots, axis1=-2, axis2=-1)  # (…, n)
    lengths = np.sqrt(squares[..., :, None] * squares[..., None, :])  # ‖x_i‖·‖x_j‖, exact on the diagonal
    return np.clip(dots / np.where(lengths == 0, 1.0, lengths), -1.0, 1.0)
