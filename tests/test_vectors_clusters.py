import numpy as np
import pytest

from engine.vectors import (
    TWO_CLUSTERS,
    TWO_CLUSTERS_LABELS,
    add_offset,
    clusters_by_offset,
    furthest_rows,
    mean_within_between,
    nearest_neighbours,
    nudged,
    scale_row,
    scaled_and_shifted,
    similarity_matrix,
)


def test_means_by_hand():
    similarity = [[9, 1, 2, 3], [1, 9, 4, 5], [2, 4, 9, 6], [3, 5, 6, 9]]
    assert mean_within_between(similarity, [0, 0, 1, 1]) == (3.5, 3.5)
    assert mean_within_between(similarity, [0, 3, 3, 3]) == (5, 2)


def test_the_example_holds_two_clusters():
    means = mean_within_between(similarity_matrix(TWO_CLUSTERS, "cosine"), TWO_CLUSTERS_LABELS)
    assert means.within > 0.8
    assert means.between < -0.7
    dots, cosines = (nearest_neighbours(similarity_matrix(TWO_CLUSTERS, m)) for m in ("dot", "cosine"))
    assert (dots != cosines).any()


def test_a_shared_offset_raises_every_cosine_and_the_mean_takes_it_out():
    raw = clusters_by_offset(TWO_CLUSTERS, TWO_CLUSTERS_LABELS, [0, 1, 3, 10, 100])
    assert (np.diff(raw.between) > 0).all()
    assert raw.between[-1] > 0.99
    centred = clusters_by_offset(TWO_CLUSTERS, TWO_CLUSTERS_LABELS, [0, 1, 3, 10, 100], centre=True)
    np.testing.assert_allclose(np.ptp([centred.within, centred.between], axis=1), 0, atol=1e-13)
    assert clusters_by_offset(TWO_CLUSTERS, TWO_CLUSTERS_LABELS, []).within.shape == (0,)


def test_only_the_chosen_row_grows():
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert scale_row(X, 0, 10).tolist() == [[10, 20], [3, 4]]
    assert X.tolist() == [[1, 2], [3, 4]]
    assert add_offset(X, -1).tolist() == [[0, 1], [2, 3]]


def test_refuses_bad_input():
    for labels in ([0, 0], [0, 1], [0, 1, 2], [0, 0, 0], [0, 0, 5], None, [0.0, 0.0, 1.0], ["a", "a", "b"]):
        with pytest.raises(ValueError, match="labels"):
            mean_within_between(np.eye(3), labels)
    for similarity in ([[1, 2, 3]], [1, 2], None, np.zeros((0, 0))):
        with pytest.raises(ValueError, match="similarity|labels"):
            mean_within_between(similarity, [0, 0, 1])
    for row in (2, -1, 0.0, None):
        with pytest.raises(ValueError, match="row"):
            scale_row([[1], [2]], row, 2)
    with pytest.raises(ValueError, match="inside float64"):
        scale_row([[1e308]], 0, 100)
    with pytest.raises(ValueError, match="inside float64"):
        add_offset([[1e308]], 1e308)
    with pytest.raises(ValueError, match="offsets"):
        clusters_by_offset(TWO_CLUSTERS, TWO_CLUSTERS_LABELS, 3)


def test_one_entry_nudged_and_all_scaled_and_shifted(rng):
    x = rng.normal(size=8)
    assert (nudged(x, 3, 0.7) == x + 0.7 * np.eye(8)[3]).all()
    assert (scaled_and_shifted(x, scale=1.5, shift=-800.0) == x * 1.5 + -800.0).all()
    assert (scaled_and_shifted(x[:, None], scale=0.3) == x[:, None] * 0.3).all()
    for call in (lambda: nudged(x, 8, 1), lambda: nudged([[1]], 0, 1)):
        with pytest.raises(ValueError, match="index|x must"):
            call()
    with pytest.raises(ValueError, match="float64"):
        scaled_and_shifted([1e308], scale=10)
    with pytest.raises(ValueError, match="float64"):
        nudged([1e308], 0, 1.7e308)


def test_furthest_rows_are_found_by_their_distance_not_by_one_entry():
    assert furthest_rows([[0, 0], [3, 0], [2.5, 2.5]]) == (0, 2, np.hypot(2.5, 2.5))
    assert furthest_rows([[1, 1], [1, 1]]) == (0, 1, 0.0)
    for wrong in ([[1, 2]], [[1, np.nan], [1, 1]]):
        with pytest.raises(ValueError, match="rows|finite"):
            furthest_rows(wrong)
