import numpy as np
import pytest
from streamlit.testing.v1 import AppTest


def page():
    import streamlit as st

    from ui import run
    from ui.page import controls, matrices

    with run.Run("t"):
        values = {
            "whole": controls.slider("whole", "Whole", 0, 10, 3),
            "real": controls.slider("real", "Real", 0.0, 1.0, 0.5),
            "power": controls.stops("power", "Power", [1e-3, 1e-2, 1e-1], 1e-2, show=lambda v: f"{v:g}"),
            "few": controls.choice("few", "Few", ["a", "b"]),
            "many": controls.choice("many", "Many", [f"option {i}" for i in range(9)], "option 4"),
            "some": controls.several("some", "Some", ["x", "y", "z"], ["y"]),
            "on": controls.toggle("on", "On"),
            "seed": controls.seed(),
            "m": matrices.matrix("m", "M", [[1, 2], [3, 4]], rows=["up", "down"], columns=["l", "r"]).tolist(),
            "words": controls.words("words", "Words", ["a", "b"]),
        }
        st.json(values)
        st.text(run.link())
        for name in ("whole", "power", "many", "some", "real"):
            st.button(name, on_click=run.setter(name), args=(2 if name != "real" else 0.337,))
        st.button("matrix", on_click=controls.assign, args=({"t.m": __import__("numpy").eye(2)},))


@pytest.fixture
def open_page():
    def run(params=None):
        at = AppTest.from_function(page, default_timeout=20)
        for name, value in (params or {}).items():
            at.query_params[name] = value
        return at.run()

    return run


def values(at) -> dict:
    import json

    assert not at.exception
    return json.loads(at.json[0].value)


def link(at) -> str:
    return at.text[-1].value


def test_defaults_need_no_link(open_page):
    at = open_page()
    assert values(at) == {
        "whole": 3,
        "real": 0.5,
        "power": 0.01,
        "few": "a",
        "many": "option 4",
        "some": ["y"],
        "on": False,
        "seed": 0,
        "m": [[1, 2], [3, 4]],
        "words": ["a", "b"],
    }
    assert "?" not in link(at)


def test_a_link_sets_every_control_and_comes_out_again(open_page):
    params = {
        "t.whole": "7",
        "t.real": "0.123",
        "t.power": "0.1",
        "t.few": "b",
        "t.many": "option 8",
        "t.some": "z",
        "t.on": "true",
        "t.seed": "42",
        "t.m": "0 1\n2 3",
        "t.words": "q",
    }
    at = open_page(params)
    assert values(at) == {
        "whole": 7,
        "real": 0.123,
        "power": 0.1,
        "few": "b",
        "many": "option 8",
        "some": ["z"],
        "on": True,
        "seed": 42,
        "m": [[0, 1], [2, 3]],
        "words": ["q"],
    }
    from urllib.parse import parse_qsl, urlsplit

    assert dict(parse_qsl(urlsplit(link(at)).query)) == params


@pytest.mark.parametrize("junk", ["nan", "inf", "-1e999", "1e308", "<b>", "", "99999", "\x00", "0x10"])
def test_junk_falls_back_with_a_notice(open_page, junk):
    keys = ["t.whole", "t.real", "t.power", "t.few", "t.many", "t.on", "t.seed", "t.m"]
    at = open_page(dict.fromkeys(keys, junk))
    clean = values(open_page())
    assert values(at) == clean
    assert len(at.session_state["run.notices"]) >= len(keys) - 1


def test_bad_text_keeps_the_last_good_value(open_page):
    at = open_page()
    at.text_area(key="t.m").set_value("5 6\n7 8").run()
    at.text_area(key="t.m").set_value("5 6\n7 x").run()
    assert values(at)["m"] == [[5, 6], [7, 8]]
    assert at.error[0].value.startswith("Row down, column r: “x” is not a number.")
    at.text_area(key="t.m").set_value("9 9\n9 9").run()
    assert values(at)["m"] == [[9, 9], [9, 9]]
    assert not at.error


