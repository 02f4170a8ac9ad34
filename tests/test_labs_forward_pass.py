"""Gradients under the matrices of the forward pass: each is a derivative of the loss, and its chain ends in it."""

import json

import numpy as np
import pytest

from engine.attention import causal_mask
from engine.feed_forward import ACTIVATIONS
from engine.training import backward, storyteller
from engine.transformer import PLACEMENTS, forward, layers_used
from engine.weights import load_weights, matrices, replace_matrix
from tests.driven import Chart
from tests.linked import check
from ui import charts, formulas
from ui.charts.figure import to_json
from ui.labs.forward_pass import gradients, stages, way
from ui.labs.forward_pass.back import Back
from ui.labs.forward_pass.view import View

IDS, RIGHT, H = [0, 3, 0], 2, 1e-5


def looked_at(placement, at=0, final=False, head=1, weights=None, activation="gelu", scale=True):
    """What comes back to two layers of one head's silence and a word that stands twice."""
    weights = weights or load_weights()
    active = np.arange(len(weights.layers[0].heads)) < 2
    settings = {"causal": True, "scale": scale, "activation": activation, "norm_placement": placement}
    settings |= {"active_heads": active, "n_layers": 2, "final_norm": final}
    back = backward(weights, IDS, [RIGHT] * 3, mask=np.arange(3) == 2, **settings)
    view = View(back.forward, weights, layers_used(weights, 2), at, head, ["a", "b", "a"], causal_mask(3), settings)
    return Back(view, back, ACTIVATIONS[activation].derivative, IDS, RIGHT)


CASES = [(placement, at, final, head) for placement in PLACEMENTS for at, final, head in ((0, False, 1), (1, True, 0))]


@pytest.mark.parametrize(("placement", "at", "final", "head"), [*CASES, ("pre", 1, True, 2)])
def test_every_matrix_has_a_gradient_of_its_shape_and_every_chain_ends_in_it(placement, at, final, head):
    back = looked_at(placement, at, final, head)
    for step in stages.names(placement, final):
        cells, slopes = stages.cells(back.view, step), gradients.slopes(back, step)
        assert [np.shape(panel.values) for panel, _ in cells] == [np.shape(d) for d, _ in slopes], step
        for (panel, _), (d, chain) in zip(cells, slopes, strict=True):
            for r, c in np.ndindex(np.shape(d)):
                first, *more = map(formulas.settled, chain(r, c))
                assert first.startswith(r"\frac{\partial L}{\partial ")
                if "= 0\\text" in first:
                    assert d[r, c] == 0, (step, panel.title, r, c)
                    continue
                shown = formulas.value(formulas.RELATION.split(first)[-1])
                assert shown == pytest.approx(d[r, c], rel=6e-4, abs=5.1e-4), (step, panel.title, r, c)
                for formula in (first, *more):
                    sides = [formulas.value(side) for side in formulas.RELATION.split(formula)[::2]]
                    known = [side for side in sides if side is not None]
                    assert np.ptp(known) <= 0.01 * max(map(abs, known)) + 2e-3, (step, panel.title, formula)


def test_the_gradients_of_the_models_matrices_are_central_differences_of_the_loss():
    back, weights = looked_at("pre", 1, True), load_weights()
    settings = back.view.settings

    def loss(name, cell, by):
        moved = np.array(matrices(weights)[name])
        moved[cell] += by
        return -np.log(forward(replace_matrix(weights, name, moved), IDS, **settings).probs[-1, RIGHT])

    places = {"Embed": ((0, "W_E"), (1, "W_P")), "Predict": ((1, "W_LM_head"),), "Mix heads": ((1, "layers[0].W_O"),)}
    places["Q K V"] = tuple((1 + i, f"layers[0].heads[1].W_{kind}") for i, kind in enumerate("QKV"))
    for step, found in places.items():
        for at, name in found:
            d = gradients.slopes(back, step)[at][0]
            for r, c in [(0, 0), (1, 1), (2, 1)]:
                cell = (IDS[r], c) if name == "W_E" else (r, c)
                slope = (loss(name, cell, H) - loss(name, cell, -H)) / (2 * H)
                assert d[r, c] == pytest.approx(slope, rel=1e-5, abs=1e-8), (name, cell)


