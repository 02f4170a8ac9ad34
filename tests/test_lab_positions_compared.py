"""Every start lies on one curve a method, until a width is odd."""

import numpy as np
import pytest
from driven import numbers

from engine.positions import offset_curve, scores_by_offset, sinusoidal_table
from ui.labs.positions_compared import overlaid, pair_by_pair, placed, score_matrices, spread_chart
from ui.words import number

SLUG = "positions_compared"


def linked(app, **controls):
    return app(SLUG, {f"{SLUG}.{name}": str(value) for name, value in controls.items()})


def test_every_start_lies_on_one_curve_per_method(app):
    shown = app(SLUG).charts
    for scores, curve in zip(shown["matrices"].heatmaps, shown["curves"].data, strict=False):
        x, y = numbers(curve["x"]), numbers(curve["y"])
        assert len(y) == 32 * 33
        np.testing.assert_array_equal(y[~np.isnan(y)].reshape(32, 32), scores)
        at_offset = y[(x == 5) & ~np.isnan(y)]
        assert len(at_offset) == 27
        assert np.ptp(at_offset) < 1e-5  # drawn in single precision


def test_an_odd_width_breaks_the_diagonals_and_its_number_is_quoted(app):
    spread = lambda *shape: scores_by_offset(sinusoidal_table(*shape) @ sinusoidal_table(*shape).T).out
    at = app(SLUG)
    assert "All three depend on the offset alone, up to rounding." in at.words()
    assert "PE·PEᵀ **0 up to rounding (3.55e−15)**" in at.words()
    assert f"at 17, which is odd, the table's spread is **{number(spread(32, 17))}**" in at.words()
    at.click("An odd width")
    assert f"PE·PEᵀ **{number(spread(32, 15))}**" in at.words()
    assert "**3.28e−05**" in at.words()
    assert "More than rounding: PE·PEᵀ depends on where the two stand." in at.words()
    assert "From 0 to 5 the score is 5.291, from 26 to 31 it is 5.291: they differ by 2.75e−05." in at.words()
    curve = at.click("Odd, and made visible").charts["curves"].data[0]
    at_offset = numbers(curve["y"])[numbers(curve["x"]) == 5]
    assert np.nanmax(at_offset) - np.nanmin(at_offset) > 0.9


def test_all_alike_rope_is_the_table(app):
    at = app(SLUG).click("The same cosines")
    table, rope = at.charts["matrices"].heatmaps[:2]
    np.testing.assert_allclose(table, rope, atol=1e-5)
    assert "RoPE's scores are the table's, the same cosines: they differ by 0 up to rounding." in at.words()


def test_the_first_offset_below_nought_is_told(app):
    at = app(SLUG).click("A base of 10")
    table = sinusoidal_table(32, 16, base=10)
    scores = table @ table[0]
    assert scores[4] > 0 > scores[5]
    assert "Seen from position 0, it first falls below 0 at offset 5." in at.words()
    assert "it is lowest at offset 28, −2.252" in at.words()


@pytest.mark.parametrize("width", [2, 15, 16, 31])
def test_the_sum_of_pairs_gives_the_score_without_rounding(width):
    table = sinusoidal_table(32, width)
    alone = (table[3, -1], table[23, -1]) if width % 2 else None
    written = pair_by_pair((3, 23), (10_000, width), alone, table[3] @ table[23])
    assert r"\cos\frac{20}{10000^{0/" in written
    assert ("no partner" in written) == (width % 2 == 1)


def test_two_positions_are_what_the_controls_say_and_the_matrix_outlines(app):
    at = linked(app, start=30, end=12)
    assert "From position 30 to 12: the table's score" in at.words()
    assert "at offset −18" in at.words()
    box = at.charts["matrices"].boxes()[0]
    assert (box["x0"] + box["x1"], box["y0"] + box["y1"]) == (24, 60)
    at.tap("matrices", row=30, column=31)
    assert (at.control("start").value, at.control("end").value) == ("30", "31")
    at.tap("curves", x=20)
    assert (at.control("start").value, at.control("end").value) == ("11", "31")


def test_what_is_the_same_is_not_said_twice(app):
    ends = linked(app, start=0, end=31).words()  # one start only
    assert "from 0 to 31 it is" not in ends
    assert "offset −0" not in linked(app, start=3, end=3).words()
    farthest = linked(app, base="100,000", positions=16).words()
    assert "lowest farthest away: 3.969 at 15" in farthest


def test_the_header_tells_the_shape_on_screen(app):
    assert "**16 positions × d_model = 7**" in linked(app, positions=16, width=7).words()


def test_the_pictures_take_the_ways_in_their_order():
    ways = [np.eye(2), np.ones((2, 2)), -np.eye(2)]
    for drawn, scores in zip(score_matrices(ways, ["a", "b", "c"], 4, (1, 0)).data, ways, strict=False):
        np.testing.assert_array_equal(numbers(drawn["z"]), scores)
    curves = overlaid([offset_curve(scores) for scores in ways], 2, 4, -1, [0, 1, 0])
    assert [line["name"] for line in curves.data] == [
        "PE·PEᵀ, 2 starts",
        "RoPE, 2 starts",
        "ALiBi, 2 starts",
        "now",
    ]
    assert curves.data[-1]["y"] == (0, 1, 0)
    assert curves.layout["annotations"][0]["text"] == "offset −1"
    assert spread_chart([3, 4], [0.5, 1e-16], 4, 1e-16).data[-1]["textposition"] == ("bottom center",)


@pytest.mark.parametrize("x", [-40, -31, -3, 0, 17, 31, 40])
def test_a_click_on_a_curve_lands_inside(x):
    start, end = placed(20, {"x": x}, 32)
    assert 0 <= min(start, end) <= max(start, end) <= 31
    assert end - start == max(-31, min(x, 31))


def test_numbers_under_a_librarys_name_are_its_own(app):
    words = app(SLUG).words()
    assert "tensor2tensor and fairseq, all sines first and other frequencies: 6.442" in words
    assert "neighbours, as in RoFormer, GPT-J and Meta's Llama" in words


def test_only_a_turn_tells_five_ahead_from_five_back(app):
    at = app(SLUG).ask("There and back").predict("RoPE").press("ask_show")
    assert "**Right.** PE·PEᵀ from 6.137 to 6.137, RoPE from 7.006 to 0.871" in at.words()
    at = app(SLUG).ask("A base of 10").predict(5.0).press("ask_show")
    assert sum(np.cos(4 / 10 ** (i / 8)) for i in range(8)) > 0 > sum(np.cos(5 / 10 ** (i / 8)) for i in range(8))
    assert "**Right.** At offset 5 it is −0.214" in at.words()
