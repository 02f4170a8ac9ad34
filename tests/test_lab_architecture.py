"""The model is edited on one page and the others run on it; a bad file is a sentence and changes nothing."""

import pytest

from engine.weights import dump_weights, load_weights, replace_matrix
from engine.weights import file as weights_file
from ui.page.model import pack


def favourite(at) -> str:
    return next(text for text in at.texts("markdown") if "favourite is" in text).splitlines()[0]


def test_a_dragged_cell_feeds_the_forward_pass_and_its_link(app):
    untouched = favourite(app("forward_pass"))
    at = app("architecture_ingredients", {"architecture_ingredients.matrix": "W_LM_head"})
    at.set(value=-3.0)
    assert "-3 -0.2 0.7" in at.control("edit").value
    assert "Changed against the repository's file, weights.toml: W" in at.words()
    at.go("forward_pass")
    assert at.control("model").value
    assert favourite(at) != untouched
    again = app("forward_pass", {"forward_pass.model": at.control("model").value})
    assert favourite(again) == favourite(at)


def test_an_edited_text_is_kept_to_the_digit_and_a_fault_changes_nothing(app):
    at = app("architecture_ingredients")
    at.set(edit="0.123456789 0 0\n1 1 1\n2 2 2\n3 3 3\n4 4 4")
    assert at.control("edit").value.splitlines()[0] == "0.123456789 0 0"
    at.set(edit="0,5 0 0\n1 1 1\n2 2 2\n3 3 3\n4 4 4")
    assert "decimal comma" in at.error[0].value
    assert "W_E[0, 0] is **0.123**" in at.words()
    assert "Nothing is changed" not in at.click("start_over").words()  # a visitor's work is kept
    assert "Nothing is changed" in at.click("model.drop").words()


def test_a_model_of_another_size_runs_everywhere(app):
    small = """vocabulary = ["a", "b"]
W_E = [[1, 0], [0, 1]]
W_P = [[0, 0], [0, 0], [0, 0]]
W_LM_head = [[1, 0], [0, 1]]
[[layers]]
W_O = [[1, 0]]
W_1 = [[1], [1]]
b_1 = [0]
W_2 = [[1, 1]]
b_2 = [0, 0]
norm_1 = {gamma = [1, 1], beta = [0, 0]}
norm_2 = {gamma = [1, 1], beta = [0, 0]}
[[layers.heads]]
name = "only"
source = "mine"
W_Q = [[1], [0]]
W_K = [[0], [1]]
W_V = [[1], [1]]
"""
    code = pack(dump_weights(load_weights(small.encode())))
    at = app("architecture_ingredients", {"architecture_ingredients.model": code})
    assert not at.exception
    assert "**37 parameters**" in at.words()
    at.go("forward_pass")
    assert not at.exception
    assert at.control("tokens").value == "a b"


def test_words_with_blanks_can_be_typed(app):
    odd = load_weights()._replace(vocabulary=(" the", "New York", "a,b", "a b", "one"))
    at = app("forward_pass", {"forward_pass.model": pack(dump_weights(odd))})
    assert not at.exception
    assert not at.warning
    assert at.control("tokens").value == "_the New_York a_b"
    assert not at.set(tokens="a_b_ one").error


@pytest.mark.parametrize("code", ["abc", "x" * 9000, pack("W_E = [[1, nan]]"), pack("a = 1\n" * 3), "é"])
def test_junk_model_codes_are_left_out_with_a_notice(app, code):
    at = app("forward_pass", {"forward_pass.model": code})
    assert not at.exception
    assert "was left out" in at.notices[0]
    assert at.control("model").value == ""


@pytest.mark.parametrize(
    ("toml", "named"),
    [
        (lambda t: t.replace("[0.43, 0.15, 0.89]", "[0.43, 0.15]"), "W_E"),
        (lambda t: t.replace("W_P = [", "W_X = ["), "W_P"),
        (lambda t: t.replace("0.43", '"text"'), "W_E"),
        (lambda t: t.replace("0.43", "nan"), "W_E"),
        (lambda t: t + "\n???", "TOML"),
        (lambda t: "#" * 2_000_000, "8"),
    ],
)
@pytest.mark.parametrize("slug", ["architecture_ingredients", "forward_pass"])
def test_a_bad_file_of_the_repository_stops_the_page_with_a_sentence(app, monkeypatch, tmp_path, slug, toml, named):
    bad = tmp_path / "weights.toml"
    bad.write_text(toml(weights_file.PATH.read_text("utf-8")), "utf-8")
    monkeypatch.setattr(weights_file, "PATH", bad)
    at = app(slug)
    assert not at.exception
    assert "cannot be used" in at.texts("error")[0]
    assert named in at.texts("error")[0]
    assert not at.charts


def test_an_edit_beyond_the_size_of_a_link_is_refused(app):
    at = app("architecture_ingredients")
    long = "\n".join(" ".join(["0.1234567890123456789"] * 3) for _ in range(5))
    at.set(edit=long)
    assert not at.exception
    assert load_weights(dump_weights(replace_matrix(load_weights(), "W_E", [[0.12345678901234568] * 3] * 5)).encode())


def test_a_chosen_head_and_layer_outlive_the_steps_that_show_none(app):
    at = app("forward_pass", {"forward_pass.layers": "3", "forward_pass.head": "head 1", "forward_pass.layer": "1"})
    for step in ("Predict", "Attend"):
        at.set(step=step)
    assert at.session_state["forward_pass.head"] == "head 1"
    assert at.control("layer").value == "1"
