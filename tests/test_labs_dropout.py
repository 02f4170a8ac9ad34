"""The charts of dropout from the engine's numbers, and what the chart of sums cannot show."""

import numpy as np

from engine.dropout import dropout_rows, mask_sums, sum_histogram
from ui.labs.dropout import attention, beyond, eight, expected, held, masked_sum, sums

X = [1.0, 2.0, 3.0]


def drawn(p, **options):
    many = mask_sums(X, p, 100, np.random.default_rng(0), **options)
    return sum_histogram(X, many.sums), many


def heatmaps(figure):
    return [trace for trace in figure.data if trace.type == "heatmap" and "coloraxis" in trace]


def test_the_row_stands_over_its_masks():
    trace = dropout_rows(X, 0.5, np.random.default_rng(0), n_rows=8)
    row, total = heatmaps(eight(X, trace, ["a", "b", "c"], 1, 0))[:2]
    assert np.shape(row.z) == (9, 3)
    assert np.asarray(total.z, float).ravel().tolist() == [6.0, *trace.after]


def test_attention_weights_carry_their_sums():
    weights = [[0.5, 0.5, 0.0]] * 3
    dropped = dropout_rows(weights, 0.5, np.random.default_rng(0))
    before = heatmaps(attention(weights, dropped))[0]
    assert np.asarray(before.z, float)[:, 3].tolist() == [1.0] * 3


def test_evaluation_is_marked_only_where_training_expects_another_sum():
    bins, many = drawn(0.5)
    assert held(many, 6.0)
    unscaled = drawn(0.5, scaled=False)
    assert not held(unscaled[1], 6.0)
    assert [len(sums(*both, 6.0).layout.shapes) for both in ((bins, many), unscaled)] == [3, 4]


def test_what_the_chart_of_sums_cannot_show():
    assert beyond(*drawn(0.0)) == "All 100 sums are the same: one spike, beyond the top of the chart."
    assert beyond(*drawn(0.5)).startswith("Sums beyond either end")
    assert beyond(*drawn(0.95)).startswith("The ±2σ band is wider than the axis. Sums beyond")


def test_the_formulas_end_in_the_numbers():
    assert masked_sum([1.0, 3.0], 2.0, 8.0).endswith(r"2.000 \cdot (1.000 + 3.000) = 8.000")
    mean, deviation = expected(drawn(0.5)[1], 2.0, 0.5, X)
    assert mean.endswith("= 6.000")
    assert deviation.endswith("= 3.742")
