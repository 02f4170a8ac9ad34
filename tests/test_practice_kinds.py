import math
import statistics

import numpy as np
import pytest

from engine.practice import KINDS, TOLERANCE, check, practice


def softmax(given):
    exps = [math.exp(z) for z in given["logits"]]
    return [e / sum(exps) for e in exps]


def position(given):
    column, d_model = given["column"], given["d_model"]
    angle = given["pos"] / 10_000 ** ((column - column % 2) / d_model)
    return math.cos(angle) if column % 2 else math.sin(angle)


def parameters(given):
    d, h = given["d_model"], given["n_heads"]
    one_head = 3 * (d * (d // h) + given["biases"] * (d // h))
    return h * one_head + (d // h * h) * d + given["biases"] * d


def layer_norm(given):
    x = given["x"].tolist()
    return [(value - statistics.mean(x)) / statistics.pstdev(x) for value in x]


def cross_entropy(given):
    return -math.log(softmax(given)[given["target"]])


@pytest.mark.parametrize(
    "by_hand", [softmax, position, parameters, layer_norm, cross_entropy], ids=lambda f: f.__name__
)
def test_answers_by_plain_arithmetic(by_hand):
    for seed in range(200):
        question = practice(by_hand.__name__, seed)
        np.testing.assert_allclose(question.answer, by_hand(question.given), rtol=1e-12, atol=1e-12)


def test_the_block_of_the_paper():
    assert parameters({"d_model": 512, "n_heads": 8, "biases": False}) == 1_048_576
    assert {practice("parameters", seed).given["biases"] for seed in range(20)} == {True, False}


@pytest.mark.parametrize("kind", KINDS)
def test_every_question_is_complete(kind):
    for seed in range(200):
        question = practice(kind, seed)
        assert question.kind == kind
        assert np.isfinite(question.answer).all()
        assert all(text.strip() and "nan" not in text for text in (question.prompt, question.hint, *question.solution))
        assert len(question.solution) >= 2


@pytest.mark.parametrize("kind", KINDS)
def test_three_decimals_are_right_and_slips_are_named(kind):
    named = 0
    for seed in range(200):
        question = practice(kind, seed)
        right = np.atleast_1d(question.answer).ravel()
        assert check(question, " ".join(f"{value:.3f}" for value in right)).correct
        for place in range(len(right)):
            for off in 2 * TOLERANCE, -2 * TOLERANCE, 1.0:
                wrong = right.copy()
                wrong[place] += off
                assert not check(question, " ".join(map(repr, wrong.tolist()))).correct
        for slip in question.slips:
            values = np.atleast_1d(slip.answer).ravel()
            if (np.abs(values - right) > TOLERANCE).any():
                verdict = check(question, " ".join(map(repr, values.tolist())))
                assert not verdict.correct
                named += verdict.message == f"Not yet. {slip.message}"
    assert named >= 190  # now and then two slips give the same numbers


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "document"])
def test_the_supply_is_endless_and_repeatable(kind):
    drawn = [str(practice(kind, seed).given) for seed in range(200)]
    assert drawn == [str(practice(kind, seed).given) for seed in range(200)]
    assert len(set(drawn)) > 40


@pytest.mark.parametrize("kind", KINDS)
def test_the_code_of_a_kind_computes_its_answers(kind):
    for seed in range(50):
        question = practice(kind, seed)
        names = {"np": np, **question.given}
        exec(KINDS[kind].code, names)
        np.testing.assert_allclose(names["answer"], question.answer, rtol=1e-12, atol=1e-12)
