import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from near import within

from engine.vectors import (
    alike_within,
    angle_between,
    cosine_similarity,
    dot,
    finds_itself,
    has_direction,
    largest_difference,
    least_alike,
    measures_by_angle,
    most_popular,
    nearest_neighbours,
    norm,
    projection,
    remove_mean,
    remove_own_mean,
    similarity_matrix,
    vector_at,
)

FINITE = st.floats(allow_nan=False, allow_infinity=False)


close = within(1e-14, relative=True)


def test_agrees_with_pytorch(reference):
    frozen = reference("vectors")
    close(similarity_matrix(frozen["rows"], "dot"), frozen["dot"])
    close(similarity_matrix(frozen["rows"], "cosine"), frozen["cosine"])
    close([norm(row) for row in frozen["rows"]], frozen["norm"])
    close(remove_mean(frozen["rows"]), frozen["without_mean"])


def test_by_hand():
    assert dot([1, 2, 3], [4, -5, 6]) == 12
    assert norm([2, 3, 6]) == 7
    assert cosine_similarity([1, 0], [0, 5]) == 0
    assert projection([2, 3], [-5, 0]).tolist() == [2, 0]
    assert angle_between([1, 0], [-2, 0]) == 180


def test_zero_vector_has_no_direction():  # burn#5584
    assert cosine_similarity([0, 0, 0], [1, 2, 3]) == 0
    assert cosine_similarity([0, 0], [0, 0]) == 0
    assert similarity_matrix([[0, 0], [1, 1]], "cosine").tolist() == [[0, 0], [0, pytest.approx(1)]]
    assert projection([1, 2], [0, 0]).tolist() == [0, 0]
    with pytest.raises(ValueError, match="b must have a direction"):
        angle_between([1, 2], [0, 0])


@given(arrays(float, (2, 3), elements=FINITE))
@settings(max_examples=50, deadline=None)
def test_cosine_never_leaves_its_range(pair):  # scikit-learn#15256
    a, b = pair
    assert -1 <= cosine_similarity(a, b) <= 1
    assert cosine_similarity(a, b) == cosine_similarity(b, a)
    assert cosine_similarity(a, a) == (1 if a.any() else 0)


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e200, 1e308])
def test_length_neither_underflows_nor_overflows(scale):
    a, b = np.array([1.0, 0.0]) * scale, np.array([1.0, 1.0]) * scale
    close(cosine_similarity(a, b), math.sqrt(0.5))
    close(projection(a, b), np.array([0.5, 0.5]) * scale)
    close(angle_between(a, b), 45)
    assert norm(a) == scale


def test_angle_is_exact_where_the_arc_cosine_is_not():
    assert angle_between([1, 0], [1, 1e-10]) == pytest.approx(math.degrees(1e-10), rel=1e-12)


@given(st.floats(-720, 720), st.floats(0, 1e6))
@settings(max_examples=50, deadline=None)
def test_vector_at_has_its_angle_and_length(angle, length):
    vector = vector_at(angle, length)
    close(vector, length * np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))]), 1e-8)
    close(norm(vector), length, 1e-12)


def test_quarter_turns_are_exact():
    turns = [vector_at(angle, 2).tolist() for angle in (0, 90, 180, 270, 360, -90)]
    assert turns == [[2, 0], [0, 2], [-2, 0], [0, -2], [2, 0], [0, -2]]
    assert np.isfinite(vector_at(1e300, 1)).all()


def test_projection_leaves_a_right_angle(rng):
    a, b = rng.normal(size=(2, 5))
    close(dot(a - projection(a, b), b), 0)
    close(norm(projection(a, b)), abs(cosine_similarity(a, b)) * norm(a))


def test_measures_by_angle():
    trace = measures_by_angle(2, 3, [0, 60, 90, 180])
    close(trace.dots, [6, 3, 0, -6])
    close(trace.cosines, [1, 0.5, 0, -1])
    assert measures_by_angle(0, 3, [0, 60]).cosines.tolist() == [0, 0]


def test_neighbours_change_with_the_measure():
    X = [[1, 0], [1, 0.1], [9, 9]]
    assert nearest_neighbours(similarity_matrix(X, "dot")).tolist() == [2, 2, 1]
    assert nearest_neighbours(similarity_matrix(X, "cosine")).tolist() == [1, 0, 1]


def test_ties_go_to_the_lowest_index_in_spite_of_rounding():
    X = np.outer([1, 3, 7, 11], [0.1, 0.7, 0.3])
    assert nearest_neighbours(similarity_matrix(X, "cosine")).tolist() == [1, 0, 0, 0]
    assert nearest_neighbours([[5, 1, 1], [-3, 9, -3], [0, 0, 0]]).tolist() == [1, 0, 0]