def test_too_long_a_text_is_refused_before_it_is_read(open_page):
    at = open_page({"t.m": "1 " * 5000})
    assert values(at)["m"] == [[1, 2], [3, 4]]
    assert any("At most 3,000 characters" in sentence for sentence in at.session_state["run.notices"])


def test_a_click_sets_a_control_within_its_limits(open_page):
    at = open_page()
    expected = {"whole": 2, "power": 0.1, "many": "option 2", "some": ["y", "z"], "real": 0.34}
    for name, value in expected.items():
        next(b for b in at.button if b.label == name).click().run()
        assert values(at)[name] == pytest.approx(value) if name == "real" else values(at)[name] == value


def test_assigning_a_matrix_writes_every_digit(open_page):
    at = open_page()
    next(b for b in at.button if b.label == "matrix").click().run()
    assert values(at)["m"] == np.eye(2).tolist()
    assert at.text_area(key="t.m").value == "1 0\n0 1"


def shrinking():
    import streamlit as st

    from ui import run
    from ui.page import controls

    with run.Run("t"):
        high = controls.slider("high", "High", 1, 9, 9)
        on = controls.toggle("on", "On", True)
        inner = controls.slider("inner", "Inner", 1, high, 1) if on else 0
        known = ["a", "b"] if high > 5 else ["c"]
        read = lambda text: known.index(text) if text in known else int("no")
        st.json({"inner": inner, "text": known[controls.text("text", "Text", known[0], read)]})


def test_a_value_that_no_longer_fits_comes_inside_after_the_slider_was_away():
    at = AppTest.from_function(shrinking, default_timeout=20).run()
    at.slider(key="t.inner").set_value(8).run()
    at.toggle(key="t.on").set_value(False).run()
    at.slider(key="t.high").set_value(4).run()
    at.toggle(key="t.on").set_value(True).run()
    assert values(at)["inner"] == 4


def test_a_slider_without_a_choice_is_its_only_value():
    at = AppTest.from_function(shrinking, default_timeout=20).run()
    at.slider(key="t.high").set_value(1).run()
    assert values(at)["inner"] == 1
    assert len(at.slider) == 1


def test_a_text_that_was_good_before_something_else_changed_gives_way_to_the_default():
    at = AppTest.from_function(shrinking, default_timeout=20).run()
    at.text_input(key="t.text").set_value("b").run()
    assert values(at)["text"] == "b"
    at.slider(key="t.high").set_value(4).run()
    assert values(at)["text"] == "c"
    assert "The default stands in for it." in at.error[0].value


def picking():
    import streamlit as st

    from ui import run
    from ui.page import controls

    with run.Run("t"):
        n = controls.slider("n", "N", 1, 9, 9)
        st.text(str(controls.index("which", "Which", n, 6)))
        st.text(run.link())
        defaults = {key: control.default for key, control in run.current().controls.items()}
        st.button("over", on_click=controls.assign, args=(defaults,))


def test_an_index_ends_where_its_rows_end_and_starts_over_where_it_began():
    at = AppTest.from_function(picking, default_timeout=20).run()
    assert (at.text[0].value, "?" in link(at)) == ("6", False)
    for n, which in ((4, "3"), (1, "0")):
        at.slider(key="t.n").set_value(n).run()
        assert not at.exception
        assert at.text[0].value == which
        assert "which" not in link(at)
    at.slider(key="t.n").set_value(9).run()
    assert (at.text[0].value, "?" in link(at)) == ("6", False)  # as untouched as it was
    at.select_slider(key="t.which").set_value("5").run()
    at.slider(key="t.n").set_value(2).run()
    at.button[0].click().run()
    assert (at.text[0].value, "?" in link(at)) == ("6", False)
    at.select_slider(key="t.which").set_value("8").run()
    at.slider(key="t.n").set_value(3).run()
    assert at.text[0].value == "2"


def unreadable():
    import streamlit as st

    from ui import run
    from ui.page import controls

    with run.Run("t"):
        controls.text("text", "Text", "a", lambda text: int("no"))
        st.text("never")


def test_a_default_that_cannot_be_read_ends_the_page_in_a_sentence():
    at = AppTest.from_function(unreadable, default_timeout=20).run()
    assert not at.exception
    assert len(at.error) == 1
    assert not at.text
