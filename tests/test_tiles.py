import plotly.graph_objects as go

from ui.charts.tiles import TilePanel, tiles, visible

PANEL = TilePanel("A", [["h", "##ug"], ["[UNK]"]], ["1 ×", "2 ×"], {"##ug": "token_0"}, "##", "##ug")


def test_tiles_stand_side_by_side_and_end_with_the_line():
    figure = tiles([PANEL], columns=3, lines=2)
    go.Figure(figure)
    bars = figure.data[0]
    assert list(zip(bars.y, bars.base, bars.x, bars.text, strict=True)) == [
        (0, 0, 1, "h"),
        (0, 1, 2, "##ug"),
        (1, 0, 3, "[UNK]"),
    ]


def test_only_the_chosen_token_has_an_outline_and_only_known_ones_a_colour():
    marker = tiles([PANEL], columns=3, lines=2).data[0].marker
    assert list(marker.line.width) == [2, 3, 2]
    assert marker.color[0] == marker.color[2] != marker.color[1]


def test_panels_stand_under_each_other_on_a_phone():
    layout = tiles([PANEL, PANEL], columns=3, lines=9).layout
    narrow = layout.meta["narrow"]
    assert narrow["height"] > 1.9 * layout.height - 20
    assert narrow["yaxis2"]["domain"][1] < narrow["yaxis"]["domain"][0]
    assert layout.xaxis2.domain[0] > layout.xaxis.domain[1]


def test_the_text_on_a_tile_is_only_text():
    panel = TilePanel("<i>", [["<b>"]], ["&"], {})
    figure = tiles([panel], columns=3, lines=1)
    assert (figure.data[0].text[0], figure.layout.annotations[0].text) == ("&lt;b&gt;", "<b>&lt;i&gt;</b>")


def test_what_cannot_be_seen_is_named():
    shown = [visible(t) for t in ("\u200d", "👨\u200d", "👨\u200d👩", "\u0301", "\ufe0f", "")]
    assert shown == ["U+200D", "👨U+200D", "👨\u200d👩", "◌\u0301", "◌\ufe0f", ""]
