"""The sampling lab: what each way keeps, what a tie and an order change, and draws that stay near their expectation."""

import pytest

from ui import catalogue

SLUG = "one_distribution_one_token"


def panels(at):
    """The bars of the six ways by name."""
    bars = [trace for trace in at.charts["ways"].data if trace["type"] == "bar"][:6]
    return {bar["name"].split()[0]: bar["x"] for bar in bars}


def n_kept(bars):
    return {way: sum(x > 0 for x in values) for way, values in bars.items()}


def test_every_way_gives_a_distribution(app):
    bars = panels(app(SLUG))
    assert n_kept(bars) == {"Greedy": 1, "Temperature": 12, "Top-k,": 8, "Top-p,": 5, "Min-p": 5, "All": 5}
    assert all(sum(values) == pytest.approx(1) for values in bars.values())


def test_peaked_and_flat_move_top_p_but_not_top_k(app):
    peaked = n_kept(panels(app(SLUG, {f"{SLUG}.shape": "peaked"})))
    flat = n_kept(panels(app(SLUG, {f"{SLUG}.shape": "flat", f"{SLUG}.p": "0.9"})))
    assert (peaked["Top-k,"], peaked["Top-p,"]) == (8, 1)
    assert (flat["Top-k,"], flat["Top-p,"]) == (8, 11)


def test_ties_go_to_the_first_and_both_conventions_are_told(app):
    at = app(SLUG, {f"{SLUG}.shape": "ties", f"{SLUG}.k": "4", f"{SLUG}.way": "top-k"})
    assert [x > 0 for x in panels(at)["Top-k,"]] == [True] * 4 + [False] * 8
    assert "exactly k, lowest index first, as jax.lax.top_k: 4 kept" in at.words()
    assert "vLLM's PyTorch code, keep all that tie with the k-th: 7 kept" in at.words()
    assert "(vLLM)" not in at.words()
    assert "2 words tie for the first place" in at.words()


def test_the_order_of_the_filters_changes_what_is_kept(app):
    hot = {f"{SLUG}.temperature": "5", f"{SLUG}.k": "12"}
    first, last = app(SLUG, hot), app(SLUG, hot | {f"{SLUG}.order": "top-p, top-k, T"})
    assert (n_kept(panels(first))["All"], n_kept(panels(last))["All"]) == (9, 5)


@pytest.mark.parametrize("p", ["0", "0.999", "1"])
@pytest.mark.parametrize("way", ["greedy", "temperature", "top-k", "top-p", "min-p", "all three"])
def test_draws_at_the_ends(app, p, way):
    start = {f"{SLUG}.temperature": "0", f"{SLUG}.p": p, f"{SLUG}.way": way, f"{SLUG}.shape": "peaked"}
    at = app(SLUG, start)
    assert not at.exception
    assert not at.error
    at.set(**{"peaked.logits": "7 0 0 0 0 0 0 0 0 0 0 0"})
    assert not at.exception


def test_each_question_is_answered_where_it_leads(app):
    at = app(SLUG)
    said = at.click("Peaked").words()
    assert "the least likely of them, grass, has probability **0.003**" in said
    assert "the least likely, mat, has probability **0.922**" in said
    assert "cuts 1; " in at.click("Flat").words()
    ties = at.click("Ties").words()
    assert (
        "**4 words tie for place 4** of top-k: bed stays, as the first in the list; chair, table, roof are cut" in ties
    )
    heated = at.click("Cut, then heat").words()
    assert "The order matters here: all three together keep **9** (T, top-k, top-p)" in heated
    assert "here the order does not matter" in app(SLUG, {f"{SLUG}.temperature": "1"}).words()


def test_of_tied_words_at_the_edge_of_top_p_both_ways_are_told(app):
    said = app(SLUG, {f"{SLUG}.shape": "ties", f"{SLUG}.p": "0.1"}).words()
    assert "the first in the list stays: mat is the last one kept" in said
    assert "transformers sorts upwards, so the last in the list stays: sofa" in said


def test_one_word_left_is_told_as_one(app):
    said = app(SLUG, {f"{SLUG}.way": "greedy", f"{SLUG}.p": "0"}).words()
    assert "Only one word can come under greedy, so it comes every time." in said
    assert "Top-p keeps **1 word** here, which holds" in said


def test_a_click_on_a_bar_works_out_its_word(app):
    at = app(SLUG)
    assert at.charts["ways"].clickable
    at = app(SLUG, {f"{SLUG}.word": "4"})
    assert "The sum behind chair under top-p" in at.texts("header")
    assert "moon is cut by top-p: it never comes." in at.set(word="9").words()


def test_min_p_keeps_what_has_its_share_of_the_largest(app):
    at = app(SLUG, {f"{SLUG}.shape": "peaked", f"{SLUG}.min_p": "0.02"})
    assert "Min-p keeps **2 words**: all with a probability of at least 0.02 · 0.922" in at.words()


def test_a_penalty_for_a_word_said_before_has_both_numbers(app):
    said = app(SLUG, {f"{SLUG}.shape": "ties"}).words()
    assert "If mat was said before: a penalty of 1.2 | none: 0.214" in said
    assert "z / 1.2 or, below 0, z · 1.2: 0.163; OpenAI's presence penalty, z − 1.2: 0.076" in said


def test_one_word_reaches_and_a_vanishing_entropy_is_nought(app):
    at = app(SLUG).click("Peaked")
    assert "1 of them reaches p = 0.8." in at.charts["mass"].alt
    assert "moves the entropy from 0.418 to **0 up to rounding**" in at.set(temperature=0.1).words()


def test_the_header_keeps_the_products_words(app):
    at = app(SLUG)
    assert f"{catalogue.BY_SLUG[SLUG].shape} · logits made up, no trained model behind them" in at.words()


def test_the_answers_are_those_worked_out_by_hand(app):
    flat = app(SLUG).ask("Flat").predict("one").press("ask_show").words()
    assert "**Right.** To reach 0.9 takes 11 of 12 words, to reach 0.8 10" in flat
    at = app(SLUG).ask("Ties")
    assert at.charts["ways"].clickable
    tied = at.tap("ways", point=3, curve=1, panel=1).press("ask_show").words()
    assert "**Right.** “bed”: 4 words have the logit 1.000, for 1 seat; the first in the list wins." in tied
