from ui.charts.axes import scale, titled


def test_ranges_are_in_the_datas_own_units_on_log_axes_too():
    assert scale("x", (0, 5))["range"] == [0, 5]
    log = scale("x", (1e-3, 1e2), True, {1: "one"})
    assert (log["range"], log["type"], log["ticktext"]) == ([-3, 2], "log", ["one"])


def test_a_title_is_text_and_a_legend_gets_lines_of_its_own_on_a_phone():
    wide = titled("<script>", 100, ["a", "b"])
    assert "<script>" not in wide["title"]["text"]
    assert wide["showlegend"]
    assert wide["meta"]["narrow"]["height"] > 100
    assert wide["meta"]["below"] == 560
    assert titled("a title " * 4, 100, ["a rather long name"] * 3)["meta"]["below"] > 700
    assert titled("", 100)["title"] == {}
