"""The stages as points on lines, and the sums behind one feature."""

import pytest

from engine.normalization import layer_norm_stages, moments
from ui.labs.layer_normalisation import lines, sums

ROW = [1.0, 3.0, 2.0, 0.0, 5.0, 1.0]


def test_every_stage_is_a_line_with_its_moments():
    trace = layer_norm_stages(ROW)
    stages = [ROW, trace.centred, trace.normalized, trace.out]
    figure = lines(stages, moments(stages), columns=list("abcdef"), chosen=1, limit=9)
    drawn = [trace.x for trace in figure.data if "markers" in trace.mode]
    assert [list(x) for x in drawn] == [pytest.approx(list(stage)) for stage in stages]
    assert [note.text for note in figure.layout.annotations][:2] == [
        "mean 2.000 · variance 2.667",
        "mean 0.000 · variance 2.667",
    ]


def test_the_sums_end_in_the_numbers_of_the_trace():
    gamma, beta = [1.0] * 6, [0.5] * 6
    trace = layer_norm_stages(ROW, gamma, beta, eps=0.0)
    mean, variance, hat, out = sums(ROW, gamma, beta, 0.0, trace, 1)
    assert mean.endswith("= 2.000")
    assert variance.endswith("= 2.667")
    assert hat.endswith("= 0.6124")
    assert out == r"y_1 = 1.000 \cdot 0.6124 + 0.500 = 1.112"
