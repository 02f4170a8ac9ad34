import math

import numpy as np
import pytest

from engine.practice import practice


def probabilities(scores):
    exps = [math.exp(s) for s in scores]
    return [e / sum(exps) for e in exps]


def scaled(given):
    return [
        sum(a * b for a, b in zip(given["q"], k, strict=True)) / math.sqrt(given["d_k"]) for k in given["K"].tolist()
    ]


def weights(given):
    return probabilities(scaled(given))


def output(given):
    w, V = weights(given), given["V"].tolist()
    return [sum(w[j] * V[j][c] for j in range(3)) for c in range(2)]


def scores(given):
    return [[sum(q[i] * k[i] for i in range(3)) for k in given["K"].tolist()] for q in given["Q"].tolist()]


def masked(given):
    seen = given["query"] + 1
    return probabilities(given["scaled"][:seen]) + [0.0] * (4 - seen)


def heads(given):
    q, K, V, W_O = (given[name].tolist() for name in ("q", "K", "V", "W_O"))
    contexts = []
    for h in range(2):
        w = probabilities([q[h] * k[h] for k in K])
        contexts.append(w[0] * V[0][h] + w[1] * V[1][h])
    return [contexts[0] * W_O[0][c] + contexts[1] * W_O[1][c] for c in range(2)]


@pytest.mark.parametrize("by_hand", [scores, scaled, weights, output, masked, heads], ids=lambda f: f.__name__)
@pytest.mark.parametrize("seeds", [range(100), range(100, 200)], ids=["0-99", "100-199"])
def test_answers_by_plain_arithmetic(by_hand, seeds):
    for seed in seeds:
        question = practice(by_hand.__name__, seed)
        np.testing.assert_allclose(question.answer, by_hand(question.given), rtol=0, atol=1e-12)


def test_a_guess_is_never_right():
    for seed in range(200):
        assert np.ptp(practice("weights", seed).answer) > 0.05
        assert (practice("scores", seed).answer != practice("scores", seed).answer.T).any()
        question = practice("masked", seed)
        assert np.ptp(question.answer[: question.given["query"] + 1]) > 0.05
        assert (question.answer == 0).sum() == 3 - question.given["query"]


def test_the_document_and_its_slip():
    question = practice("document", 7)
    assert question.given["d_k"] == 2
    np.testing.assert_allclose(question.answer, weights(question.given), rtol=0, atol=1e-15)
    np.testing.assert_allclose(question.answer, [0.6698, 0.3302], rtol=0, atol=5e-5)
    assert "0.6698" in question.solution[-3]
    assert "0.668 and 0.332: a slip" in question.solution[-1]
    np.testing.assert_allclose(probabilities([0.7, 0]), [0.668, 0.332], rtol=0, atol=5e-4)  # where the slip comes from