def test_a_word_that_stands_twice_gathers_both_places_and_a_stacked_layer_its_uses():
    back = looked_at("post")
    rows, chain = gradients.slopes(back, "Embed")[0]
    assert rows[0].tolist() == rows[2].tolist()
    assert chain(0, 1)[0].count(r"\partial x") == 2
    W_O = gradients.slopes(back, "Mix heads")[1][1](0, 0)
    assert r"\text{all 2 uses}" in W_O[0]
    assert W_O[1].startswith(r"\text{of which use ")


def test_a_silent_head_gets_nothing_back_and_says_so():
    back = looked_at("post", head=2)
    for step, first, last in (("Q K V", 1, 7), ("Attend", 0, 6)):
        for d, _ in gradients.slopes(back, step)[first:last]:
            assert not d.any()
    assert gradients.slopes(back, "Q K V")[4][1](0, 0) == [
        r"\frac{\partial L}{\partial Q[0,0]} = 0\text{: head 2 is silent}"
    ]


def test_small_gradients_are_written_in_units_of_a_power_of_ten():
    back = looked_at("none", weights=storyteller())
    cells = [panel for panel, _ in stages.cells(back.view, "Predict")]
    drawn = gradients.panels(cells, [(d * 1e-4, chain) for d, chain in gradients.slopes(back, "Predict")])
    read = drawn[0]
    assert read.title == "∂L/∂ What the head reads in 10⁻³"
    assert read.limit == pytest.approx(5e-4)  # 1, 2 or 5 times a power of ten
    assert read.words[-1] == [f"{g:.3f}".replace("-", "−") for g in np.round(read.values[-1] / 1e-3, 3) + 0.0]
    assert drawn[2].title == "∂L/∂ Logits"  # 26 columns hold no numbers
    assert drawn[2].words is None


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize(("placement", "at", "final", "head"), CASES)
def test_every_cell_of_every_step_is_made_as_its_link_says(placement, at, final, head, scale):
    view = looked_at(placement, at, final, head, scale=scale).view
    for step in stages.names(placement, final):
        panels = [panel for panel, _ in stages.cells(view, step)]
        text = to_json(charts.matrices(panels, links=way.of_step(view, step)))
        computed = check({"step": Chart(text, json.loads(text), "", True)})
        assert computed > 5 or "orm" in step


@pytest.mark.parametrize(("placement", "at", "final", "head"), CASES)
def test_the_way_back_from_every_cell_ends_where_the_numbers_begin(placement, at, final, head):
    looked = looked_at(placement, at, final, head).view
    steps = stages.names(placement, final)
    for step in steps:
        for panel, _ in stages.cells(looked, step):
            for r, c in np.ndindex(np.shape(panel.values)):
                view, here, name, cell = looked, step, panel.name, (r, c)
                for _ in range(99):
                    spot = way.back(view, here, name, *cell)
                    if spot is None:
                        break
                    held = {one.name: one for one, _ in stages.cells(view, here)}
                    before, view = view, view._replace(at=spot.place.layer, head=spot.head)
                    found = {one.name: one for one, _ in stages.cells(view, spot.place.step)}[spot.place.matrix]
                    number = np.asarray(held[name].values)[cell]
                    if spot.what == way.SAME:
                        assert np.asarray(found.values)[spot.row, spot.column] == number
                        assert (spot.place.layer, steps.index(spot.place.step)) < (before.at, steps.index(here)) or (
                            spot.place.step == "Embed" or here in ("Predict", "Final norm")
                        )
                    elif spot.place.step == here:
                        assert any(
                            link.of == name and spot.place.matrix in [of for of, _, _ in link.sources]
                            for link in way.of_step(view, here)
                        )
                    here, name, cell = spot.place.step, spot.place.matrix, (spot.row, spot.column)
                assert here == "Embed" or name.startswith(("W_", "b_")) or name == "contexts", (step, panel.title, r, c)
