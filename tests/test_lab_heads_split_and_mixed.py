"""The states the lab is made for: a head that does nothing, silent heads, and the scrambled reshape."""

import numpy as np
import pytest

LAB = "heads_split_and_mixed"


def test_a_head_that_does_nothing(app):
    at = app(LAB).click("A head that does nothing")
    shares = at.matrices["What each adds to “the”"]
    assert not shares[5].any()
    assert all(shares[h].any() for h in range(8) if h != 5)
    assert at.control("head").value == "5"
    assert at.matrices["Map of head 5"].max() > 0.4
    assert "yet adding **exactly 0**: head 5. The reason: W_O holds only 0 there." in at.words()
    assert "5.55e" not in at.words()
    assert "1 columns" not in at.words()
    before = at.matrices["Output = Concat · W_O"]
    at.set(silent=["head 5"])
    np.testing.assert_array_equal(at.matrices["Output = Concat · W_O"], before)
    assert "Silencing head 5 changes the output by up to **0.000**" in at.words()


@pytest.mark.parametrize("heads", ["1", "2", "4", "8"])
def test_shares_add_up_whatever_the_number_of_heads(app, heads):
    shares = app(LAB, {f"{LAB}.heads": heads}).matrices["What each adds to “saw”"]
    assert shares.shape == (int(heads) + 1, 8)
    np.testing.assert_allclose(shares[:-1].sum(axis=0), shares[-1], atol=1e-12)


def test_a_silent_head_leaves_its_columns_empty_when_nothing_mixes(app):
    at = app(LAB).click("Silent and unmixed")
    out = at.matrices["Output = Concat · W_O"]
    assert not out[:, 4:].any()
    assert (out[:, :4].max(axis=1) > 0).all()
    assert "Map of head 1, silent" in at.matrices


def test_the_reshape_hands_a_head_other_tokens(app):
    at = app(LAB)
    right, wrong = at.matrices["Q split"], at.matrices["Q reshaped"]
    q = at.matrices["Queries Q"]
    np.testing.assert_array_equal(right, q[:, :4])
    np.testing.assert_array_equal(wrong, q[:3].reshape(6, 4))
    assert "row 1 of head 0 should be “cat”, columns 0–3, and holds “the 4–7”" in at.words()
    assert "Row 0 of head 3 holds “big”" in at.click("The scrambled reshape").words()
    at.click("One head for everything")
    assert "Q reshaped" not in at.matrices
    assert "With one head the reshape and the split are the same" in at.words()


def test_an_empty_token_row_is_explained_in_numbers(app):
    at = app(LAB, {f"{LAB}.x": "\n".join(["0 0 0 0 0 0 0 0"] * 6)})
    assert not at.exception
    assert "head 0: all alike (0.17); head 1: all alike (0.17)" in at.words()
    assert "head 0 and head 1. The reason: the context is 0 already." in at.words()
    assert "These tokens are your own" in at.words()
    assert "1/√d_model" not in at.words(), "a slip that makes no difference"


def test_what_heads_look_for_stands_on_the_page(app):
    at = app(LAB)
    assert "Tokens X" in at.matrices
    assert "by place, every word looks for the one before it" in at.words()
    place = at.matrices["Map of head 1"]
    np.testing.assert_array_equal(place.argmax(axis=1), [5, 0, 1, 2, 3, 4])


def test_presets_are_answered(app):
    at = app(LAB)
    assert "Columns 4–7 of the output: all **0**, for head 1 is silent" in at.click("Silent and unmixed").words()
    alone = at.click("One head for everything").words()
    assert "Where “big” looks most, head 0: a (0.60)" in alone
    assert "“big” looks like this: head 0: cat (0.42); head 1: a (0.86)" in alone
    assert "1 heads" not in alone


def test_the_header_follows(app):
    assert "8 heads of d_k = 1" in app(LAB, {f"{LAB}.heads": "8"}).words()
    assert "1 head of d_k = 8" in app(LAB, {f"{LAB}.heads": "1"}).words()


def test_heads_that_share_keys(app):
    at = app(LAB, {f"{LAB}.heads": "4", f"{LAB}.share": "2"}).unfold("take_away")
    assert at.matrices["Keys K"].shape == (6, 4)
    assert "4 heads read 2 key heads, head by head 0 0 1 1" in at.words()
    assert "dealt out in turn: 0 1 0 1, and an output that is off by" in at.words()
    made = at.computed()
    np.testing.assert_allclose(made["out"], at.numbers["out"], atol=1e-12)
    assert made["key_heads"].tolist() == [0, 0, 1, 1]
    assert "key head, head by head" not in app(LAB).words()


def test_no_control_shows_a_head_that_is_not_there(app):
    at = app(LAB, {f"{LAB}.heads": "8", f"{LAB}.head": "6"})
    at.set(heads="2")
    assert at.control("head").value == "1"
    assert "How head 1 comes to its weight" in at.words()


def test_the_weight_of_a_click_is_written_out(app):
    at = app(LAB, {f"{LAB}.query": "big", f"{LAB}.key": "a", f"{LAB}.head": "1"})
    assert "How head 1 comes to its weight from “big” to “a”" in at.words()
    assert any("w_{4,3} = " in formula for formula in at.texts("latex"))
    assert not any("10^{-17}" in formula for formula in at.texts("latex"))


def test_a_list_of_places_has_one_and(app):
    words = app(LAB, {f"{LAB}.heads": "8"}).words()
    assert "head 6: cat, saw, big and dog (0.24)" in words
    assert "its first number 0 up to rounding" in app(LAB).click("A head that does nothing").words()


def test_whose_number_begins_a_row_after_the_reshape(app):
    at = app(LAB).ask("The scrambled reshape").predict("big").press("ask_show")
    assert (
        "**Right.** Before it lie 18 rows of 2 numbers each, 36 in all" in at.words()
    )  # 3 heads of 6 rows; 36 // 8 = 4
    at = app(LAB).ask("Shared keys").predict(64.0).press("ask_show")
    assert "**Right.** 128 before, 64 now" in at.words()
