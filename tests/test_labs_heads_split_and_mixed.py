"""The pictures and sentences of the heads lab, on two tokens and two heads, one of them silent."""

import numpy as np

from engine.attention import multi_head, reshape_origins
from ui.labs.heads_split_and_mixed import drawn, said
from ui.words import told

TOKENS, NAMES, SPEAKS = ["the", "cat"], ["head 0", "head 1"], [True, False]
TRACE = multi_head(np.eye(2, 4), *[np.eye(4)] * 4, n_heads=2, active=SPEAKS)
SHARED = multi_head(np.eye(2, 4), np.eye(4), *[np.eye(4, 2)] * 2, np.eye(4), n_heads=2, n_kv_heads=1)
Q = np.eye(2, 4)


def titles(figure):
    return [note.text.split("</b>")[0].split(">")[-1] for note in figure.layout.annotations]


def test_silence_is_named_in_the_pictures():
    found = titles(drawn.split(TRACE, np.eye(2, 8), Q, Q, Q, TOKENS, NAMES, SPEAKS, 0, 1))
    assert found[0] == "Tokens X"
    assert found[4:6] == ["Map of head 0", "Map of head 1, silent"]
    assert len(found) == 6
    assert "What each adds to “cat”" in titles(drawn.mixed(TRACE, np.eye(4), TOKENS, NAMES, SPEAKS, 1, 0))


def test_the_reshape_stands_beside_the_split():
    figure = drawn.reshaped(
        Q[:, :2], Q[:, 2:], np.eye(2), np.eye(2), TOKENS, ["the 0–1", "the 2–3"], 0, reshape_origins(2, 4, 2)
    )
    assert titles(figure) == ["Q split", "Its map", "Q reshaped", "Its map"]


def test_a_click_chooses_what_stands_there():
    picks, at = drawn.picks_of_split(TRACE), {"row": 1, "column": 3}
    chosen = {panel: {name: pick(at | {"panel": panel}) for name, pick in picks.items()} for panel in range(6)}
    assert chosen[0] == {"query": 1, "key": None, "head": None}
    assert chosen[1] == {"query": 1, "key": None, "head": 1}
    assert chosen[2] == chosen[3] == {"query": None, "key": 1, "head": None}
    assert chosen[5] == {"query": 1, "key": 3, "head": 1}
    picks = drawn.picks_of_mixed(TRACE)
    chosen = [
        {name: pick({"row": 1, "column": 3, "panel": panel}) for name, pick in picks.items()} for panel in range(4)
    ]
    assert chosen[0] == {"column": None, "query": 1, "head": 1}
    assert chosen[1] == {"column": 3, "query": None, "head": 0}
    assert chosen[2] == {"column": 3, "query": 1, "head": None}
    assert chosen[3] == {"column": 3, "query": None, "head": 1}
    assert picks["head"]({"row": 2, "column": 0, "panel": 3}) is None


def test_each_head_owns_its_columns():
    assert [place[:2] for place in drawn.slices(TRACE)] == [(0, 2), (2, 4)]
    assert [place[:2] for place in drawn.slices(SHARED, 1)] == [(0, 2)]
    assert said.held(reshape_origins(2, 4, 2), 0, 2, TOKENS) == ["the 0–1", "the 2–3"]
    assert said.held(reshape_origins(2, 2, 2), 1, 1, TOKENS) == ["cat 0", "cat 1"]


def test_a_weight_and_a_cell_are_written_out():
    score, scaled, weight = said.weight(TRACE, 0, 0, 0)
    assert score == r"s_{0,0} = 1.000 \cdot 1.000 + 0.000 \cdot 0.000 = 1.000"
    assert scaled == r"z_{0,0} = \frac{1.000}{\sqrt{2}} = 0.7071"
    assert weight.startswith("w_{0,0} = ")
    written, share = said.total(TRACE, np.eye(4), 0, 0, 0)
    assert written.count(r"\underbrace") == 2
    assert share.startswith(r"\text{head 0} = ")


def test_where_heads_look():
    assert said.looks(TRACE, TOKENS, 0, [(0,), (0, 1)], 2) == "head 0: the (0.67); head 1: all alike (0.50)"


def test_the_slip_in_words():
    held = ["the 0–1", "the 2–3"]
    plainly, leaking = (said.slip(TRACE, 0, held, 1, leak) for leak in ("", "cat"))
    assert "`Q.reshape(2, 2, 2)`" in plainly
    assert "columns 0–1, and holds “the 2–3”. **1 of 2** rows holds another token" in plainly
    assert leaking.startswith(plainly)
    assert "Row 0 of head 1 holds “cat”" in leaking


def test_why_a_head_is_idle():
    no_context = [text for claim, text in said.idle_heads(TRACE, NAMES, [True, True]) if claim]
    assert no_context == ["Not silent, yet adding **exactly 0**: head 1. The reason: the context is 0 already."]
    met_zeros = multi_head(Q, *[np.eye(4)] * 3, np.diag([0.0, 0, 1, 1]), n_heads=2)
    assert "head 0" in said.idle_heads(met_zeros, NAMES, [True, True])[0][1]
    assert not any(claim for claim, _ in said.idle_heads(TRACE, NAMES, SPEAKS))


def test_empty_columns_belong_to_the_silent_head():
    claims = said.empty_columns(TRACE, NAMES, SPEAKS)
    assert [claim for claim, _ in claims] == [False, True]
    assert claims[1][1] == "Columns 2–3 of the output: all **0**, for head 1 is silent."


def test_slips_that_make_no_difference_are_left_out():
    now = told(
        query="the",
        key="cat",
        weight=0.5,
        by_model=0.5,
        average=0.25,
        split="0.000",
        reshaped="1.000",
        in_order="0 0",
        in_turn="0 1",
        change_tiled=0.5,
        change_shared=0.25,
    )
    assert len(said.slips(TRACE, 0, ["the 0–1", "cat 0–1"], (4, 2), now)) == 2
    assert len(said.slips(TRACE, 0, ["the 0–1", "the 2–3"], (4, 2), now)) == 3
    assert len(said.conventions(TRACE, 0, now)) == 3
    assert "off by up to" in said.slips(TRACE, 0, ["a", "b"], (2, 2), now)[-1][2]
    assert said.shared_keys(SHARED, 16, now) == (
        "2 heads read 1 key head, head by head 0 0. W_K and W_V are the means of those that share: 16 numbers in "
        "place of 32; the output changes by up to **0.250**."
    )
