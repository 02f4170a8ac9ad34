"""What the page says is what the numbers say: right values, each from the engine or worked out beside it."""

import numpy as np
import pytest

from engine import training
from engine.training import PROMPTS, ending, storyteller
from engine.weights import dump_weights, load_weights
from ui.page.model import pack

SLUG = "forward_pass"
RIGHT = {  # state: what is said there
    "": [
        "After “Your journey starts” the model's favourite is “journey” with 0.429",
        "untrained, its weights are made up",
        "pre, as GPT-2 and Llama, with a norm before the head: “starts” 0.4151, “journey” 0.1298",
        "off, as T5: “journey”",
    ],
    "norm=pre": ["with, as GPT-2 (ln_f) and Llama (norm): “starts” 0.4151, “with” 0.1019"],
    "norm=pre&final=true": ["favourite is “starts” with 0.415", "unless it is given one"],
    "causal=false": [
        "row 0 of head 0 is 0.304, 0.366, 0.331 instead of 1.000, 0.000, 0.000",
        "the prediction does not change, “journey” 0.4288 both times",
    ],
    "causal=false&layers=3": ["Deeper layers read what earlier tokens saw", "with the mask “"],
    "heads=head 0": ["With all heads it is “journey” 0.4288; with only head 0"],
    "heads=": ["No head speaks: attention adds 0", "With all heads it is “journey” 0.4288"],
    "tokens=one": ["One token alone has nothing but itself to attend to"],
    "tokens=Your Your Your": ["All 3 rows of W_E are the same row, 0.000 apart", "up to 0.950 apart"],
    "norm=none&layers=12": ["favourite is “with” with 1.000", "after 12 layers; after one, from"],
}
WRONG = ["and no more to any other", "is with with", "by today's rule", "is a value", "1 of 3 heads speak"]


@pytest.mark.parametrize("state", RIGHT)
def test_what_is_said_is_right(app, state):
    link = dict(pair.split("=") for pair in state.split("&") if pair)
    words = app(SLUG, {f"{SLUG}.{name}": value for name, value in link.items()}).words().replace("**", "")
    words = words.replace("\\", "").replace("“*", "“")
    for sentence in RIGHT[state]:
        assert sentence in words
    for sentence in WRONG:
        assert sentence not in words


def test_a_silent_head_is_said_to_be_silent(app):
    at = app(SLUG, {f"{SLUG}.heads": "head 1", f"{SLUG}.step": "Attend", f"{SLUG}.head": "head 0"})
    assert "Head 0 is silent: its weights are worked out, but its context counts as 0." in at.words()


def test_a_row_beyond_the_end_of_the_picture_cannot_be_shown_by_its_control(app):
    at = app(SLUG, {f"{SLUG}.step": "Mix heads", f"{SLUG}.row": "2"})
    assert at.get("latex")[0].value.startswith("$$\nO[2,0] = ")
    at.set(tokens="one")
    assert at.get("latex")[0].value.startswith("$$\nO[0,0] = ")
    assert at.session_state[f"{SLUG}.row"] == "0"


def test_large_logits_are_written_so_that_they_can_be_computed(app):
    at = app(SLUG, {f"{SLUG}.norm": "none", f"{SLUG}.layers": "12", f"{SLUG}.step": "Predict"})
    at.set(matrix="Softmax of each row")
    assert r"e^{0.000}" in at.get("latex")[0].value


def test_the_header_tells_the_shapes_of_the_model_in_use(app):
    model = load_weights()
    two = model._replace(
        layers=(model.layers[0]._replace(heads=model.layers[0].heads[:1], W_O=model.layers[0].W_O[:2]),)
    )
    at = app(SLUG, {f"{SLUG}.model": pack(dump_weights(two)), f"{SLUG}.tokens": "one"})
    assert "1 token · d_model = 3 · 1 head of d_k = 2" in at.words().replace("\\", "")


def test_a_model_of_one_position_says_so(app):
    one = load_weights()._replace(W_P=load_weights().W_P[:1])
    at = app(SLUG, {f"{SLUG}.model": pack(dump_weights(one))})
    assert at.button(key=f"{SLUG}.append").label == "1 position, all used"


def test_the_program_draws_the_next_token_too(app):
    at = app(SLUG, {f"{SLUG}.temperature": "1.5", f"{SLUG}.top_p": "0.9", f"{SLUG}.seed": "3"}).unfold("take_away")
    made = at.computed()
    assert made["token"] == at.numbers["token"]
    assert made["next_token"].tolist() == pytest.approx(at.numbers["next_token"])
    assert {"blocks.0.scaled", "blocks.0.norm_1", "blocks.0.feed_forward"} <= set(at.numbers)


