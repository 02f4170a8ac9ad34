"""The charts and sentences of the feed-forward layer, from the engine's numbers."""

from types import SimpleNamespace

import numpy as np
import pytest

from engine.feed_forward import along_line, collapse, curve_points, feed_forward, fit_widths
from ui.labs.tokens_expanded import bends, bent, bought, collapsed, errors, fitted, layers, widths

X, W_1, W_2 = [[1.0, -1.0], [0.5, 2.0]], np.eye(2, 8), np.eye(8, 2)
NAMES = ["a", "b"]


def test_layers_and_what_they_would_collapse_to():
    trace = feed_forward(X, W_1, [0] * 8, W_2, [0] * 2, activation="relu")
    drawn = layers(X, trace, "relu", NAMES, NAMES, (0, 3, 1))
    assert [np.shape(trace.z)[1] for trace in drawn.data if trace.type == "heatmap"] == [2, 8, 2, 8]
    two = collapse(X, W_1, [0] * 8, W_2, [0] * 2, activation="relu")
    drawn = collapsed(two, "relu", NAMES, NAMES, 0.0)
    assert [np.shape(trace.z) for trace in drawn.data if trace.type == "heatmap"] == [(2, 2)] * 4


@pytest.mark.parametrize(
    ("activation", "difference", "silent", "why"),
    [
        ("relu", 1e-15, 0.0, "0 up to rounding**: every h lies where the activation is straight"),
        ("relu", 1.0, 1.0, "only b₂ = 0 comes out."),
        ("gelu", 1.0, 0.5, "that is what the activation buys"),
        ("identity", 1e-15, 0.0, "the two layers **are that one layer** (difference 0 up to rounding)"),
    ],
)
def test_what_the_activation_bought(activation, difference, silent, why):
    assert why in bought(SimpleNamespace(one_layer=np.ones(2), difference=difference), activation, silent)


def test_bends_of_the_layers_own_units():
    one, two = ([0.0], [-1.0, 0.5])
    said = lambda places, bias, activation: [
        sentence for claim, sentence in bends(SimpleNamespace(bends=places), 8, bias, activation, "t0") if claim
    ]
    assert "never bend" in said(one, 0.0, "identity")[0]
    assert "at one place, 0 times t0, because every bias is 0" in said(one, 0.0, "relu")[0]
    assert "2 bend the output between −4 and 4 times t0" in said(two, 1.0, "relu")[0]
    assert "nearest to t0 at 0.500 times it" in said(two, 1.0, "relu")[0]
    assert "1 curves the output" in said([0.5], 1.0, "gelu")[0]
    assert "does not bend there" in said([], 1.0, "relu")[0]


def test_the_line_has_the_token_at_one():
    line = along_line(X[0], W_1, [1] * 8, W_2, [0] * 2, [-2, 0, 2], activation="relu")
    figure = bent(line, 1, "t0")
    assert [list(drawn.y) for drawn in figure.data] == [line.straight[:, 1].tolist(), line.out[:, 1].tolist()]
    assert figure.layout.shapes[0].x0 == 1


def test_no_width_is_told_twice_and_the_first_good_one_is_named():
    assert widths("hat", [1, 2, 8], [0.3, 0.2, 0.05], 1).count("with 4") == 1
    said = widths("hat", [1, 2, 8], [0.3, 0.2, 1e-9], 2)
    assert said.endswith("**0.200** with 8, **less than 10⁻⁶** with 32; 32 units are the first to bring it below 0.1.")
    assert "none of these widths" in widths("hat", [1, 8], [0.3, 0.2], 8)


def test_the_fit_and_its_error_by_width():
    points = curve_points("hat", 21)
    rmse = [fit.rmse for fit in fit_widths(*points, [4, 8], activation="relu", seed=0)]
    figure = errors([1, 2], rmse, 2)
    assert (figure.data[-1].x[0], figure.data[-1].y[0]) == (2, pytest.approx(rmse[1]))
    drawn = fitted(points, SimpleNamespace(out=points.y), "hat", 8)
    assert [line.name for line in drawn.data] == ["hat", "fit with 8 units"]
