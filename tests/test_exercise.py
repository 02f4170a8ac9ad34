"""Practice as a visitor does it: the score counts what it should, and a question is a link."""

import numpy as np
import pytest

from engine.practice import KINDS, practice

SLUG = "transformer_deep_dive"


def open_practice(app, **values):
    return app(SLUG, {f"{SLUG}.part": "Practice"} | {f"{SLUG}.{name}": str(value) for name, value in values.items()})


def say(at, answer, question="document"):
    return at.set(**{f"answer.{question}": answer})


def score(at):
    return next(text for text in at.texts("markdown") if text.startswith("Score of this visit"))


def ticked(at):
    return [box.label for box in at.checkbox if box.value]


def test_the_documents_answer_is_right_where_its_print_is_not(app):
    at = say(open_practice(app), "0.668, 0.332")
    assert "slip" in at.warning[0].value
    assert "**0 of 1** answered right" in score(at)
    say(at, "0.670 0.330")
    assert "Right" in at.success[0].value
    assert "**1 of 1** answered right, 0 at the first try" in score(at)
    assert ticked(at) == ["Compute attention scores step-by-step"]


def test_the_next_question_is_a_link_and_the_score_stays(app):
    at = say(open_practice(app), "0.670 0.330")
    assert "**1 of 1** answered right, 1 at the first try" in score(at)
    at.click("next")
    assert (at.control("kind").value, at.control("seed").value) == ("Mixed: any kind", "1")
    kind = list(KINDS)[2]
    assert at.header[0].value == "Scaled scores, question 1"
    assert "**1 of 1**" in score(at)
    answer = " ".join(f"{value:.3f}" for value in np.ravel(practice(kind, 1).answer))
    assert "**2 of 2** answered right, 2 at the first try" in score(say(at, answer, f"{kind}.1"))


def test_what_was_looked_up_or_cannot_be_read_does_not_count(app):
    at = say(open_practice(app), "two thirds")
    assert "not a number" in at.warning[0].value
    assert score(at).endswith("no question answered yet.")
    at.unfold("solution.document")
    assert any("0.7071" in text and "slip" in text for text in at.texts("markdown"))
    say(at, "0.670 0.330")
    assert "**0 of 0** answered right, 0 at the first try, 1 looked up" in score(at)
    assert not ticked(at)


@pytest.mark.parametrize("kind", list(KINDS)[1:])
def test_every_kind_can_be_asked_and_answered(app, kind):
    at = open_practice(app, kind=KINDS[kind].title, seed=7)
    assert not at.exception
    answer = " ".join(f"{value:.3f}" for value in np.ravel(practice(kind, 7).answer))
    assert say(at, answer, f"{kind}.7").success


def test_an_objective_can_be_ticked_by_hand(app):
    at = app(SLUG)
    at.checkbox[2].check().run()
    assert len(ticked(at)) == 1
    at.checkbox[2].uncheck().run()
    assert not ticked(at)
