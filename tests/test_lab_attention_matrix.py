"""The attention lab says what its numbers say: each preset is answered with the numbers before and after."""

import numpy as np


def test_without_the_root_the_weights_get_sharper(app):
    at = app("attention_matrix")
    words = at.click("Without √d_k").words()
    assert "Undivided: entropy 1.424, largest weight 0.383; divided by √d_k: 1.665 and 0.282." in words
    assert "sharper" in words
    assert "none today" not in words


def test_with_every_key_masked_nothing_is_said_to_enter_softmax(app):
    at = app("attention_matrix").click("All padding")
    words = at.words()
    assert "sat has no key left: its weights are 0, they sum to 0 instead of 1, and its output is 0." in words
    assert "enters softmax" not in words
    assert "gives most to" not in words
    assert "−∞ before softmax" in words


def test_a_loud_key_takes_weight_from_whom(app):
    at = app("attention_matrix").click("One loud key")
    gets = at.matrices["Weights: softmax of each row"][:, 1]
    assert gets.round(3).tolist() == [0.0, 0.341, 0.968, 0.279, 0.175, 0.318]
    assert at.charts["four"].alt.endswith("query on gives cat 0.279.")


def test_a_click_explains_the_cell_that_was_clicked(app):
    at = app("attention_matrix").set(query=3, key="1")
    assert "on → cat" in at.words()
    assert at.charts["four"].alt.endswith("query on gives cat 0.222.")
    formulas = " ".join(at.texts("latex"))
    assert r"/ \sqrt{4}" in formulas  # the division by √d_k is written out
    assert "0.222" in formulas


def test_the_first_word_sees_itself_only(app):
    assert "It sees one key only, so that weight is 1" in app("attention_matrix").click(
        "The first word"
    ).words().replace("*", "")


def test_a_window_hides_what_is_too_far_back(app):
    at = app("attention_matrix").set(query=5, window=3)
    np.testing.assert_array_equal(at.charts["four"].heatmaps[3][5] > 0, [False, False, False, True, True, True])


def test_ties_are_named(app):
    at = app("attention_matrix", {"attention_matrix.q": "\n".join(["0 0 0 0"] * 6)})
    assert "gives most to 3 keys alike: 0.333" in at.words()


def test_axes_of_the_maps_have_names(app):
    titles = [note["text"] for note in app("attention_matrix").charts["four"].layout["annotations"]]
    assert all("query ↓ key →" in title for title in titles)


def test_where_scaling_changes_nothing_no_weight_is_compared_with_itself(app):
    for state in ("All padding", "The first word"):
        words = app("attention_matrix").click(state).words()
        assert "1/√d_k = 0.500" not in words
        assert "1/4 = 0.250" not in words
    words = app("attention_matrix").words()
    assert "| 1/√4 = 0.500: weight 0.819 | 1/4 = 0.250: weight 0.601 |" in words


def test_the_first_picture_goes_from_queries_keys_and_values_to_the_output(app):
    at = app("attention_matrix")
    name, first = next(iter(at.charts.items()))
    assert name == "mix"
    q, k, v, weights, shares, out = first.heatmaps
    np.testing.assert_array_equal(at.charts["four"].heatmaps[0], q @ k.T)
    np.testing.assert_allclose(shares, weights[2][:, None] * v)
    np.testing.assert_allclose(out[0], weights[2] @ v)


def test_a_click_on_the_first_picture_chooses_query_and_key(app):
    at = app("attention_matrix").tap("mix", panel=3, row=4, column=1)
    assert (at.control("query").value, at.control("key").value) == (4, "1")
    assert at.tap("mix", panel=0, row=5, column=1).control("query").value == 5
    assert at.tap("mix", panel=2, row=0, column=3).control("key").value == "0"
    assert at.control("query").value == 5
