"""Every question of every lab: its answer is one that can be given, near its state too, and its sentences are true."""

import random
import re

import numpy as np
import pytest
from storming import count
from test_pages import SLUGS, healthy, somewhere
from test_storm import FAULTS

from ui import run
from ui.page import ask, asking
from ui.page.ask import Endless, Question, judged
from ui.page.controls import as_text

STATES = count(1)  # near each question
ROUNDS = 1 + STATES // 10  # of each that never ends


@pytest.fixture
def seen(monkeypatch):
    """The state of the last run as a question sees it."""
    found, finish = [], asking.finish

    def finished(questions):
        found[:] = [run.current().seen]
        finish(questions)

    monkeypatch.setattr(asking, "finish", finished)
    return found


def drawn(slug: str, turn: int, questions) -> list[tuple[str, Question]]:
    """The questions as the link names them, one round of the endless kind."""
    rng = np.random.default_rng([turn, *map(ord, slug)])
    return [
        (name, q.make(rng) if isinstance(q, Endless) else q)
        for name, q in zip(ask.names(questions), questions, strict=True)
    ]


def honest(question: Question, before, after) -> None:
    """The answer can be given, and the sentence that says why holds no fault."""
    right, why = question.answer(before, after)
    good, words = judged(question, right, None)
    assert not good
    if question.within is not None:
        assert np.isfinite(right), question.title
    elif not question.options:
        assert right, question.title
    assert re.search(r"\d", why), f"{question.title}: no number says why"
    for fault, what in FAULTS.items():
        assert not re.search(fault, re.sub("“[^”]*”", "", f"{words} {why}")), f"{question.title}: {what}: {why}"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_answer_holds_and_holds_near_by(app, seen, slug):
    questions = app(slug).questions
    draw = random.Random(slug)
    for turn in range(1, 1 + ROUNDS):
        for name, question in drawn(slug, turn, questions):
            if turn > 1 and name != ask.AGAIN:
                continue
            link = {f"{slug}.ask": name} | ({f"{slug}.round": str(turn)} if name == ask.AGAIN else {})
            at = healthy(app(slug, link))
            begun = seen[0]
            assert at.charts, question.title
            assert set(question.look) <= set(at.charts), question.title
            covered = {cover.split(".")[0] for cover in question.cover}
            assert covered <= set(at.charts), question.title
            healthy(at.press("ask_show"))
            assert set(question.look) <= set(at.charts), question.title
            assert not at.error, question.title
            honest(question, begun, seen[0])
            for _ in range(STATES):
                for control in question.after:
                    at.control(control).set_value(begun[control])
                set_by_it = {f"{slug}.{name}" for name in (*question.before, *question.after)}
                free = [widget for key, widget in at.controls.items() if key not in set_by_it]
                for widget in draw.sample(free, min(len(free), draw.choice([1, 2]))):
                    widget.set_value(somewhere(widget, draw))
                at.run()
                if at.error or not seen:
                    break
                before = after = seen[0]
                if question.after:
                    for control, value in question.after.items():
                        at.control(control).set_value(as_text(value))
                    at.run()
                    if at.error:
                        break
                    after = seen[0]
                honest(question, before, after)
