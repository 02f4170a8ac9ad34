"""What the three labs on positions are made for: the fingerprints, the pair that comes home, the odd width."""

import numpy as np
from driven import numbers

from engine.positions import offset_curve, scores_by_offset, sinusoidal_table
from ui.labs.positions_compared import overlaid, pair_by_pair, score_matrices, spread_chart
from ui.labs.rope_and_alibi import Way, bias_and_weights, plane, score_chart, slope_chart
from ui.labs.sinusoidal_table import wavelength_chart
from ui.words import number


# The sinusoidal table
def test_the_picture_is_the_table_and_the_point_is_its_cell(app):
    shown = app("sinusoidal_table").charts
    np.testing.assert_allclose(shown["table"].heatmaps[0], sinusoidal_table(48, 32), atol=1e-6)
    assert shown["waves"].named("today")["y"] == [sinusoidal_table(48, 32)[7, 4]]


def test_seven_turns_later_the_fast_columns_agree(app):
    both = app("sinusoidal_table").click("Seven turns later").charts["fingerprints"].heatmaps[0]
    assert abs(both[0, :2] - both[1, :2]).max() < 0.02
    assert abs(both[0] - both[1]).max() > 1.5


def test_choices_past_the_end_of_a_small_table_come_back_inside(app):
    at = app("sinusoidal_table", {"sinusoidal_table.positions": "2", "sinusoidal_table.width": "2"})
    assert not at.exception
    assert "It ends at position 1 and column 1: what lies beyond is shown there." in at.words()


def test_a_line_marks_from_where_no_pair_finishes_a_turn():
    with_edge, without = wavelength_chart([6.28, 62.8, 628], 1, 48), wavelength_chart([6.28, 62.8], 0, 64)
    assert with_edge.layout["shapes"][0]["x0"] == 0.5
    assert with_edge.layout["annotations"][0]["text"] == "from here no full turn in 48 positions"
    assert not without.layout["shapes"]
    assert without.data[-1]["text"] == ("6.3",)


# RoPE and ALiBi
def test_moved_together_the_score_stays_and_alone_it_changes(app):
    at = app("rope_and_alibi")
    score = lambda at: at.charts["score"].named("today")["y"]
    before = score(at)
    for shift in (1, 44, 96):
        np.testing.assert_allclose(score(at.set(shift=shift)), before, atol=1e-12)
    assert abs(score(at.set(query=7))[0] - before[0]) > 0.1


def test_a_pair_comes_back_onto_itself(app):
    at = app("rope_and_alibi").click("Back on itself")
    assert "leaves pair 0 **1.0°** and pair 1 **107.9°** from where they were. Back on itself: pair 0," in at.words()


def test_the_last_of_three_heads_is_the_steepest(app):
    slopes = app("rope_and_alibi").click("Three heads").charts["slopes"]
    paper, released = slopes.data[:2]
    assert released["y"] == [0.0625, 0.00390625, 0.25]
    assert paper["y"] == sorted(paper["y"], reverse=True)
    assert slopes.named("today")["y"] == [0.25]


def test_alibi_takes_weight_from_the_distant_key(app):
    plain, biased = (cells for cells in app("rope_and_alibi").charts["alibi"].heatmaps if cells[0, 1] == 0)
    assert plain[7, 1] > biased[7, 1]
    assert plain[7, 7] < biased[7, 7]
    np.testing.assert_allclose(biased.sum(axis=1), 1)


def test_grey_arrows_tell_where_query_and_key_stood():
    trail = np.array([[1.0, 0.0], [0.0, 1.0]])
    ways = [Way([1, 0], [1, 0], [0, 1], trail), Way([0, 1], [0, 1], [-1, 0], trail)]
    tips = lambda moved: len([note for note in drawn(moved).layout["annotations"] if note["text"] == ""])
    drawn = lambda moved: plane(0, (0, 2), 6.28, *ways, moved=moved)
    assert (tips(False), tips(True)) == (2, 4)
    assert [trace["name"] for trace in drawn(True).data] == ["guide", "guide", "way of q", "way of k"]
    assert drawn(True).layout["yaxis"]["title"]["text"] == "d2"


