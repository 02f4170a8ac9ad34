"""The charts and sentences of the feed-forward layer, from the engine's numbers."""

from types import SimpleNamespace

import numpy as np
import pytest

from engine.feed_forward import collapse, curve_points, feed_forward, fit_widths
from ui.labs.tokens_expanded import bought, collapsed, errors, fitted, layers

X, W_1, W_2 = [[1.0, -1.0], [0.5, 2.0]], np.eye(2, 8), np.eye(8, 2)
NAMES = ["a", "b"]


def test_layers_and_what_they_would_collapse_to():
    trace = feed_forward(X, W_1, [0] * 8, W_2, [0] * 2, activation="relu")
    drawn = layers(X, trace, "relu", NAMES, NAMES, (0, 3))
    assert [np.shape(trace.z)[1] for trace in drawn.data if trace.type == "heatmap"] == [2, 8, 2, 8]
    two = collapse(X, W_1, [0] * 8, W_2, [0] * 2, activation="relu")
    drawn = collapsed(two, "relu", NAMES, NAMES)
    assert [np.shape(trace.z) for trace in drawn.data if trace.type == "heatmap"] == [(2, 2)] * 4


@pytest.mark.parametrize(
    ("difference", "silent", "why"),
    [(0.0, 0.0, "as good as nothing."), (1.0, 1.0, "only b₂ = 0 comes out."), (1.0, 0.5, "that is what")],
)
def test_what_the_activation_bought(difference, silent, why):
    assert why in bought(difference, "relu", silent)


def test_the_fit_and_its_error_by_width():
    points = curve_points("hat", 21)
    rmse = [fit.rmse for fit in fit_widths(*points, [4, 8], activation="relu", seed=0)]
    figure = errors([1, 2], rmse, 2)
    assert (figure.data[-1].x[0], figure.data[-1].y[0]) == (2, pytest.approx(rmse[1]))
    drawn = fitted(points, SimpleNamespace(out=points.y), "hat", 8)
    assert [line.name for line in drawn.data] == ["hat", "fit with 8 units"]
