import numpy as np
import pytest

from engine.attention import causal_mask
from engine.transformer import PLACEMENTS, forward, layers_used
from engine.weights import load_weights
from ui.labs.forward_pass import stages


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_the_last_number_of_every_sum_is_the_number_in_its_cell(placement):
    weights = load_weights()
    settings = {"causal": True, "scale": True, "activation": "relu", "norm_placement": placement}
    trace = forward(weights, [0, 3, 1], **settings)
    view = stages.View(trace, weights, layers_used(weights), 0, 1, ["a", "b", "c"], causal_mask(3), settings)
    for step in stages.names(placement):
        for panel, how in stages.cells(view, step):
            values = np.asarray(panel.values)
            for r, c in np.ndindex(values.shape):
                text = how(r, c)
                if " = " in text and "infty" not in text:
                    shown = (
                        text.rsplit(" = ", 1)[1]
                        .split(r"\text")[0]
                        .replace(r" \cdot 10^", "e")
                        .replace("{", "")
                        .replace("}", "")
                    )
                    assert float(shown) == pytest.approx(values[r, c], abs=5.1e-4), (step, panel.title, r, c)


def test_norms_come_where_they_are_placed():
    assert stages.names("post").index("Norm 1") > stages.names("post").index("Add 1")
    assert stages.names("pre").index("Norm 1") < stages.names("pre").index("Q K V")
    assert "Norm 1" not in stages.names("none")
    assert all(len(stages.names(p)) == len(set(stages.names(p))) for p in PLACEMENTS)
