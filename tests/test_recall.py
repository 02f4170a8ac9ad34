"""What is remembered of the engine's answers, and what is worked out anew."""

import numpy as np
import pytest

from ui.page import recall as memory
from ui.page.recall import Memory, recall


@pytest.fixture
def asked(monkeypatch):
    """A function that notes what it is asked, and a memory of its own."""
    monkeypatch.setattr(memory, "_memory", Memory())
    calls = []

    def twice(x, **options):
        calls.append(x)
        return {"twice": 2 * np.asarray(x)}

    twice.calls = calls
    return twice


def test_the_same_is_asked_once_and_anything_else_anew(asked):
    first = recall(asked, np.array([1.0]), way="a")
    assert recall(asked, np.array([1.0]), way="a") is first
    for other in (np.array([1]), np.array([-1.0]), np.array([[1.0]]), [1.0], (1.0,), 1.0, 1, True, 0.0, -0.0):
        assert recall(asked, other, way="a")["twice"].tolist() == (2 * np.asarray(other)).tolist()
    recall(asked, np.array([1.0]), way="b")
    assert len(asked.calls) == 12


def test_an_answer_that_others_share_cannot_be_changed(asked):
    with pytest.raises(ValueError, match="read-only"):
        recall(asked, [1.0])["twice"][0] = 3


def test_the_oldest_answer_goes_first_and_none_is_too_large(asked, monkeypatch):
    monkeypatch.setattr(memory, "MOST_BYTES", 2500)  # two answers of 1,200 bytes
    a, b, c = (np.full(100, i) for i in range(3))
    for one in (a, b, a, c, a, b):
        recall(asked, one)
    assert [call[0] for call in asked.calls] == [0, 1, 2, 1]
    monkeypatch.setattr(memory, "LARGEST", 1000)
    recall(asked, a * 7), recall(asked, a * 7 + 7), recall(asked, a * 7 + 7)
    assert len(asked.calls) == 6


def test_what_is_refused_is_refused_again():
    def refuses(x):
        raise ValueError(f"no {x}")

    for _ in range(2):
        with pytest.raises(ValueError, match="no 3"):
            recall(refuses, 3)
