"""The matrices with their frames, the variance against ε, and the sentence of each norm."""

import numpy as np

from engine.normalization import layer_norm, moments, with_moments
from ui.labs.rows_normalised import TITLES, against_eps, evened, framed

X = np.array([[1.0, 3.0], [5.0, 9.0]])


def test_every_matrix_ends_in_its_moments():
    figure = framed([with_moments(X)] * 4, rows=["t0", "t1"], columns=["f0", "f1"], mark=(0, 1))
    first, *others = [trace for trace in figure.data if trace.type == "heatmap"]
    assert len(others) == len(TITLES) - 1
    assert np.asarray(first.z, float)[:2, 2:].tolist() == [[2.0, 1.0], [7.0, 4.0]]


def test_an_eps_of_0_has_no_mark():
    left = np.array([[1.0, 0.5], [0.9, 0.4]])
    with_mark, without = (against_eps([1e-4, 1e-2], left, ["a", "b"], 1, eps, 0.4) for eps in (0.01, 0.0))
    assert [line.line.dash for line in without.data] == ["longdash", "solid"]
    assert [line.x[0] for line in with_mark.data] == [1e-4, 1e-4, 0.01]


def test_the_sentences_say_what_a_norm_leaves():
    before, after = moments(X), moments(layer_norm(X, eps=0).out)
    layer, batch, rms = (sentence for claim, sentence in evened(after, before, before, 1.0) if claim)
    assert layer.startswith("Layer norm: row means **0.000**, row variances **1.000**")
    assert batch.endswith("the rows' variances are 1.000 to 4.000.")
    assert rms == "RMS norm does not centre: the row means are **2.000 to 7.000**."
