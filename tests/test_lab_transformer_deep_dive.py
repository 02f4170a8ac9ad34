"""The deep dive: the document's numbers, steps overwritten, positions, masks."""

import numpy as np
import pytest

from engine.practice import KINDS, practice
from ui.page.ask import question_of
from ui.questions.transformer_deep_dive import PRACTICE, QUESTIONS
from ui.run import Seen

SLUG = "transformer_deep_dive"
PARTS = ["Attention", "Heads", "Positions", "Masking", "Practice"]


def open_part(app, part, **values):
    return app(SLUG, {f"{SLUG}.part": part} | {f"{SLUG}.{name}": str(value) for name, value in values.items()})


@pytest.mark.parametrize("part", PARTS)
def test_every_part_opens_and_can_be_taken_away(app, part):
    at = open_part(app, part).unfold("take_away")
    assert not at.exception
    assert not at.error
    assert {"out", "concat", "sine", "masked", "q"} & at.computed().keys()


def test_the_documents_example(app):
    shown = app(SLUG).matrices
    assert shown["1 Scores"].tolist() == [[0, 2], [1, 0]]
    np.testing.assert_allclose(shown["3 Weights"], [[0.240, 0.760], [0.640, 0.360]], atol=5e-4)
    np.testing.assert_allclose(shown["4 Output"], shown["3 Weights"])


def test_an_overwritten_step_carries_on(app):
    at = open_part(app, "Attention", own_scores="5 5\n0 0", v="3 1\n1 3")
    shown = at.matrices
    assert shown["1 Scores, yours"].tolist() == [[5, 5], [0, 0]]
    assert shown["3 Weights"].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert shown["4 Output"].tolist() == [[2, 2], [2, 2]]
    assert "s_{0,0} =" not in at.words()
    at.set(own_scores="5 5")
    assert "row given" in at.error[0].value
    assert at.matrices["1 Scores, yours"].tolist() == [[5, 5], [0, 0]]


def test_the_first_position_of_the_document(app):
    at = open_part(app, "Positions")
    assert any("0.841" in formula for formula in at.texts("latex"))
    at = open_part(app, "Positions", d_model=8, i=200)
    assert at.control("i").value == "0"
    assert "was left out" in at.notices[0]


@pytest.mark.parametrize("scores", ["1 2 3", "1\n2\n3", "7", "1 2\n3 4\n5 6"])
def test_any_shape_of_scores_can_be_masked(app, scores):
    at = open_part(app, "Masking", s=scores, token=0)
    assert not at.exception
    shown = at.matrices
    n_q, n_k = shown["Before: all scores"].shape
    assert (shown["After: softmax"] > 0).tolist() == np.tri(n_q, n_k, n_k - n_q, dtype=bool).tolist()
    assert ("nothing is left" in at.words()) == (n_q > n_k)


def test_the_answer_of_the_practice_question_stands_nowhere_before_it_is_asked_for(app):
    for part in PARTS:
        told = open_part(app, part).words()
        assert "0.670" not in told, part
        assert "the document" not in told.lower(), part


def test_presets_are_answered(app):
    at = app(SLUG)
    assert "word 0 [0.000, 1.000], word 1 [1.000, 0.000]" in at.click("Weights of your own").words()
    assert "risen from 0.000 to **0.004**" in at.click("The slowest pair").words()
    assert "its weight is **1.000**, whatever the score" in at.click("The first word of a decoder").words()
    assert "Head 1, silent" in at.click("A silent head").matrices
    assert "word 0 the weight 0.668" in at.click("A rounded step").set(key="word 0").words()
    assert "the worked solution gives both" in open_part(app, "Practice").words()


def test_the_row_that_comes_out_is_clicked(app):
    at = app(SLUG).ask("Weights of your own").tap("qkv", panel=2, row=1, column=0).press("ask_show")
    assert "**Right.** Word 0 gives word 1 the weight 1.000, the most it gives" in at.words()


def test_a_rounded_step_costs_two_thousandths(app):
    shares = [1 / (1 + np.exp(-score)) for score in (0.7071, 0.7)]
    at = app(SLUG).ask("A rounded step").predict(round(shares[0] - shares[1], 3)).press("ask_show")
    assert "**Right.** The weight goes from 0.670 to 0.668" in at.words()
    assert "**Not so: 0.002.**" in app(SLUG).ask("A rounded step").predict(0.0).press("ask_show").words()


