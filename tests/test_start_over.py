"""Start over, and each preset, leave a lab in exactly one state, whatever was set, in sight or out of it."""

import random

import pytest
from test_pages import SLUGS, bend

from engine.weights import dump_weights, load_weights
from ui.page.model import pack

HIDDEN = {  # lab: what is set, what hides it, what shows it again
    "one_distribution_one_token": (
        {"two camps.logits": "1 2 3 junk"},
        {"shape": "peaked"},
        {"shape": "two camps"},
    ),
    "optimizers": ({"x_ravine": 1.0, "y_ravine": 0.5}, {"surface": "Rosenbrock"}, {"surface": "Ravine"}),
    "parameters_flops_memory": (
        {"toy.sequence": "32"},
        {"preset": "gpt2"},
        {"preset": "this platform's model"},
    ),
    "forward_pass": ({"layers": 5, "layer": "4"}, {"step": "Embed"}, {"step": "Mix heads", "layers": 5}),
    "transformer_deep_dive": (
        {"own_weights": "0 1\n2 junk", "row": "word 1"},
        {"part": "Masking"},
        {"part": "Attention"},
    ),
}


def state(at) -> dict:
    """What every control on the page stands at."""
    return {key: widget.value for key, widget in at.controls.items()}


@pytest.mark.parametrize("slug", HIDDEN)
def test_starting_over_resets_what_is_out_of_sight(app, slug):
    changes, hide, show = HIDDEN[slug]
    changed, fresh = app(slug), app(slug)
    for name, value in changes.items():
        if f"{slug}.{name}" in changed.controls:
            changed.set(**{name: value})
    changed.set(**hide).click("start_over")
    assert state(changed) == state(fresh)
    for at in (changed, fresh):
        at.set(**show)
        assert not at.error
    assert state(changed) == state(fresh)


@pytest.mark.parametrize("slug", HIDDEN)
def test_a_preset_gives_its_state_whatever_was_out_of_sight(app, slug):
    changes, hide, show = HIDDEN[slug]
    changed, fresh = app(slug), app(slug)
    preset = changed.presets[-1]
    for name, value in changes.items():
        if f"{slug}.{name}" in changed.controls:
            changed.set(**{name: value})
    changed.set(**hide)
    for at in (changed, fresh):
        at.click(preset)
        assert not at.error
        at.set(**{name: value for name, value in show.items() if f"{slug}.{name}" in at.controls})
    assert not changed.error
    assert state(changed) == state(fresh)


@pytest.mark.parametrize("slug", SLUGS)
def test_starting_over_from_anywhere_leaves_nothing(app, slug):
    at, draw = app(slug), random.Random(f"over {slug}")
    opened, work = state(at), {f"{slug}.{name}" for name in ("model", "value", "edit")}  # a model that stays
    work |= {"forward_pass.matrix"}  # opens on the last matrix of a step, so with the step
    for _ in range(3):
        bend(at, draw)
        for key, value in state(at).items():
            opened.setdefault(key, value)
    at.click("start_over")
    assert not at.exception
    assert not at.error
    for key in opened.keys() - work:
        if key in at.session_state:  # an answer to a question that is gone has no control
            assert at.session_state[key] == opened[key], key


def test_the_objectives_are_not_ticked_any_more(app):
    at = app("transformer_deep_dive")
    for box in at.checkbox:
        box.check()
    at.run().click("Weights of your own")
    assert [box.value for box in at.checkbox] == [True] * 4
    at.click("start_over")
    assert [box.value for box in at.checkbox] == [False] * 4
    at.run()
    assert [box.value for box in at.checkbox] == [False] * 4


@pytest.mark.parametrize("slug", ["forward_pass", "architecture_ingredients", "parameters_flops_memory"])
def test_a_visitors_model_stays_and_junk_typed_over_it_goes(app, slug):
    code = pack(dump_weights(load_weights()._replace(W_P=load_weights().W_P[:2])))
    at = app(slug, {f"{slug}.model": code})
    at.set(model="junk")
    assert at.error
    at.click("start_over")
    assert not at.error
    assert at.control("model").value == code


def test_a_refused_edit_is_forgotten(app):
    slug = "architecture_ingredients"
    for button in ("start_over", "The way out"):
        at = app(slug)
        at.set(matrix="W_LM_head").set(edit="junk")
        assert at.error
        at.click(button).set(matrix="W_LM_head")
        assert not at.error
        assert "junk" not in at.control("edit").value
