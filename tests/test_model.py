import base64
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ui import model


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400))
def test_what_is_packed_comes_back_and_fits_a_link(toml):
    code = model.pack(toml)
    assert model.unpack(code).decode() == toml
    assert set(code) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_other_code_is_refused_in_a_sentence(code):
    try:
        model.unpack(code)
    except ValueError as error:
        assert str(error).endswith(".")  # noqa: PT017 - most texts are refused, a few are codes


def test_a_code_that_unpacks_into_too_much_is_refused_before_it_does():
    bomb = base64.urlsafe_b64encode(zlib.compress(b"#" * 50_000_000, 9)).decode()
    with pytest.raises(ValueError, match="larger than 8,000 bytes"):
        model.unpack(bomb)


def test_an_edited_model_stays_for_the_visit_and_stands_in_the_link(app):
    from pathlib import Path

    toml = (Path(__file__).parent.parent / "weights.toml").read_text("utf-8")
    at = app("forward_pass", {"forward_pass.model": model.pack(toml + "\n# mine\n")})
    assert not at.exception
    assert not at.warning
    assert model.unpack(at.session_state["visit.model"]).decode().endswith("# mine\n")
    at.switch_page("pages/architecture_ingredients.py").run()
    assert not at.exception
    assert at.session_state["architecture_ingredients.model"] == at.session_state["visit.model"]


def test_a_code_that_is_none_is_named_and_the_repositorys_model_stays(app):
    at = app("forward_pass", {"forward_pass.model": "nonsense"})
    assert not at.exception
    assert "This is not a model code" in at.warning[0].value
