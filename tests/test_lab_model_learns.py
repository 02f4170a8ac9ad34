"""What the learning lab shows and says at the states people go there for, held against the engine."""

import base64
import math
import re
import zlib

import numpy as np
import pytest

from engine.losses import cross_entropy
from engine.optimizers import Adam
from engine.training import flatten, init_weights, train, unflatten
from engine.training import run as run_module
from engine.transformer import forward
from engine.weights import dump_weights, load_weights, matrices
from ui.page import model

SLUG = "model_learns"
LINES = [[0, 1, 2, 3, 4], [4, 1, 2, 3, 0]]


def said(at) -> str:
    return at.words().replace("**", "")


def test_the_curve_is_the_engines_and_has_the_player(app):
    chart = app(SLUG, {f"{SLUG}.step": "20"}).charts["loss"]
    assert chart.layout["meta"]["play"] == {"traces": [0], "steps": 200, "step": 20}
    run = train(load_weights(), LINES, Adam(lr=0.03), 200)
    np.testing.assert_allclose(chart.named("loss")["y"], run.losses, rtol=1e-4)
    assert chart.named("floor")["y"] == [0.0, 0.0]
    assert chart.named("guessing, ln V")["y"][0] == pytest.approx(math.log(5))


def test_where_two_ends_part_is_the_row_to_click(app):
    at = app(SLUG).ask("One beginning, two ends").tap("seen", panel=0, row=1, column=2).press("ask_show")
    run = train(load_weights(), [[0, 1, 2], [0, 1, 3]], Adam(lr=0.03), 200)
    costs = cross_entropy(forward(run.weights, [0, 1]).logits, [1, 2]).per_row
    assert f"**Right.** The next word at position 1 still costs {costs[1]:.3f} nats" in at.words()


def test_the_zeros_of_silent_heads_are_counted(app):
    at = app(SLUG).ask("Head 0 alone").predict(6).press("ask_show")
    assert "**Right.** Exactly 0 are 6 (0 before): W_Q, W_K and W_V of 2 silent heads in each layer" in at.words()


def test_what_stands_still_costs_what_guessing_costs(app):
    at = app(SLUG).ask("All weights zero").predict(1.6).press("ask_show")
    assert f"**Right.** The loss ends at {math.log(5):.3f}: every gradient is 0" in at.words()


def test_an_open_question_trains_once_a_move(app, monkeypatch):
    runs = []
    record = run_module.trained
    monkeypatch.setattr(run_module, "trained", lambda *of: runs.append(1) or record(*of))
    at = app(SLUG).ask("Ten times the rate")
    runs.clear()
    at.set(lr="0.04")
    assert len(runs) == 1


def test_the_player_and_a_click_on_the_curve_set_the_step(app):
    at = app(SLUG)
    assert at.tap("loss", step=30).control("step").value == "30"
    assert at.tap("loss", x=71.0).control("step").value == "71"
    assert "At step 71 the longest gradient" in said(at)
    at.tap("matrix", row=2, column=1)
    assert (at.control("row").value, at.control("column").value) == ("2", "1")


def test_the_step_looked_at_ends_where_the_run_ends(app):
    at = app(SLUG)
    step = lambda: (at.control("step").value, at.control("step").options[-1])
    player = lambda: at.charts["loss"].layout["meta"]["play"]
    assert step() == ("200", "200")
    at.set(steps=30)
    assert step() == ("30", "30")
    at.set(steps=400)
    assert step() == ("400", "400")  # one that looks at the end goes along with it
    at.set(step="50").set(steps=20)
    assert step() == ("20", "20")
    assert (player()["steps"], player()["step"]) == (20, 20)
    at.set(optimizer="SGD", lr="10", norm="none")  # diverges
    assert step()[0] == step()[1] == str(player()["steps"])
    assert player()["step"] == player()["steps"] < 20


def test_matrix_and_gradient_are_those_of_the_step(app):
    shown = list(app(SLUG, {f"{SLUG}.step": "5", f"{SLUG}.matrix": "layers[0].W_1"}).charts["matrix"].heatmaps)
    run = train(load_weights(), LINES, Adam(lr=0.03), 5)
    np.testing.assert_allclose(shown[0], run.weights.layers[0].W_1, rtol=1e-9)
    gradient = run.gradient_at(5).layers[0].W_1
    factor = 10 ** -(math.floor(math.log10(abs(gradient).max())) + 1)
    np.testing.assert_allclose(shown[1], gradient * max(factor, 1), rtol=1e-9)


def test_one_beginning_with_two_ends_costs_ln_2(app):
    words = said(app(SLUG).click("One beginning, two ends"))
    run = train(load_weights(), [[0, 1, 2], [0, 1, 3]], Adam(lr=0.03), 200)
    assert f"the loss is {run.losses[-1]:.3f} nats" in words
    assert f"a mean loss under {math.log(2) / 2:.3f}, the floor" in words
    assert "“Your journey” goes on in 2 ways, this one 50% of the time" in words
    assert "pays ln 2 = 0.693 here. Now it pays 0.694." in words


def test_without_the_mask_it_reads_the_answer_and_writes_no_better(app):
    at = app(SLUG).click("Reading ahead")
    words = said(at)
    assert "likeliest word is right at 4 of 4 places" in words
    assert "it goes on “one starts one starts”: 0 of 4 right. Reading, it saw the answers" in words
    assert "4 of 4 right" in said(at.set(causal=True))


