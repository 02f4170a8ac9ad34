"""What the table is made for: the fingerprints, the pair that comes round, the odd width."""

import numpy as np
import pytest

from engine.positions import sinusoidal_table
from ui.labs.sinusoidal_table import wavelength_chart

SLUG = "sinusoidal_table"


def linked(app, **controls):
    return app(SLUG, {f"{SLUG}.{name}": str(value) for name, value in controls.items()})


def test_the_picture_is_the_table_and_the_point_is_its_cell(app):
    shown = app(SLUG).charts
    np.testing.assert_allclose(shown["table"].heatmaps[0], sinusoidal_table(48, 32), atol=1e-6)
    assert shown["waves"].named("now")["y"] == [sinusoidal_table(48, 32)[7, 4]]


def test_seven_turns_later_the_fast_columns_agree(app):
    at = app(SLUG).click("Seven turns later")
    both = at.charts["fingerprints"].heatmaps[0]
    assert abs(both[0, :2] - both[1, :2]).max() < 0.02
    assert abs(both[0] - both[1]).max() > 1.5
    assert "most in column 11: 1.786." in at.words()


def test_choices_past_the_end_of_a_small_table_are_not_offered(app):
    at = linked(app, positions=2, width=2)
    assert [(at.control(name).value, at.control(name).options) for name in ("position", "column")] == [
        ("1", ["0", "1"]),
        ("1", ["0", "1"]),
    ]
    assert "**2 positions × d_model = 2**" in at.words()


def test_a_pair_that_takes_longer_than_the_last_position_does_not_come_round(app):
    at = linked(app, positions=7, column=0)  # 6.283 positions for a turn, and the last position is 6
    assert "Pair 0 takes **6.3** positions for a turn: the last position is 6, so column 0 never comes" in at.words()
    assert (
        "Pair 0 takes **6.3** positions for a turn: column 0 comes round" in linked(app, positions=8, column=0).words()
    )


@pytest.mark.parametrize(
    ("preset", "sentence"),
    [
        ("A base of 10", "2 of 16 pairs do not finish a turn by position 47."),  # pair 14 needs 47.12
        ("An odd width", "1 of 8 pairs does not finish a turn by position 47."),
        ("An odd width", "the squared lengths of the rows differ by up to **0.998**"),
        ("Small enough to check", "Position 0 needs no calculator: sin 0 = 0 and cos 0 = 1 in every pair."),
    ],
)
def test_a_preset_is_answered(app, preset, sentence):
    assert sentence in app(SLUG).click(preset).words()


def test_one_pair_is_not_told_to_have_fast_and_slow_columns(app):
    assert "the fast columns tell neighbours apart" in app(SLUG).words()
    assert "the fast columns tell neighbours apart" not in linked(app, width=2).words()


def test_a_click_on_either_fingerprint_chooses_the_column_of_its_formula(app):
    at = app(SLUG)
    at.tap("fingerprints", row=1, column=20)
    assert (at.control("column").value, at.control("other_column").value) == ("4", "20")
    at.tap("fingerprints", row=0, column=9)
    assert (at.control("column").value, at.control("other_column").value) == ("9", "20")


def test_a_line_marks_from_where_no_pair_finishes_a_turn():
    with_edge, without = wavelength_chart([6.28, 62.8, 628], 1, 47), wavelength_chart([6.28, 62.8], 0, 63)
    assert with_edge.layout["shapes"][0]["x0"] == 0.5
    assert with_edge.layout["annotations"][0]["text"] == "from here no full turn by position 47"
    assert not without.layout["shapes"]
    assert without.data[-1]["text"] == ("6.3",)


@pytest.mark.parametrize(
    ("controls", "told"),
    [
        ({}, "tensor2tensor and fairseq, all sines first and other frequencies: 0.565; 10.344"),
        ({}, "tensor2tensor and fairseq, 2π·base: 62831.9 positions"),
        ({"width": 2}, "tensor2tensor (fairseq divides by 0), 2π·base^0, its only pair: 6.3 positions"),
        ({"width": 3}, "tensor2tensor (fairseq divides by 0), 2π·base^0, its only pair: 6.3 positions"),
        ({"base": 100}, "tensor2tensor (fairseq knows base 10,000 only), 2π·base: 628.3 positions"),
    ],
)
def test_numbers_under_a_librarys_name_are_its_own(app, controls, told):
    assert told in linked(app, **controls).words()


@pytest.mark.parametrize(
    ("controls", "told"),
    [
        ({"width": 2}, "By position 47 every pair has finished a turn."),
        ({"width": 3}, "1 of 2 pairs does not finish a turn by position 47."),
        ({"width": 2, "positions": 6}, "1 of 1 pair does not finish a turn by position 5."),
    ],
)
def test_pairs_that_finish_no_turn_are_counted_where_there_are_any(app, controls, told):
    words = linked(app, **controls).words()
    assert told in words
    assert "0 of 1 pair" not in words


def test_the_pair_that_tells_positions_44_apart_best_is_a_click_on_its_wavelength(app):
    at = app(SLUG).ask("Seven turns later")
    assert not at.charts["fingerprints"].heatmaps
    at.tap("wavelengths", x=5, point=5)  # 44 / (2π · 10^(5/4)) = 0.394 turns, and 1 − cos of that is 1.786
    assert "**Right.** Positions 0 and 44 differ most in column 11, by 1.786" in at.press("ask_show").words()
    at = app(SLUG).ask("Seven turns later").tap("wavelengths", x=3, point=3)
    assert "**Not so.**" in at.press("ask_show").words()
