import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dropout import dropout, dropout_rows, mask_sums, sum_histogram, swapped_scale


@pytest.mark.parametrize(("p", "scale"), [(0.1, 1.11111), (0.3, 1.42857), (0.5, 2.0)])
def test_scale_is_one_over_what_is_kept(p, scale, rng):  # LLMs-from-scratch#431
    trace = dropout(np.ones(100), p, rng)
    assert trace.scale == pytest.approx(scale, abs=5e-6)
    assert trace.out.tolist() == np.where(trace.keep, trace.scale, 0).tolist()
    assert 0 < trace.keep.sum() < 100


def test_kept_weights_sum_to_more_than_one():  # annotated-transformer#138
    trace = dropout([0.5, 0.5], 0.1, np.random.default_rng(0))
    assert trace.keep.all()
    np.testing.assert_allclose([*trace.out, trace.out.sum()], [0.5556, 0.5556, 1.1111], rtol=0, atol=5e-5)


def test_the_two_ends(rng):  # axon#367
    everything, nothing = dropout([1, 2, 3], 1, rng), dropout([1, 2, 3], 0, rng)
    assert (everything.out.tolist(), everything.scale, everything.keep.any()) == ([0, 0, 0], 0, False)
    assert (nothing.out.tolist(), nothing.scale, nothing.keep.all()) == ([1, 2, 3], 1, True)


def test_evaluation_changes_nothing_and_draws_nothing(rng):
    x = np.ones((2, 3))
    trace = dropout(x, 0.9, rng, training=False)
    assert (trace.out.tolist(), trace.scale, trace.keep.all()) == (x.tolist(), 1, True)
    assert not np.shares_memory(trace.out, x)
    assert rng.random() == np.random.default_rng(0).random()


def test_without_scaling_the_kept_stay_as_they_are():
    trace = dropout([1, 2, 3, 4], 0.5, np.random.default_rng(0), scaled=False)
    assert (trace.scale, trace.out.tolist()) == (1, [1, 0, 0, 0])