def test_a_row_without_direction_has_no_neighbour():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [-1.0, 0.5]])
    scores, there = similarity_matrix(X, "cosine"), has_direction(X)
    assert there.tolist() == [False, True, True, True]
    assert nearest_neighbours(scores, defined=there).tolist() == [-1, 2, 1, 2]
    assert nearest_neighbours(np.zeros((3, 3)), defined=[False] * 3).tolist() == [-1, -1, -1]
    assert nearest_neighbours(np.zeros((2, 2)), defined=[True, False]).tolist() == [-1, -1]
    assert least_alike(scores, defined=there) == (1, 3)
    assert most_popular([-1, 2, 1, 2]) == 2
    assert most_popular([-1, -1]) is None
    for call in (nearest_neighbours, least_alike):
        for bad in ([True], [1, 1, 1, 1], "ab"):
            with pytest.raises(ValueError, match="defined"):
                call(scores, defined=bad)


def test_nothing_is_compared_with_itself():
    assert least_alike(np.zeros((3, 3))) == (0, 1)
    assert least_alike([[-5, 2], [2, -5]]) == (0, 1)
    assert least_alike([[1.0]]) is None
    assert nearest_neighbours([[9e307, -1e308], [-1e308, 1]]).tolist() == [1, 0]


def test_mean_is_removed():
    close(remove_mean([[1, 2], [3, 6], [5, 1]]).sum(axis=0), 0)
    assert (remove_mean(np.full((7, 3), 0.1)) == 0).all()


@pytest.mark.parametrize("bad", [None, 3, "ab", [], [[1, 2]], [1, np.nan], [np.inf, 1], [1, 2, 3]])
def test_refuses_bad_vectors(bad):
    for measure in (dot, cosine_similarity, projection, angle_between):
        with pytest.raises(ValueError, match="b (must|needs)"):
            measure([1, 2], bad)


def test_refuses_bad_matrices_and_settings():
    for bad in (None, [1, 2], [[]], [[1], [1, 2]], [[np.nan]]):
        with pytest.raises(ValueError, match="X (must|needs)"):
            similarity_matrix(bad, "dot")
        with pytest.raises(ValueError, match="X (must|needs)"):
            remove_mean(bad)
    with pytest.raises(ValueError, match="measure must be one of dot, cosine"):
        similarity_matrix([[1]], "euclid")
    for bad in ([[1]], [[1, 2]], [1], [[1, np.nan], [1, 1]]):
        with pytest.raises(ValueError, match="similarity"):
            nearest_neighbours(bad)
    with pytest.raises(ValueError, match="length"):
        vector_at(0, -1)
    with pytest.raises(ValueError, match="angles"):
        measures_by_angle(1, 1, [])
    with pytest.raises(ValueError, match="inside float64"):
        dot([1e308, 1e308], [10, -10])
    with pytest.raises(ValueError, match="the sum must stay inside float64"):
        dot([1.5e308, 1.5e308], [1, 1])
    with pytest.raises(ValueError, match="the length must stay inside float64"):
        norm([1.7e308, 1.7e308])


def test_who_is_popular_alike_or_finds_itself(rng):
    X = rng.normal(size=(9, 4))
    scores = similarity_matrix(X, "cosine")
    nearest = nearest_neighbours(scores)
    assert most_popular(nearest) == np.bincount(nearest).argmax()
    assert scores[least_alike(scores)] == scores.min()
    assert finds_itself(scores).all()
    assert finds_itself(similarity_matrix([[1, 0], [9, 0]], "dot")).tolist() == [False, True]
    assert alike_within(X, 1.0) == tuple(tuple(j for j in range(9) if (abs(X[j] - one) < 1).all()) for one in X)
    assert (remove_own_mean(X) == remove_mean(X.T).T).all()
    assert largest_difference(X, X + 0.5) == abs(X - (X + 0.5)).max()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: most_popular([]), "at least one number"),
        (lambda: most_popular([3, 0]), "neighbours"),
        (lambda: least_alike(np.zeros((0, 0))), "at least one number"),
        (lambda: alike_within([[1]], -1), "reach"),
        (lambda: largest_difference([1], [1, 2]), "b must have shape"),
        (lambda: largest_difference([], []), "at least one number"),
    ],
)
def test_refuses_bad_comparisons(call, message):
    with pytest.raises(ValueError, match=message):
        call()
