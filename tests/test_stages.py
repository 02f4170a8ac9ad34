import numpy as np
import pytest

from engine.attention import causal_mask
from engine.transformer import PLACEMENTS, forward, layers_used
from engine.weights import load_weights
from ui import formulas
from ui.labs.forward_pass import stages
from ui.labs.forward_pass.view import View


def looked_at(placement, at=0, final=False, active=(True, True, False)):
    weights, settings = load_weights(), {"causal": True, "scale": True, "activation": "relu"}
    settings |= {"norm_placement": placement, "active_heads": np.array(active), "n_layers": 2, "final_norm": final}
    trace = forward(weights, [0, 3, 1], **settings)
    return View(trace, weights, layers_used(weights, 2), at, 1, ["a", "b", "c"], causal_mask(3), settings)


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize(("at", "final"), [(0, False), (1, True)])
def test_every_sum_ends_in_the_number_of_its_cell_and_only_parameters_have_none(placement, at, final):
    view = looked_at(placement, at, final)
    for step in stages.names(placement, final):
        for panel, how in stages.cells(view, step):
            values = np.asarray(panel.values)
            for r, c in np.ndindex(values.shape):
                text = how(r, c)
                if "infty" in text:
                    continue
                if " = " not in text:
                    assert "a parameter" in text, (step, panel.title)
                    continue
                shown = formulas.value(text.rsplit(" = ", 1)[1].split(r"\text")[0])
                assert shown == pytest.approx(values[r, c], abs=5.1e-4), (step, panel.title, r, c)


def test_values_contexts_and_the_residual_path_have_their_sums():
    view = looked_at("post", at=1)
    how = lambda step, title: next(how for panel, how in stages.cells(view, step) if panel.title == title)
    assert how("Attend", "V = x·W_V")(0, 1).startswith("V[0,1] = ")
    assert how("Mix heads", "Contexts side by side")(2, 3).count(" + ") == 2
    assert r"0.000\text{: head 2 is silent}" in how("Mix heads", "Contexts side by side")(2, 5)
    assert r"\gamma" in how("Q K V", "x")(0, 0)  # handed on by the norm of the layer before
    assert how("Add 1", "Attention's output")(0, 0).startswith("O[0,0] = ")
    assert r"\gamma" in how("Add 2", "The residual path")(0, 0)


def test_columns_are_named_after_what_they_hold_and_maps_name_their_axes():
    cells = {panel.title: panel for panel, _ in stages.cells(looked_at("post"), "Attend")}
    assert cells["V = x·W_V"].columns == ["v0", "v1"]
    assert cells["Weights"].axes == ("query", "key")


def test_norms_come_where_they_are_placed():
    assert stages.names("post").index("Norm 1") > stages.names("post").index("Add 1")
    assert stages.names("pre").index("Norm 1") < stages.names("pre").index("Q K V")
    assert "Norm 1" not in stages.names("none")
    assert stages.names("pre", True)[-2:] == ["Final norm", "Predict"]
    assert all(len(stages.names(p)) == len(set(stages.names(p))) for p in PLACEMENTS)
