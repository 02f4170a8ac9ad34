"""The states the lab is made for: a head that does nothing, silent heads, and the scrambled reshape."""

import json

import numpy as np
import pytest

LAB = "heads_split_and_mixed"


def matrices(at) -> dict[str, np.ndarray]:
    """Every matrix on the page by its title, the reshaped ones last."""
    found = {}
    for element in at.get("bidi_component"):
        if '"spec"' in element.proto.json:
            spec = json.loads(json.loads(element.proto.json)["spec"])
            titles = [note["text"].split("</b>")[0].split(">")[-1] for note in spec["layout"]["annotations"]]
            found |= dict(zip(titles, [np.array(t["z"]) for t in spec["data"] if "z" in t], strict=True))
    return found


def show(at, title: str):
    return at.button(key=f"{LAB}.try.{title}").click().run()


def words(at) -> str:
    return "\n".join(m.value for m in at.markdown)


def test_a_head_that_does_nothing(app):
    at = show(app(LAB), "A head that does nothing")
    shares = matrices(at)["What each adds to “the”"]
    assert not shares[5].any()
    assert all(shares[h].any() for h in range(8) if h != 5)
    assert at.slider(key=f"{LAB}.head").value == 5
    assert matrices(at)["Map of head 5"].max() > 0.4
    assert "head 5: not silent, yet adds **exactly 0**" in words(at)
    before = matrices(at)["Output = Concat · W_O"]
    at.get("button_group")[1].set_value(["head 5"]).run()
    np.testing.assert_array_equal(matrices(at)["Output = Concat · W_O"], before)
    assert "Silencing head 5 changes the output by up to **0.000**" in words(at)


@pytest.mark.parametrize("heads", ["1", "2", "4", "8"])
def test_shares_add_up_whatever_the_number_of_heads(app, heads):
    shares = matrices(app(LAB, {f"{LAB}.heads": heads}))["What each adds to “saw”"]
    assert shares.shape == (int(heads) + 1, 8)
    np.testing.assert_allclose(shares[:-1].sum(axis=0), shares[-1], atol=1e-12)


def test_a_silent_head_leaves_its_columns_empty_when_nothing_mixes(app):
    at = show(app(LAB), "Silent and unmixed")
    out = matrices(at)["Output = Concat · W_O"]
    assert not out[:, 4:].any()
    assert (out[:, :4].max(axis=1) > 0).all()
    assert "Map of head 1, silent" in matrices(at)


def test_the_reshape_hands_a_head_other_tokens(app):
    at = app(LAB)
    right, wrong = matrices(at)["Q split"], matrices(at)["Q reshaped"]
    q = matrices(at)["Queries Q"]
    np.testing.assert_array_equal(right, q[:, :4])
    np.testing.assert_array_equal(wrong, q[:3].reshape(6, 4))
    assert "row 1 of head 0 should be “cat”, columns 0–3, and holds “the 4–7”" in words(at)
    assert "Row 0 of head 3 holds “big”" in words(show(at, "The scrambled reshape"))
    at = show(at, "One head for everything")
    assert "Q reshaped" not in matrices(at)
    assert "With one head the reshape and the split are the same" in words(at)


def test_an_empty_token_row_is_explained_in_numbers(app):
    at = app(LAB, {f"{LAB}.x": "\n".join(["0 0 0 0 0 0 0 0"] * 6)})
    assert not at.exception
    assert "head 0: all alike (0.17); head 1: all alike (0.17)" in words(at)
    assert "adds **exactly 0**" in words(at)
