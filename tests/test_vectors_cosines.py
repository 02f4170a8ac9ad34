"""Cosines between rows: those of many matrices at once are those of each alone, to the last digit."""

import numpy as np

from engine.vectors import cosine_similarity, similarity_matrix
from engine.vectors.cosines import row_cosines


def test_many_matrices_at_once_are_each_alone_to_the_last_digit():
    many = np.random.default_rng(0).normal(size=(20, 8, 4)) * 10.0 ** np.arange(-10, 10)[:, None, None]
    many[3, 2] = 0
    for one, cosines in zip(many, row_cosines(many), strict=True):
        assert cosines.tolist() == similarity_matrix(one, "cosine").tolist()
        assert np.isclose(cosines[0, 1], cosine_similarity(one[0], one[1]), rtol=1e-14)


def test_rows_so_long_or_short_that_their_squares_leave_float64_have_their_angle():
    assert np.allclose(row_cosines(np.array([[1e300, 1e300], [1e-300, 0.0]])), [[1, 0.5**0.5], [0.5**0.5, 1]])
