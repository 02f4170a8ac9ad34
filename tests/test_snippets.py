import math

import numpy as np
import pytest

from engine.feed_forward import ACTIVATIONS
from engine.transformer import PLACEMENTS, forward
from engine.weights import load_weights
from ui.snippets import shared as snippets

Z = np.linspace(-4, 4, 41)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_and_slopes_are_the_engines(name):
    env = {"np": np, "math": math, "z": Z}
    np.testing.assert_allclose(eval(snippets.activation(name, "z"), env), ACTIVATIONS[name].function(Z), atol=1e-15)
    if name != "gelu_tanh":
        np.testing.assert_allclose(eval(snippets.slope(name, "z"), env), ACTIVATIONS[name].derivative(Z), atol=1e-15)


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_forward_pass_is_the_engines(placement, name):
    weights, active = load_weights(), np.array([True, False, True])
    settings = {
        "ids": [3, 0, 1],
        "n_layers": 2,
        "causal": False,
        "scale": True,
        "placement": placement,
        "active": active,
    }
    env = {"np": np} | snippets.model_inputs(weights) | settings
    exec(snippets.forward(name), env)
    trace = forward(
        weights, [3, 0, 1], causal=False, n_layers=2, norm_placement=placement, activation=name, active_heads=active
    )
    np.testing.assert_allclose(env["probs"], trace.probs, atol=1e-13)
