import base64
import random
import zlib

import legal
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.weights import load_weights
from engine.weights.file import MAX_BYTES
from ui.page import model


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
    with pytest.raises(ValueError, match="larger than 8,192 bytes"):
        model.unpack(bomb)


def test_an_edited_model_stays_for_the_visit_and_stands_in_the_link(app):
    from pathlib import Path

    toml = (Path(__file__).parent.parent / "weights.toml").read_text("utf-8")
    at = app("forward_pass", {"forward_pass.model": model.pack(toml + "\n# mine\n")})
    assert not at.exception
    assert not at.warning
    assert model.unpack(at.session_state["model.of_visit"]).decode().endswith("# mine\n")
    at.go("architecture_ingredients")
    assert not at.exception
    assert at.session_state["architecture_ingredients.model"] == at.session_state["model.of_visit"]


def test_a_code_that_is_none_is_named_and_the_repositorys_model_stays(app):
    at = app("forward_pass", {"forward_pass.model": "nonsense"})
    assert not at.exception
    assert "This is not a model code" in at.notices[0]


def test_a_file_that_is_quoted_in_a_refusal_stays_text(app):
    code = model.pack('"![x](http://e.com/y.png)" = 1')
    words = app("forward_pass", {"forward_pass.model": code}).warning[0].value
    assert "\\!\\[x\\]\\(http\u2060\\:" in words
    at = app("forward_pass")
    at.set(model=code)
    assert "\\!\\[x\\]" in at.error[0].value


@pytest.mark.parametrize("tokens", ["Your one", ""])
def test_another_vocabulary_or_a_single_word_of_it_ends_no_page(app, tokens):
    norm, single = {"gamma": [1.0], "beta": [0.0]}, [[1.0]]
    head = {"name": "a", "source": "ours", "W_Q": single, "W_K": single, "W_V": single}
    layer = {"W_O": single, "W_1": single, "b_1": [0.0], "W_2": single, "b_2": [0.0], "norm_1": norm, "norm_2": norm}
    lines = ['vocabulary = ["w"]', "W_E = [[1.0]]", "W_P = [[1.0]]", "W_LM_head = [[1.0]]", "[[layers]]"]
    lines += [f"{name} = {value}" for name, value in layer.items() if not isinstance(value, dict)]
    lines += [f"[layers.{name}]\ngamma = [1.0]\nbeta = [0.0]" for name in ("norm_1", "norm_2")]
    lines += ["[[layers.heads]]", *(f"{name} = {value!r}" for name, value in head.items())]
    at = app("forward_pass", {"forward_pass.tokens": tokens} if tokens else {})
    at.set(model=model.pack("\n".join(lines)))
    assert not at.exception
    assert ["default" in e.value for e in at.error] == ([True] if tokens else [])
    for slug in ("architecture_ingredients", "parameters_flops_memory"):
        assert not at.go(slug).exception


def test_the_page_takes_a_model_of_as_many_bytes_as_the_engine():
    assert model.MOST_BYTES == MAX_BYTES == legal.MOST_BYTES == len(legal.brimful().encode())


@pytest.mark.parametrize("change", [{"value": -2.87}, {"edit": "\n".join(["-2.87 " * 12] * 64)}])
def test_a_change_that_would_outgrow_the_file_is_refused_in_a_sentence(app, change):
    slug, code = "architecture_ingredients", model.pack(legal.brimful())
    at = app(slug, {f"{slug}.model": code})
    assert not at.error
    at.set(**change)
    assert not at.exception
    assert "8,192 bytes; this model needs" in at.error[0].value
    assert at.error[0].value.endswith("The model is unchanged.")
    assert at.session_state[f"{slug}.model"] == code
    at.set(column="1")
    assert not at.error or "edit" in change
    assert not at.set(value=0.0).error


def test_a_model_whose_code_no_link_can_hold_is_refused_in_a_sentence():
    draw = random.Random(0)
    toml = legal.text(1) + "#" + "".join(chr(draw.randint(0x21, 0x7E)) for _ in range(7_900))
    assert len(load_weights(toml.encode()).vocabulary) == 1
    with pytest.raises(ValueError, match=r"and a link takes 8,000\.$"):
        model._keep("x.model", toml)


def test_the_file_to_download_is_written_on_demand_and_reads_back(app):
    slug, toml = "architecture_ingredients", legal.ends()["12 heads in 10 layers"]
    at = app(slug, {f"{slug}.model": model.pack(toml)})
    assert load_weights(at.files["toml"].encode()).vocabulary == load_weights(toml.encode()).vocabulary


def test_a_built_in_model_is_chosen_for_the_visit_and_ones_own_wins(app):
    at = app("forward_pass", {"forward_pass.weights": "storyteller"})
    for slug in ("architecture_ingredients", "parameters_flops_memory"):
        at.go(slug)
        assert at.control("weights").value == "storyteller"
        assert "684" in at.words()
    at.go("architecture_ingredients").set(value=1.0)
    assert load_weights(model.unpack(at.control("model").value)).W_E.shape == (26, 6)
    assert "Changed against the storyteller as it was trained: W" in at.words()
    at.set(weights="course's")
    assert "**684 parameters**" in at.words()
    assert "This visit has a model of its own." in at.words()
    assert next(b.label for b in at.button if b.key.endswith("model.drop")) == "Back to the course's weights"
    assert "**174 parameters**" in at.click("model.drop").words()
    assert "trained, on 11" in at.set(weights="storyteller").words()


def test_a_chosen_model_is_part_of_the_link_and_starting_over_goes_back(app):
    at = app("architecture_ingredients").set(weights="storyteller").unfold("take_away")
    assert "architecture_ingredients.weights=storyteller" in at.link
    assert at.click("start_over").control("weights").value == "course's"


def test_a_model_other_than_the_courses_is_named_under_the_title_and_stands_in_every_address(app):
    from pathlib import Path

    header = lambda at: at.texts("markdown")[0]
    assert "badge" not in header(app("forward_pass"))
    assert "storyteller model" in header(app("forward_pass", {"forward_pass.weights": "storyteller"}))
    toml = (Path(__file__).parent.parent / "weights.toml").read_text("utf-8")
    code = model.pack(toml + "\n# mine\n")
    at = app("forward_pass", {"forward_pass.model": code})
    for slug in ("architecture_ingredients", "model_learns", "forward_pass"):
        at.go(slug)
        assert "your own model" in header(at)
        assert code in at.unfold("take_away").link