def test_same_seed_same_mask_whatever_the_platform():
    keep = dropout(np.ones(10), 0.5, np.random.default_rng(7)).keep
    assert keep.tolist() == [True, True, True, False, False, True, False, True, True, False]


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.floats(0, 1), st.booleans())
@settings(max_examples=50, deadline=None)
def test_expectation_and_deviation_are_those_of_all_masks(x, p, scaled):
    trace = mask_sums(x, p, 1, np.random.default_rng(0), scaled=scaled)
    scale = (1 / (1 - p) if p < 1 else 0.0) if scaled else 1.0
    keeps = np.array(list(np.ndindex(*[2] * len(x))))
    chances = np.prod(np.where(keeps == 1, 1 - p, p), axis=1)
    sums = scale * keeps @ np.array(x)
    expectation = chances @ sums
    np.testing.assert_allclose(trace.expectation, expectation, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(trace.deviation**2, chances @ (sums - expectation) ** 2, rtol=1e-6, atol=1e-6)
    assert trace.band == (trace.expectation - 2 * trace.deviation, trace.expectation + 2 * trace.deviation)


def test_a_thousand_masks_fall_where_the_band_says():
    x = np.arange(1.0, 13.0)
    trace = mask_sums(x, 0.3, 1000, np.random.default_rng(0))
    assert trace.sums.shape == (1000,)
    assert trace.expectation == pytest.approx(78)
    assert abs(trace.mean - 78) < 4 * trace.deviation / np.sqrt(1000)
    assert 0.93 < trace.inside < 0.98
    assert mask_sums(x, 0.3, 10, np.random.default_rng(0), scaled=False).expectation == pytest.approx(0.7 * 78)


@pytest.mark.parametrize("p", [0, 1])
def test_without_chance_there_is_no_band(p, rng):
    trace = mask_sums([0.1, 0.2, 0.7], p, 5, rng)
    assert trace.deviation == 0
    assert trace.inside == 1
    np.testing.assert_allclose(trace.sums, 1 - p, rtol=1e-15)


def test_empty_input_is_empty(rng):
    assert dropout([], 0.5, rng).out.shape == (0,)
    assert mask_sums([], 0.5, 3, rng).sums.tolist() == [0, 0, 0]


@pytest.mark.parametrize("p", [-0.1, 1.1, np.nan, np.inf, "0.5", None, True])
def test_refuses_what_is_no_probability(p, rng):
    for call in (dropout, lambda x, p, rng: mask_sums(x, p, 3, rng)):
        with pytest.raises(ValueError, match="p must be a number in"):
            call([1, 2], p, rng)


def test_refuses_bad_input(rng):
    for x in (None, "a", [1, np.nan], [[1], [1, 2]]):
        with pytest.raises(ValueError, match="x "):
            dropout(x, 0.5, rng)
    for bad in (None, 0, np.random):
        with pytest.raises(ValueError, match="rng must be a numpy Generator"):
            dropout([1], 0.5, bad)
    for switch in ("training", "scaled"):
        with pytest.raises(ValueError, match=f"{switch} must be True or False"):
            dropout([1], 0.5, rng, **{switch: "no"})
    for n in (0, 1.5, None, 10**9):
        with pytest.raises(ValueError, match="n_masks"):
            mask_sums([1], 0.5, n, rng)
    with pytest.raises(ValueError, match="inside float64"):
        dropout([1.7e308] * 9, 0.5, rng)
    with pytest.raises(ValueError, match="inside float64"):
        mask_sums([1.7e308] * 9, 0.5, 5, rng, scaled=False)


def test_histogram_counts_every_sum_and_stands_still(rng):
    x = [0.5, -1.0, 2.0, 3.0]
    histograms = [sum_histogram(x, mask_sums(x, p, 1000, rng).sums) for p in (0.0, 0.3, 0.9, 1.0)]
    for histogram in histograms:
        assert histogram.counts.sum() == 1000
        np.testing.assert_array_equal(histogram.centres, histograms[0].centres)
    assert histograms[0].centres[20] == 4.5
    assert histograms[0].counts[20] == 1000


def test_histogram_agrees_with_numpy_inside_and_collects_the_rest_at_the_ends(rng):
    x, sums = np.array([1.0, 2.0, 2.0]), rng.normal(5, 6, 500)
    histogram = sum_histogram(x, sums, n_bins=7)
    half = (histogram.centres[1] - histogram.centres[0]) / 2
    edges = np.r_[-np.inf, histogram.centres[1:] - half, np.inf]
    assert histogram.counts.tolist() == np.histogram(np.clip(sums, -1e9, 1e9), np.clip(edges, -1e9, 1e9))[0].tolist()
    assert sum_histogram(np.zeros(3), [0.0, 0.0]).counts[20] == 2


@pytest.mark.parametrize("n_bins", [2, 4, 1, 1003, 5.5, True])
def test_histogram_needs_a_middle_bin(n_bins):
    with pytest.raises(ValueError, match="n_bins"):
        sum_histogram([1.0], [1.0], n_bins)


def test_histogram_refuses_what_leaves_float64():
    with pytest.raises(ValueError, match="range of the bins"):
        sum_histogram([1e308, 1e308], [0.0])
    with pytest.raises(ValueError, match="sums"):
        sum_histogram([1.0], [np.nan])


def test_the_swapped_scale_is_right_only_in_the_middle():  # LLMs-from-scratch#431
    assert swapped_scale(0.5) == dropout([1.0], 0.5, np.random.default_rng(0)).scale
    assert (swapped_scale(0.1), swapped_scale(1), swapped_scale(0)) == (10, 1, np.inf)
    with pytest.raises(ValueError, match="p must"):
        swapped_scale(1.5)


@pytest.mark.parametrize(
    ("p", "training", "scaled"), [(0.4, True, True), (0.0, True, False), (1.0, True, True), (0.5, False, True)]
)
def test_rows_under_masks_of_their_own(rng, p, training, scaled):
    x = rng.normal(size=10)
    plain = dropout(np.tile(x, (8, 1)), p, np.random.default_rng(3), training=training, scaled=scaled)
    rows = dropout_rows(x, p, np.random.default_rng(3), n_rows=8, training=training, scaled=scaled)
    assert (rows.keep == plain.keep).all()
    assert (rows.out == plain.out).all()
    assert rows.scale == plain.scale
    assert (rows.before == x.sum()).all()
    assert (rows.after == plain.out.sum(axis=1)).all()
    matrix = rng.normal(size=(3, 3))
    assert (dropout_rows(matrix, p, np.random.default_rng(3)).before == np.sum(matrix.tolist(), axis=1)).all()


def test_refuses_rows_that_are_none(rng):
    for x, n_rows in (([1], None), ([[1]], 2), ([1], 0)):
        with pytest.raises(ValueError, match="x must|n_rows"):
            dropout_rows(x, 0.5, rng, n_rows=n_rows)
    with pytest.raises(ValueError, match="the sums"):
        dropout_rows([[1e308, 1e308]], 0.0, rng)
