"""Every model that a weights.toml may hold opens on every page that uses one: `STORM=200` for many of them."""

import ast
import random
from pathlib import Path

import legal
import pytest
from storming import count
from test_pages import bend, healthy

from engine.weights import load_weights
from ui.page.model import pack

USERS = ["forward_pass", "architecture_ingredients", "parameters_flops_memory", "model_learns"]
ENDS = legal.ends()
STORM = count(2)
MODELS = ENDS | {f"random {i}": toml for i, toml in enumerate(legal.at_random(STORM))}


@pytest.mark.parametrize("name", MODELS)
def test_a_legal_model_opens_on_every_page_that_uses_one(app, name):
    code = pack(MODELS[name])
    load_weights(MODELS[name].encode())
    for slug, placement in [(USERS[0], "pre"), *((slug, "post") for slug in USERS)]:
        link = {"norm": placement, "temperature": "0" if placement == "post" else "0.1", "step": "Predict"}
        link = {f"{slug}.{name}": value for name, value in link.items() if slug == "forward_pass"}
        at = healthy(app(slug, {f"{slug}.model": code} | link))
        assert not at.notices, at.notices
        assert at.session_state["model.of_visit"] == code
        assert not any(error.icon == ":material/edit_off:" for error in at.error)  # every default can be read
        assert at.charts or at.error[0].icon == ":material/block:"
        if slug == "architecture_ingredients":
            healthy(at.set(matrix="layers[0].norm_2.gamma"))
        assert any(button.key == f"{slug}.start_over" for button in at.button)


SAFE = {  # what cannot refuse whatever model was loaded, and why
    "as_rows": "a matrix that was read from a file is one",
    "attention_mask": "the number of tokens that the forward pass took",
    "changed_matrices": "two checked models",
    "config_of": "the shapes of a checked model are a config",
    "count_parameters": "a config",
    "draw_sequence": "a distribution that a softmax made",
    "dump_weights": "called by ui.page.model, which says why it refused",
    "favourites": "a distribution that a softmax made",
    "layers_used": "the forward pass took this number of layers",
    "matrices": "a checked model",
    "numbers_from": "a checked model",
    "storyteller": "the file beside the engine, which a test makes again to the digit",
    "replace_matrix": "called by ui.page.model, which says why it refused",
    "accounting": "sizes within the dials' limits, which ModelConfig took; whole numbers that cannot outgrow Python's",
}


@pytest.mark.parametrize("slug", USERS[:3])  # the learning page trains in one attempt
def test_what_can_refuse_a_model_is_called_in_an_attempt(slug):
    page = ast.parse(Path(__file__).parents[1].joinpath("pages", f"{slug}.py").read_text("utf-8"))
    imports = [node for node in page.body if isinstance(node, ast.ImportFrom) and str(node.module).startswith("engine")]
    engine = {name.name for node in imports for name in node.names}
    calls = [node for node in ast.walk(page) if isinstance(node, ast.Call)]
    attempts = [ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func).startswith("lab.attempt")]
    tried = [node for node in page.body if isinstance(node, ast.FunctionDef) and node.name in attempts]
    inside = {id(node) for function in tried for node in ast.walk(function)}
    bare = {ast.unparse(call.func).split(".")[0] for call in calls if id(call) not in inside}
    assert (bare & engine) <= set(SAFE)


def test_every_page_with_a_model_is_looked_at():
    pages = Path(__file__).parents[1].joinpath("pages").glob("*.py")
    assert {page.stem for page in pages if "model.control(" in page.read_text("utf-8")} == set(USERS)


@pytest.mark.parametrize("slug", USERS[:2])
def test_one_model_after_another_in_one_visit(app, slug):
    at, draw = app(slug), random.Random(slug)
    for code in map(pack, draw.sample(list(MODELS.values()), STORM)):
        bend(healthy(at.set(model=code)), draw)
        at.set(model=code)
        assert at.control("model").value == code