def test_a_sine_predicted_by_a_short_sum(app):
    at = app(SLUG).ask("The slowest pair").predict(40 / 10_000 ** (510 / 512)).press("ask_show")
    assert "**Right.** At position 40 it has turned by 0.004 radians in all" in at.words()


def test_practice_is_the_question_that_never_ends(app):
    for turn in range(1, 25):
        drawn = question_of(QUESTIONS, "more", turn, SLUG)
        kind = next(name for name, kind in KINDS.items() if kind.title == drawn.before["kind"])
        numbers = np.ravel(practice(kind, int(drawn.before["seed"])).answer)
        assert len(numbers) == PRACTICE[drawn.title]
    assert set(PRACTICE) == {kind.title for kind in KINDS.values()} - {KINDS["document"].title}


def test_what_practice_asks_for_is_told_once_it_is_shown(app):
    at = app(SLUG, {f"{SLUG}.ask": "more", f"{SLUG}.round": "2"})
    drawn = question_of(QUESTIONS, "more", 2, SLUG)
    kind = next(name for name, kind in KINDS.items() if kind.title == drawn.title)
    question = practice(kind, int(drawn.before["seed"]))
    right = drawn.answer(*[Seen({"answer": question.answer}, {}, {})] * 2)[0]
    assert right in np.ravel(question.answer)
    assert question.prompt in at.words()
    assert list(at.charts) == ["given"]
    assert f"{right:.3f}" not in at.words()
    at.predict(right).press("ask_show")
    assert "**Right.** The answer is " in at.words()
    assert question.solution[-1] in at.words()


@pytest.mark.parametrize("solve", [{"answer.document": "0.670 0.330"}, {}])
def test_an_open_practice_question_gives_no_answer_away_to_take_away(app, solve):
    at = open_part(app, "Practice").unfold("take_away")
    assert "answer" not in at.numbers
    assert "answer" not in at.computed()
    at = at.set(**solve) if solve else at.unfold("solution.document").run()
    assert at.computed()["answer"] == pytest.approx([0.6698, 0.3302], abs=1e-4)
    assert at.numbers["answer"] == pytest.approx([0.6698, 0.3302], abs=1e-4)


def test_formulas_that_lead_nowhere_are_gone(app):
    at = open_part(app, "Attention", own_weights="0 1\n1 0")
    assert not any("s_{" in formula or "z_{" in formula for formula in at.texts("latex"))
    assert "The scaled scores are yours" in open_part(app, "Attention", own_scaled="5 5\n0 0").words()


def test_masks_are_aligned_at_the_end_and_pytorch_is_named(app):
    told = open_part(app, "Masking", s="1 2 3 4\n0 0 0 0", token=0).words()
    assert "Query 0 sees 3 of 4 keys" in told
    assert "puts query 0 at key 0: 1 key" in told
    assert "the last query stands at the last key" in told


def test_fairseqs_number_is_its_own(app):
    told = open_part(app, "Positions", d_model=4, pos=1).words()
    assert "fairseq: all sines first, and the slowest wave is 2π · 10,000 long: 1.00e−04" in told


def test_multi_head_attention_is_shown_by_computing_it(app):
    at = open_part(app, "Practice", kind="Two heads", seed="3")
    answer = next(box for box in at.text_input if "answer" in box.key)
    at = answer.set_value("-0.498 -0.269").run()
    assert "Implement multi-head attention" in [box.label for box in at.checkbox if box.value]


@pytest.mark.parametrize("part", PARTS)
def test_the_program_makes_every_number_of_the_file(app, part):
    at = open_part(app, part).unfold("take_away")
    made = at.computed()
    for name, value in at.numbers.items():
        np.testing.assert_allclose(np.array(made[name], float), np.array(value, float), atol=1e-12, err_msg=name)


@pytest.mark.parametrize(
    ("part", "header"),
    [
        ("Attention", "2 words · d_k = 3"),
        ("Heads", "2 words · d_model = 3 · 3 heads of d_k = 2"),
        ("Positions", "41 positions × d_model = 512"),
        ("Masking", "4 queries × 4 keys"),
        ("Practice", "endless practice"),
    ],
)
def test_the_header_is_that_of_the_part_in_view(app, part, header):
    assert open_part(app, part).texts("markdown")[0].count(f"**{header}**")


def test_the_header_follows_the_scores(app):
    at = open_part(app, "Masking").set(s="1 2 3")
    assert "**1 query × 3 keys**" in at.texts("markdown")[0]
