import numpy as np
import pytest

from engine.normalization import (
    batch_norm,
    layer_norm,
    moments,
    moments_at,
    sample_layer_norm,
    variance_after,
    with_moments,
)


def test_each_norm_evens_out_its_own_axis(rng):
    x = rng.normal(size=(4, 8)) * 3 + 1
    by_row, by_column = moments(layer_norm(x, eps=0).out), moments(batch_norm(x, eps=0).out)
    np.testing.assert_allclose([by_row.row_mean, by_row.row_variance - 1], 0, atol=1e-14)
    np.testing.assert_allclose([by_column.column_mean, by_column.column_variance - 1], 0, atol=1e-14)
    assert np.abs(by_row.column_mean).max() > 0.1
    assert by_row.row_mean.shape == (4, 1)
    assert by_row.column_variance.shape == (1, 8)


def test_variance_left_is_the_share_of_eps(rng):
    x, eps = rng.normal(size=(4, 8)), np.array([1e-12, 1e-5, 0.1, 1.0])
    variance = x.var(axis=1)
    np.testing.assert_allclose(variance_after(x, eps), variance / (variance + eps[:, None]), rtol=1e-13)
    assert variance_after([[7, 7]], [1e-5]).tolist() == [[0]]
    assert variance_after(x, []).shape == (0, 4)


def test_n_minus_1_is_another_norm(rng):  # annotated-transformer#119
    np.testing.assert_allclose(sample_layer_norm([1, 0, 0, 0], eps=1e-6).out, [1.5, -0.5, -0.5, -0.5], atol=5e-6)
    x = rng.normal(size=(3, 5))
    expected = (x - x.mean(axis=1, keepdims=True)) / (x.std(axis=1, ddof=1, keepdims=True) + 0.1)
    np.testing.assert_allclose(sample_layer_norm(x, eps=0.1).out, expected, rtol=1e-13)
    assert sample_layer_norm([7, 7]).out.tolist() == [0, 0]


def test_refuses_bad_input():
    with pytest.raises(ValueError, match="matrix"):
        moments([1, 2])
    with pytest.raises(ValueError, match="eps"):
        variance_after([[1, 2]], [-1.0])
    with pytest.raises(ValueError, match="eps must be above 0"):
        variance_after([[7, 7]], [0.0])
    with pytest.raises(ValueError, match="two features"):
        sample_layer_norm([[1], [2]])
    with pytest.raises(ValueError, match="eps must be above 0"):
        sample_layer_norm([7, 7], eps=0)
    with pytest.raises(ValueError, match="the variance must stay"):
        sample_layer_norm([1e200, -1e200])
    with pytest.raises(ValueError, match="x "):
        sample_layer_norm([1, None])


def test_moments_of_a_cell_and_around_a_matrix(rng):
    x = rng.normal(size=(4, 8))
    for trace in (layer_norm(x), batch_norm(x)):
        mean, variance = (np.broadcast_to(moment, x.shape)[2, 5] for moment in (trace.mean, trace.variance))
        assert moments_at(trace, 2, 5) == (mean, variance)
    with pytest.raises(ValueError, match="column"):
        moments_at(layer_norm(x), 0, 8)
    m, corner = moments(x), np.full((2, 2), np.nan)
    whole = np.block([[x, m.row_mean, m.row_variance], [np.vstack([m.column_mean, m.column_variance]), corner]])
    np.testing.assert_array_equal(with_moments(x), whole)


def test_moments_of_stages_are_those_of_each(rng):
    stages = rng.normal(size=(4, 6)) * [[1], [1e3], [1e-4], [7]]
    together = moments(stages)
    for i, stage in enumerate(stages):
        assert together.row_mean[i] == layer_norm(stage).mean
        assert together.row_variance[i] == layer_norm(stage).variance
