import math

import numpy as np
import pytest

from engine.feed_forward import ACTIVATIONS
from engine.sampling import next_token
from engine.transformer import PLACEMENTS, forward
from engine.weights import load_weights
from ui.labs.forward_pass.program import inputs
from ui.snippets import program
from ui.snippets.shared import activation, slope

Z = np.linspace(-4, 4, 41)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_and_slopes_are_the_engines(name):
    env = {"np": np, "math": math, "z": Z}
    np.testing.assert_allclose(eval(activation(name, "z"), env), ACTIVATIONS[name].function(Z), atol=1e-15)
    np.testing.assert_allclose(eval(slope(name, "z"), env), ACTIVATIONS[name].derivative(Z), atol=1e-15)


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_forward_pass_is_the_engines(placement, name):
    weights = load_weights()
    settings = {
        "causal": False,
        "scale": True,
        "norm_placement": placement,
        "final_norm": placement == "pre",
        "n_layers": 2,
        "active_heads": np.array([True, False, True]),
    }
    drawn = {"temperature": 0.8, "top_k": 4, "top_p": 0.9}
    env = {"np": np, "math": math} | inputs(weights, [3, 0, 1], settings, drawn | {"seed": 5})
    body, old = program("forward_pass")[1], activation("gelu", "z").strip("()")
    assert body.count(old) == 1
    exec(body.replace(old, activation(name, "z")), env)
    trace = forward(weights, [3, 0, 1], activation=name, **settings)
    np.testing.assert_allclose(env["probs"], trace.probs, atol=1e-13)
    np.testing.assert_allclose(env["blocks"][1]["scores"][2], trace.blocks[1].attention.heads[2].scores, atol=1e-13)
    np.testing.assert_allclose(env["next_token"], next_token(trace.logits[-1], **drawn).out, atol=1e-13)
