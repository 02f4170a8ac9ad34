"""The states the lab is made for: a head that does nothing, silent heads, and the scrambled reshape."""

import numpy as np
import pytest

LAB = "heads_split_and_mixed"


def test_a_head_that_does_nothing(app):
    at = app(LAB).click("A head that does nothing")
    shares = at.matrices["What each adds to “the”"]
    assert not shares[5].any()
    assert all(shares[h].any() for h in range(8) if h != 5)
    assert at.slider(key=f"{LAB}.head").value == 5
    assert at.matrices["Map of head 5"].max() > 0.4
    assert "head 5: not silent, yet adds **exactly 0**" in at.words()
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
    assert "adds **exactly 0**" in at.words()