def test_where_the_convention_beside_outgrows_float64_the_page_lives_on(app):
    model = load_weights()
    layer = model.layers[0]._replace(W_1=model.layers[0].W_1 * 1e149, W_2=model.layers[0].W_2 * 1e149)
    code = pack(dump_weights(model._replace(layers=(layer,), W_LM_head=model.W_LM_head * 1e12)))
    at = app(SLUG, {f"{SLUG}.model": code, f"{SLUG}.norm": "pre", f"{SLUG}.final": "true"})
    assert not at.exception
    assert "no prediction, its numbers outgrow float64" in at.words()


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_storyteller_ends_a_sentence_on_the_page_as_in_the_engine(app, prompt):
    at, end = app(SLUG, {f"{SLUG}.weights": "storyteller", f"{SLUG}.tokens": prompt}), ending(storyteller(), prompt)
    for word in end.split():
        assert f"the current rule takes **“{word}”**" in at.words()
        at.click("append")
    assert at.control("tokens").value == f"{prompt} {end}"


def test_what_hangs_on_the_model_follows_it_unless_it_was_set(app):
    at = app(SLUG).set(weights="storyteller")
    assert at.control("tokens").value == PROMPTS[0]
    assert at.control("top_k").value == 26
    assert at.control("heads").value == ["head 0", "head 1"]
    assert "trained, on 11 sentences by `python -m engine.training`" in at.words()
    assert "untrained" not in at.words()
    at.set(weights="course's")
    assert at.control("tokens").value == "Your journey starts"
    assert at.control("top_k").value == 5
    assert at.control("heads").value == ["head 0", "head 1", "head 2"]
    at.set(top_k=3, heads=["head 0"], weights="storyteller")
    assert (at.control("top_k").value, at.control("heads").value) == (3, ["head 0"])


def test_gradients_stand_under_every_matrix_and_a_click_on_one_writes_its_chain(app):
    link = {f"{SLUG}.weights": "storyteller", f"{SLUG}.gradients": "true"}
    at = app(SLUG, link)
    assert at.control("right").value == "mat"
    assert "With “mat” as the right next token the loss L = −log p is 0.001" in at.words().replace("\\", "")
    maps = at.charts["step"].heatmaps
    assert len(maps) == 12
    assert [m.shape for m in maps[6:]] == [m.shape for m in maps[:6]]
    at.tap("step", panel=6, row=4, column=1)
    assert at.control("matrix").value == "Scores Q·Kᵀ"
    written = [one.value for one in at.get("latex")]
    assert r"\frac{\partial L}{\partial S[4,1]}" in written[1]
    assert at.set(tokens="the dog chewed the", step="Predict").control("right").value == "bone"
    at.set(right="mat")
    chosen = at.charts["step"].matrices["∂L/∂ Logits"][-1]
    probs = at.charts["step"].matrices["Softmax of each row"][-1]
    assert chosen == pytest.approx(probs - (np.arange(26) == 4), abs=1e-6)


def test_a_bar_of_the_next_word_leads_back_to_the_embeddings(app):
    at = app(SLUG, {f"{SLUG}.norm": "pre", f"{SLUG}.final": "true", f"{SLUG}.layers": "2", f"{SLUG}.step": "Embed"})

    def outlined():
        titles, place = [*at.charts["step"].matrices], (int(at.control("row").value), int(at.control("column").value))
        return at.charts["step"].heatmaps[titles.index(at.control("matrix").value)][place]

    probs = at.charts["next"].named("model")["y"]
    at.tap("next", point=int(np.argmax(probs)))
    assert (at.control("step").value, outlined()) == ("Predict", pytest.approx(max(probs)))
    back, steps = lambda: next(one for one in at.button if one.key == f"{SLUG}.back"), []
    while not back().disabled:
        number, same = outlined(), back().help.startswith("The same number")
        at.press(f"{SLUG}.back")
        steps.append(at.control("step").value)
        assert not same or outlined() == pytest.approx(number)
    assert [step for i, step in enumerate(steps) if steps[i - 1] != step or not i][:3] == [
        "Predict",
        "Final norm",
        "Add 2",
    ]
    assert steps[-1] == "Embed"
    assert at.control("matrix").value == "Rows of W_E"
    at.set(step="Add 2").tap("step", panel=0, row=1, column=1)
    assert (at.control("step").value, at.control("row").value) == ("Add 2", "1")
    at.tap("step", panel=0, row=1, column=1)  # a second time
    assert (at.control("step").value, at.control("matrix").value) == ("Add 1", "Their sum")


def test_without_the_switch_nothing_goes_back(app, monkeypatch):
    monkeypatch.setattr(training, "backward", None)
    at = app(SLUG).set(tokens="one step")
    assert not at.exception
    assert len(at.charts["step"].heatmaps) == 6
    assert f"{SLUG}.right" not in at.controls


def test_its_questions_have_the_answers_worked_out_beside_them(app):
    at = app(SLUG)
    at.ask("Where the last word looks").tap("step", row=2, column=1, panel=0)
    assert "**Right.**" in at.press("ask_show").words()  # 6.415 of "cat" is the largest score that "sat" may see
    at.ask("How it ends").predict("tree")
    assert "**Right.** “tree” has 0.998" in at.press("ask_show").words()
    at.ask("Twelve layers deep").predict("10 to 1,000 times")
    assert "**Not so: more than 1,000 times.**" in at.press("ask_show").words()