def test_below_the_floor_is_said_to_be_below(app):
    at = app(SLUG, {f"{SLUG}.sentences": "Your journey starts one\nYour journey with one", f"{SLUG}.causal": "false"})
    assert "below the floor of 0.231" in said(at)
    assert "No model that sees only the past" not in said(at)


def test_the_last_matrix_alone(app):
    words = said(app(SLUG).click("Only the last matrix"))
    run = train(load_weights(), LINES, Adam(lr=0.03), 200, trainable=["W_LM_head"])
    assert "Only 15 of 174 numbers may move, those of 1 matrix" in words
    assert f"the loss is {run.losses[-1]:.3f} nats" in words


def test_ten_times_the_rate_is_not_ten_times_as_fast(app):
    at = app(SLUG)
    usual = int(re.search(r"From step (\d+) on", said(at))[1])
    words = said(at.click("Ten times the rate"))
    run = train(load_weights(), LINES, Adam(lr=0.3), 200)
    assert f"On {(np.diff(run.losses) > 1e-9).sum()} of 200 steps the loss rose" in words
    assert int(re.search(r"From step (\d+) on", words)[1]) > usual / 2


def test_silent_heads_do_not_learn(app):
    at = app(SLUG).click("Head 0 alone")
    assert "are exactly 0: heads 1 and 2 do not learn." in said(at)
    assert "in head 0, from" in said(at)
    for name in "QKV":
        shown = at.set(matrix=f"layers[0].heads[1].W_{name}").charts["matrix"]
        assert not list(shown.heatmaps)[1].any()


def test_all_zero_stays_all_zero(app):
    words = said(app(SLUG).click("All weights zero"))
    assert "All 21 gradients are exactly 0: what W_LM_head reads is 0" in words
    assert f"the loss is {math.log(5):.3f} nats, from {math.log(5):.3f}" in words
    assert "Every word is as likely as any other at every place" in words


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"sentences": ""}, "No sentences here yet. The last good value stays in use."),
        ({"sentences": "one"}, "Line 1, “one”, has one word: there is no next one to predict."),
        ({"sentences": "Your journey\none hello"}, "Line 2: “hello” is not in the vocabulary"),
        ({"sentences": "one one\n" * 7}, "7 sentences, at most 6 fit."),
        ({"moves": []}, "No matrix may move: nothing can learn, and no step is taken."),
        ({"optimizer": "SGD", "lr": "10", "norm": "none"}, "The run is lost: step 4 would leave float64"),
        ({"steps": 0}, "Before the first step the loss is 2.167 nats"),
        ({"heads": []}, "heads 0, 1 and 2 do not learn"),
    ],
)
def test_every_refusal_and_edge_is_a_sentence_and_the_charts_stay(app, state, sentence):
    at = app(SLUG).set(**state)
    assert not at.exception
    assert sentence in said(at)
    assert len(at.charts) == 4


def test_a_model_too_large_for_a_move_is_refused_with_the_limit(app):
    sizes = {"d_model": 2, "n_heads": 2, "d_k": 2, "d_ff": 2, "n_layers": 12, "n_positions": 12}
    drawn = init_weights([f"w{i}" for i in range(64)], **sizes, rng=np.random.default_rng(0))
    code = model.pack(dump_weights(unflatten(np.round(flatten(drawn), 2), drawn)))
    at = app(SLUG, {f"{SLUG}.model": code})
    assert "must stay below 100,000,000 operations, what one move of a slider leaves time for" in at.error[0].value
    at.set(steps=20)
    assert not at.error
    assert sum(len(base64.b64encode(zlib.compress(chart.text.encode(), 1))) for chart in at.charts.values()) < 40_000
    assert "904 trained numbers do not fit a weights.toml of 8,192 bytes: 900 do." in at.words()


def test_the_trained_model_is_this_visits_in_every_lab(app):
    at = app(SLUG)
    before = at.charts["loss"].text
    at.click("hand_on.button")
    assert "rounded to 6 decimals" in said(at)
    assert at.charts["loss"].text == before  # this lab goes on from the model it has
    at.run()
    code = at.session_state["model.of_visit"]
    run = train(load_weights(), LINES, Adam(lr=0.03), 200)
    handed = matrices(load_weights(model.unpack(code)))
    for name, part in matrices(run.weights).items():
        np.testing.assert_allclose(handed[name], part, atol=5.1e-7)
    at.go("forward_pass").set(tokens="Your journey starts with")
    assert at.session_state["forward_pass.model"] == code
    assert "the model's favourite is “one” with 0.99" in said(at)
    assert "untrained" not in said(at)
    assert "made up, not trained" not in said(at.go("architecture_ingredients"))
    at.go(SLUG)
    assert at.charts["loss"].named("loss")["y"][0] == pytest.approx(run.losses[-1], rel=1e-2)


def test_home_does_not_call_a_model_of_ones_own_untrained(app):
    at = app()
    assert "untrained" in at.words()
    at.session_state["model.of_visit"] = "a code"
    assert "untrained" not in at.run().words()


def test_both_numbers_of_every_convention(app):
    words = app(SLUG, {f"{SLUG}.sentences": "Your journey starts with one\none Your", f"{SLUG}.step": "20"}).words()
    run = train(load_weights(), [[0, 1, 2, 3, 4], [4, 0]], Adam(lr=0.03), 20)
    for number in (run.losses[20], run.per_sequence[20].mean()):
        assert f": {number:.4f}" in words
    assert "as Kingma & Ba 2015 and PyTorch: 0.0300 | without, as BERT's original optimizer: 0.0949" in words
