"""The pictures and sentences of the heads lab, on two tokens and two heads, one of them silent."""

import numpy as np

from engine.attention import multi_head, reshape_origins
from ui.labs import heads_split_and_mixed as heads

TOKENS, NAMES, SPEAKS = ["the", "cat"], ["head 0", "head 1"], [True, False]
TRACE = multi_head(np.eye(2, 4), *[np.eye(4)] * 4, n_heads=2, active=SPEAKS)
Q = np.eye(2, 4)


def titles(figure):
    return [note.text.split("</b>")[0].split(">")[-1] for note in figure.layout.annotations]


def test_silence_is_named_in_the_pictures():
    drawn = titles(heads.split(TRACE, Q, Q, Q, TOKENS, NAMES, SPEAKS, 0))
    assert drawn[3:5] == ["Map of head 0", "Map of head 1, silent"]
    assert len(drawn) == 6
    assert "What each adds to “cat”" in titles(heads.mixed(TRACE, np.eye(4), TOKENS, NAMES, 1, 0))


def test_the_reshape_stands_beside_the_split():
    figure = heads.reshaped(Q[:, :2], Q[:, 2:], np.eye(2), np.eye(2), TOKENS, ["the 0–1", "the 2–3"], 0)
    assert titles(figure) == ["Q split", "Its map", "Q reshaped", "Its map"]


def test_each_head_owns_its_columns():
    assert [place[:2] for place in heads.slices(TRACE)] == [(0, 2), (2, 4)]
    assert heads.held(reshape_origins(2, 4, 2), 0, 2, TOKENS) == ["the 0–1", "the 2–3"]
    assert heads.held(reshape_origins(2, 2, 2), 1, 1, TOKENS) == ["cat 0", "cat 1"]


def test_the_sum_has_every_heads_share():
    written = heads.total(TRACE, NAMES, 0, 0)
    assert written.count(r"\underbrace") == 2
    assert written.endswith(f"= {TRACE.out[0, 0]:.3f}")


def test_where_heads_look():
    assert heads.looks(TRACE, NAMES, TOKENS, 0, [(0,), (0, 1)], 2) == "head 0: the (0.67); head 1: all alike (0.50)"


def test_the_slip_in_words():
    held = ["the 0–1", "the 2–3"]
    plainly, leaking = (heads.slip(TRACE, 0, held, 1, leak) for leak in ("", "cat"))
    assert "`Q.reshape(2, 2, 2)`" in plainly
    assert "columns 0–1, and holds “the 2–3”. **1 of 2** rows" in plainly
    assert leaking.startswith(plainly)
    assert "Row 0 of head 1 holds “cat”" in leaking


def test_silent_and_idle_heads_in_words():
    assert heads.silence([], TRACE, NAMES, SPEAKS, "0.500") == "No head is silent."
    told = heads.silence(["head 1"], TRACE, NAMES, [True, True], "0.500")
    assert told.startswith("Silencing head 1 changes the output by up to **0.500**. head 1: not silent, yet adds")
