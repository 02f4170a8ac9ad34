"""What the three labs on positions are made for: the fingerprints, the pair that comes home, the odd width."""

import base64
import json

import numpy as np

from engine.positions import scores_by_offset, sinusoidal_table
from ui.words import number


def charts(at) -> list[dict]:
    found = [e.proto.json for e in at.get("bidi_component") if '"spec"' in e.proto.json]
    return [json.loads(json.loads(one)["spec"]) for one in found]


def numbers(array) -> np.ndarray:
    if isinstance(array, dict):
        flat = np.frombuffer(base64.b64decode(array["bdata"]), array["dtype"])
        return flat.reshape([int(n) for n in array["shape"].split(",")]) if "shape" in array else flat
    return np.array(array, float)


def show(at, slug: str, title: str):
    return at.button(key=f"{slug}.try.{title}").click().run()


def words(at) -> str:
    return "\n".join(m.value for m in at.markdown)


def today(chart) -> dict:
    return next(trace for trace in chart["data"] if trace.get("name") == "today")


# The sinusoidal table
def test_the_picture_is_the_table_and_the_point_is_its_cell(app):
    table, waves = charts(app("sinusoidal_table"))[:2]
    np.testing.assert_allclose(numbers(table["data"][0]["z"]), sinusoidal_table(48, 32), atol=1e-6)
    assert today(waves)["y"] == [sinusoidal_table(48, 32)[7, 4]]


def test_seven_turns_later_the_fast_columns_agree(app):
    at = show(app("sinusoidal_table"), "sinusoidal_table", "Seven turns later")
    both = numbers(charts(at)[2]["data"][0]["z"])
    assert abs(both[0, :2] - both[1, :2]).max() < 0.02
    assert abs(both[0] - both[1]).max() > 1.5


def test_choices_past_the_end_of_a_small_table_come_back_inside(app):
    at = app("sinusoidal_table", {"sinusoidal_table.positions": "2", "sinusoidal_table.width": "2"})
    assert not at.exception
    assert "It ends at position 1 and column 1: what lies beyond is shown there." in words(at)


# RoPE and ALiBi
def test_moved_together_the_score_stays_and_alone_it_changes(app):
    at = app("rope_and_alibi")
    score = today(charts(at)[2])["y"]
    for shift in (1, 44, 96):
        at.slider(key="rope_and_alibi.shift").set_value(shift).run()
        np.testing.assert_allclose(today(charts(at)[2])["y"], score, atol=1e-12)
    at.slider(key="rope_and_alibi.query").set_value(7).run()
    assert abs(today(charts(at)[2])["y"][0] - score[0]) > 0.1


def test_a_pair_comes_back_onto_itself(app):
    at = show(app("rope_and_alibi"), "rope_and_alibi", "Back on itself")
    assert "leaves pair 0 **1.0°** and pair 1 **107.9°** from where they were. Back on itself: pair 0," in words(at)


def test_the_last_of_three_heads_is_the_steepest(app):
    at = show(app("rope_and_alibi"), "rope_and_alibi", "Three heads")
    paper, released = charts(at)[4]["data"][:2]
    assert released["y"] == [0.0625, 0.00390625, 0.25]
    assert paper["y"] == sorted(paper["y"], reverse=True)
    assert today(charts(at)[4])["y"] == [0.25]


def test_alibi_takes_weight_from_the_distant_key(app):
    plain, biased = (
        numbers(t["z"])
        for t in charts(app("rope_and_alibi"))[3]["data"]
        if t["type"] == "heatmap" and t["z"][0][1] == 0
    )
    assert plain[7, 1] > biased[7, 1]
    assert plain[7, 7] < biased[7, 7]
    np.testing.assert_allclose(biased.sum(axis=1), 1)


# Positions encoded and compared
def test_every_start_lies_on_one_curve_per_method(app):
    matrices, curves, _ = charts(app("positions_compared"))
    for matrix, curve in zip(matrices["data"], curves["data"], strict=False):
        scores, x, y = numbers(matrix["z"]), numbers(curve["x"]), numbers(curve["y"])
        assert len(y) == 32 * 33
        np.testing.assert_array_equal(y[~np.isnan(y)].reshape(32, 32), scores)
        at_offset = y[(x == 5) & ~np.isnan(y)]
        assert len(at_offset) == 27
        assert np.ptp(at_offset) < 1e-5  # drawn in single precision


def test_an_odd_width_breaks_the_diagonals_and_its_number_is_quoted(app):
    slug, spread = (
        "positions_compared",
        lambda *shape, **k: scores_by_offset(sinusoidal_table(*shape, **k) @ sinusoidal_table(*shape, **k).T).out,
    )
    at = app(slug)
    assert "All three depend on the offset alone, up to rounding." in words(at)
    assert f"at 17, which is odd, the table's spread is **{number(spread(32, 17))}**" in words(at)
    at = show(at, slug, "An odd width")
    assert f"PE·PEᵀ **{number(spread(32, 15))}**" in words(at)
    assert "**3.28e−05**" in words(at)
    assert "More than rounding: PE·PEᵀ." in words(at)
    at = show(at, slug, "Odd, and made visible")
    curve = charts(at)[1]["data"][0]
    at_offset = numbers(curve["y"])[numbers(curve["x"]) == 5]
    assert np.nanmax(at_offset) - np.nanmin(at_offset) > 0.9


def test_all_alike_rope_is_the_table(app):
    at = show(app("positions_compared"), "positions_compared", "The same cosines")
    table, rope = (numbers(t["z"]) for t in charts(at)[0]["data"][:2])
    np.testing.assert_allclose(table, rope, atol=1e-5)
    assert "they are the same cosines" in words(at)
