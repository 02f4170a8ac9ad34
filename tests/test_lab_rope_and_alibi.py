"""Two moved together score as before, a pair comes home, the last of three heads is the steepest."""

import numpy as np
import pytest

from engine.positions import rope_scores
from ui.labs.rope_and_alibi import Way, bias_and_weights, plane, score_chart, slope_chart
from ui.words import number

SLUG = "rope_and_alibi"
Q, K = [1.2, 0.6, 1.1, -0.5], [0.7, 1.2, 0.4, 1.2]


def score_at(at) -> list[float]:
    return at.charts["score"].named("now")["y"]


def linked(app, **controls):
    return app(SLUG, {f"{SLUG}.{name}": str(value) for name, value in controls.items()})


def test_moved_together_the_score_stays_and_alone_it_changes(app):
    at = app(SLUG)
    before = score_at(at)
    for shift in (1, 44, 96):
        np.testing.assert_allclose(score_at(at.set(shift=shift)), before, atol=1e-12)
    assert "a difference of 0 up to rounding" in at.words()
    assert abs(score_at(at.set(query=7))[0] - before[0]) > 0.1


def test_a_pair_comes_back_onto_itself(app):
    words = app(SLUG).click("Back on itself").words()
    assert "leaves pair 0 **1.0°** and pair 1 **107.9°** from where they were." in words
    assert "Back on itself: pair 0, which alone could not tell the two places apart." in words


def test_the_last_of_three_heads_is_the_steepest(app):
    at = app(SLUG).click("Three heads")
    paper, released = at.charts["slopes"].data[:2]
    assert released["x"] == [0, 1, 2]
    assert released["y"] == [0.0625, 0.00390625, 0.25]
    assert paper["y"] == sorted(paper["y"], reverse=True)
    assert at.charts["slopes"].named("now")["y"] == [0.25]
    assert "Of 3 heads, head 2 is the steepest with 0.2500" in at.words()


def test_one_head_is_one(app):
    at = linked(app, heads=1)
    assert "The slope of the only head is 0.0039." in at.words()
    assert "d = 4 · 1 ALiBi head**" in at.words()


def test_moving_one_alone_is_answered(app):
    words = app(SLUG).click("Move only one").words()
    assert "need not fall with the distance: 1.392 at distance 21, but only −1.347 nearer, at distance 4." in words
    assert "At no smaller distance is RoPE's score below the −1.347 of distance 4." in app(SLUG).words()


def test_the_other_layout_gives_another_score(app):
    pairs, halves = (
        number(rope_scores(Q, K, [6], [2], base=100, layout=way, scale=1.0).out[0, 0]) for way in ("pairs", "halves")
    )
    words = app(SLUG).click("The other layout").words()
    assert f"The layout “halves” gives {halves}, “pairs” from the same q and k {pairs}." in words
    assert "| pairs, as RoFormer, GPT-J and Meta's Llama, from the same weights:" in words


@pytest.mark.parametrize(
    ("options", "right"),
    [({"rotary_dim": 2, "base": 100}, "−1.952"), ({"factor": 2, "base": 100}, "0.423"), ({"base": 400}, "−1.646")],
)
def test_part_of_a_head_and_longer_texts_stand_in_the_conventions(app, options, right):
    assert number(rope_scores(Q, K, [6], [2], scale=1.0, **options).out[0, 0]) == right
    assert right in app(SLUG).words()


def test_a_loud_key_gets_less_where_the_product_is_negative(app):
    words = linked(app, content="1.2 0.6 1.1 -0.5\n-0.7 -1.2 -0.4 -1.2").words()
    assert "q·k is negative: from query 7 it gets 0.034, less than the 0.138 of key 7." in words
    assert "q·k is positive: from query 7 it gets 0.367, more than the 0.090 of key 7." in app(SLUG).words()


def test_alibi_takes_weight_from_the_distant_key(app):
    plain, biased = (cells for cells in app(SLUG).charts["alibi"].heatmaps if cells[0, 1] == 0)
    assert plain[7, 1] > biased[7, 1]
    assert plain[7, 7] < biased[7, 7]
    np.testing.assert_allclose(biased.sum(axis=1), 1)


def test_a_click_on_a_slope_chooses_its_head(app):
    at = app(SLUG)
    at.tap("slopes", x=5.0)
    assert at.control("head").value == "5"


def test_grey_arrows_tell_where_query_and_key_stood():
    trail = np.array([[1.0, 0.0], [0.0, 1.0]])
    ways = [Way([1, 0], [1, 0], [0, 1], trail), Way([0, 1], [0, 1], [-1, 0], trail)]
    drawn = lambda moved: plane(0, (0, 2), 6.28, *ways, moved=moved)
    tips = lambda moved: len([note for note in drawn(moved).layout["annotations"] if note["text"] == ""])
    assert (tips(False), tips(True)) == (2, 4)
    assert [trace["name"] for trace in drawn(True).data] == ["guide", "guide", "way of q", "way of k"]
    assert drawn(True).layout["yaxis"]["title"]["text"] == "d2"


def test_the_pictures_of_one_head():
    assert score_chart([-1, 0, 1], np.array([0.5, 1.9, -2.8]), 1, -2.8).layout["yaxis"]["range"] == (-4, 4)
    slopes = slope_chart([0.5, 0.25], [0.5, 0.125], 1)
    assert (slopes.data[-1]["x"], slopes.data[-1]["y"], slopes.data[-1]["text"]) == ((1,), (0.25,), ("0.2500",))
    bias, mask = np.array([[0, -1], [-1, 0]]), np.array([[True, False], [True, True]])
    titles = [note["text"] for note in bias_and_weights(bias, mask, mask / 2, mask / 1, 1.0).layout["annotations"]]
    assert any("ALiBi: −1 · distance" in title for title in titles)
    assert all("query ↓ key →" in title for title in titles)


def test_seven_turns_bring_pair_0_home_and_the_bias_makes_the_nearest_key_the_loudest(app):
    at = app(SLUG).ask("Back on itself").predict("pair 0").press("ask_show")  # 44 / 2π = 7.003, 44 / 20π = 0.700
    assert "**Right.** Pair 0 makes 7.00 turns, pair 1 0.70: pair 0 ends 1.0°" in at.words()
    at = app(SLUG).ask("The loud key")
    assert len(at.charts["alibi"].heatmaps) == 2
    at.tap("alibi", row=7, column=7, panel=1)  # e^0.7 of Σ = e^0.7 + e^(2.1 − 1.5) + … is 0.218
    assert "**Right.** Key 7 gets 0.218, key 1 0.197" in at.press("ask_show").words()


def test_a_score_that_only_rounding_keeps_from_0_is_0(app):
    at = app("rope_and_alibi", {"rope_and_alibi.content": "1 -1 0 0\n1 1 -1 1", "rope_and_alibi.layout": "halves"})
    at.set(query=24, key=24)
    assert "At offset 0, key − query, the score is **0.000**" in at.words()