def test_the_pictures_of_one_head():
    assert score_chart([-1, 0, 1], np.array([0.5, 1.9, -2.8]), 1, -2.8).layout["yaxis"]["range"] == (-4, 4)
    slopes = slope_chart([0.5, 0.25], [0.5, 0.125], 2)
    assert (slopes.data[-1]["x"], slopes.data[-1]["y"], slopes.data[-1]["text"]) == ((2,), (0.25,), ("0.2500",))
    bias, mask = np.array([[0, -1], [-1, 0]]), np.array([[True, False], [True, True]])
    titles = [note["text"] for note in bias_and_weights(bias, mask, mask / 2, mask / 1, 1.0).layout["annotations"]]
    assert any("ALiBi: −1 · distance" in title for title in titles)


# Positions encoded and compared
def test_every_start_lies_on_one_curve_per_method(app):
    shown = app("positions_compared").charts
    for scores, curve in zip(shown["matrices"].heatmaps, shown["curves"].data, strict=False):
        x, y = numbers(curve["x"]), numbers(curve["y"])
        assert len(y) == 32 * 33
        np.testing.assert_array_equal(y[~np.isnan(y)].reshape(32, 32), scores)
        at_offset = y[(x == 5) & ~np.isnan(y)]
        assert len(at_offset) == 27
        assert np.ptp(at_offset) < 1e-5  # drawn in single precision


def test_an_odd_width_breaks_the_diagonals_and_its_number_is_quoted(app):
    spread = lambda *shape: scores_by_offset(sinusoidal_table(*shape) @ sinusoidal_table(*shape).T).out
    at = app("positions_compared")
    assert "All three depend on the offset alone, up to rounding." in at.words()
    assert f"at 17, which is odd, the table's spread is **{number(spread(32, 17))}**" in at.words()
    at.click("An odd width")
    assert f"PE·PEᵀ **{number(spread(32, 15))}**" in at.words()
    assert "**3.28e−05**" in at.words()
    assert "More than rounding: PE·PEᵀ." in at.words()
    curve = at.click("Odd, and made visible").charts["curves"].data[0]
    at_offset = numbers(curve["y"])[numbers(curve["x"]) == 5]
    assert np.nanmax(at_offset) - np.nanmin(at_offset) > 0.9


def test_all_alike_rope_is_the_table(app):
    at = app("positions_compared").click("The same cosines")
    table, rope = at.charts["matrices"].heatmaps[:2]
    np.testing.assert_allclose(table, rope, atol=1e-5)
    assert "they are the same cosines" in at.words()


def test_the_pictures_take_the_ways_in_their_order():
    ways = {"a": np.eye(2), "b": np.ones((2, 2)), "c": -np.eye(2)}
    for drawn, scores in zip(score_matrices(ways, 4, 1).data, ways.values(), strict=False):
        np.testing.assert_array_equal(numbers(drawn["z"]), scores)
    curves = overlaid({way: offset_curve(scores) for way, scores in ways.items()}, 2, 1, [0, 1, 0], 3.0)
    assert [line["name"] for line in curves.data] == ["a, 2 starts", "b, 2 starts", "c, 2 starts", "today"]
    assert curves.data[-1]["y"] == (0, 1, 0)
    assert curves.layout["annotations"][0]["text"] == "offset 1"
    assert spread_chart([3, 4], [0.5, 1e-16], 4, 1e-16).data[-1]["textposition"] == ("bottom center",)


def test_a_sine_without_a_cosine_stands_apart_in_the_sum():
    assert "no partner" in pair_by_pair(0, 1, [6.28], (0.5, 0.25), 0.6)
    assert "no partner" not in pair_by_pair(0, 1, [6.28], None, 0.6)
