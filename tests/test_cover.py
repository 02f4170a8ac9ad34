"""A picture that keeps its answer: which of its panels are covered, and what of them is sent."""

from ui.charts import BarPanel, TilePanel, bar_rows, tiles
from ui.charts.cover import cover
from ui.charts.figure import parts, to_json

PANELS = [
    BarPanel("Left", (0, 1), [0.25, 0.5], text=["a quarter", "a half"], note="2 kept", rows=["fox", "hen"]),
    BarPanel("Right", (0, 1), [0.125, 0.75], text=["an eighth", "three quarters"], note="1 kept", rows=["ant", "bee"]),
]


def test_one_panel_of_bars_is_covered_and_the_other_stays():
    sent = to_json(cover(bar_rows(PANELS), ("Right",)))
    assert "a quarter" in sent
    assert "fox" in sent
    for told in ("three quarters", "ant", "bee"):
        assert told not in sent


def test_on_a_phone_no_note_tells_what_is_covered():
    sent = to_json(cover(bar_rows(PANELS), ("Right",)))
    assert "Right" in sent
    assert "kept" not in sent


def test_a_panel_that_is_not_there_covers_all():
    sent = to_json(cover(bar_rows(PANELS), ("Middle",)))
    assert "a quarter" not in sent
    assert "three quarters" not in sent


def test_the_rows_of_covered_tiles_are_not_counted():
    panels = [TilePanel("Merged", [["l", "ow"], ["low"]], ["start", "merge 3"], {})]
    covered = cover(tiles(panels, columns=3, lines=3))
    assert "merge 3" not in to_json(covered)
    assert parts(covered)["layout"]["yaxis"]["tickvals"] == []
