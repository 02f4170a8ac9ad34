"""What the page says of the model is what its numbers say, in every preset and for models of other sizes."""

import pytest

from engine.weights import dump_weights, load_weights
from ui.page.model import pack

SLUG = "architecture_ingredients"
RIGHT = {  # state: what is said there
    "": [
        "**174 parameters**",
        "They are made up, not trained",
        "layers[0].W_O, layers[0].W_1, layers[0].W_2 are the largest matrices shown, each with 18 of 174 parameters.",
        "**1. W_E**, vocabulary 5 × d_model 3",
        "36 of the 174 stand in heads that are ours",
        "11 kinds of matrices · 174 parameters · d_model = 3 · 3 heads of d_k = 2",
        "GPT-2 ties it to W_E: 159",
    ],
    "matrix=W_E&row=2": [
        "“journey” and “starts” are the two words the model tells apart least on the way in",
        "differ by at most 0.020, cosine 0.99968. Not so on the way out",
        "their columns of W_LM_head differ by up to 0.900, cosine −0.492",
        "No two words lie further apart on the way out: their columns' distance is 1.559.",
    ],
    "matrix=layers[0].W_O&row=2": [
        "**6. layers[0].W_O**, concat 6 × d_model 3",
        "Row 2 meets the context of **head 1**, as do all rows from 2 to 3.",
    ],
    "matrix=layers[0].norm_1.gamma": [
        "γ = 1 and β = 0 change nothing: what this norm hands on is 0.000 away from the centred and scaled rows",
        "every row leaves it with mean 0 and variance 1",
    ],
    "matrix=W_LM_head": ["Tied to W_E, its transpose, it would save **15 numbers**."],
    "matrix=layers[0].heads[0].W_Q": ["Part of head 0, the course text's Head 1; source: Architecture ingredients."],
    "matrix=layers[0].heads[2].W_V": ["Part of head 2, “Head 3” in the file; source: illustrative."],
}


def said(app, **link):
    words = app(SLUG, {f"{SLUG}.{name}": value for name, value in link.items()}).words()
    return words.replace("\\", "")


@pytest.mark.parametrize("state", RIGHT)
def test_what_is_said_is_right(app, state):
    words = said(app, **dict(pair.split("=") for pair in state.split("&") if pair))
    for sentence in RIGHT[state]:
        assert sentence in words
    for wrong in ("A norm that does nothing", "turned over", "the document", "The largest matrix shown is"):
        assert wrong not in words


def test_γ_and_β_that_do_something_are_said_to(app):
    model = load_weights()
    layer = model.layers[0]._replace(norm_1=model.layers[0].norm_1._replace(beta=[0.5, 0, 0]))
    code = pack(dump_weights(model._replace(layers=(layer,))))
    words = said(app, matrix="layers[0].norm_1.beta", model=code)
    assert "γ and β move the centred and scaled rows of this norm by up to 0.500." in words
    assert "change nothing" not in words


def test_a_model_of_one_head_has_no_illustrative_ones_and_one_word_no_pair(app):
    model = load_weights()
    layer = model.layers[0]._replace(heads=model.layers[0].heads[:1], W_O=model.layers[0].W_O[:2])
    words = said(app, model=pack(dump_weights(model._replace(layers=(layer,)))))
    assert "illustrative" not in words
    assert "3 4 5" not in words  # a label of the picture only
    assert "1 head of d_k = 2" in words


def test_who_lies_furthest_apart_on_the_way_out_is_named_in_any_model(app):
    model, head = load_weights(), load_weights().W_LM_head.copy()
    head[0, 4] = 3
    words = said(app, model=pack(dump_weights(model._replace(W_LM_head=head))))
    assert "Furthest apart on the way out are “journey” and “one”: their columns' distance is 3.406." in words
    assert "No two words lie further apart" not in words


def test_rows_of_another_matrix_can_be_chosen_but_none_beyond_its_end(app):
    at = app(SLUG, {f"{SLUG}.matrix": "layers[0].W_O", f"{SLUG}.row": "5"})
    assert at.control("row").value == "5"
    at.set(matrix="W_P")
    assert at.control("row").value == "4"
    at.set(matrix="layers[0].b_1")
    assert at.session_state[f"{SLUG}.row"] == "0"


def test_the_eleven_kinds_stand_in_three_groups(app):
    at = app(SLUG)
    assert [name for name in at.charts if name != "diagram"] == ["embeddings", "layer", "head"]
    assert len(at.charts["layer"].heatmaps) == 18


def test_its_questions_have_the_answers_worked_out_beside_them(app):
    at = app(SLUG)
    at.ask("Two words nearly alike").tap("embeddings", panel=0, row=1, column=0)
    assert "**Right.** Row 1 differs by at most 0.020" in at.press("ask_show").words()  # 0.57 0.85 0.64, 0.55 0.87 0.66
    at.ask("The way out").predict(15.0)
    assert "**Right.**" in at.press("ask_show").words()
    at.ask("More words").predict("embeddings and head")  # 26 · 6 twice and 7 · 6
    assert "embeddings and head 45 to 354" in at.press("ask_show").words()
