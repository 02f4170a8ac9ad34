"""Every model that a weights.toml may hold opens on every page that uses one: `STORM=200` for many of them."""

import os

import legal
import pytest
from test_pages import healthy

from engine.weights import load_weights
from ui.page.model import pack

USERS = ["forward_pass", "architecture_ingredients", "parameters_flops_memory"]
ENDS = legal.ends()
MODELS = ENDS | {f"random {i}": toml for i, toml in enumerate(legal.at_random(int(os.environ.get("STORM", "6"))))}


@pytest.mark.parametrize("name", MODELS)
def test_a_legal_model_opens_on_every_page_that_uses_one(app, name):
    code = pack(MODELS[name])
    load_weights(MODELS[name].encode())
    for slug, placement in [(USERS[0], "pre"), *((slug, "post") for slug in USERS)]:
        norm = {f"{slug}.norm": placement} if slug == "forward_pass" else {}
        at = healthy(app(slug, {f"{slug}.model": code} | norm))
        assert not at.notices, at.notices
        assert at.session_state["model.of_visit"] == code
        assert at.subheader or at.error
        assert any(button.key == f"{slug}.start_over" for button in at.button)
