import json


def test_where_the_engine_refuses_its_sentence_stands_and_the_page_lives():
    from streamlit.testing.v1 import AppTest

    def page():
        import streamlit as st

        from engine.softmax import softmax
        from ui.charts import live
        from ui.page import controls, lab
        from ui.run import Run

        live.start()
        with Run("softmax"):
            lab.begin("softmax.py")
            with lab.panel():
                t = controls.slider("t", "T", 0, 3, 1)
            st.text(str(lab.attempt(softmax, [1.0, 1.0], temperature=t)))
            st.text("after")

    at = AppTest.from_function(page, default_timeout=20).run()
    assert [t.value for t in at.text] == ["[0.5 0.5]", "after"]
    at.slider[0].set_value(0).run()
    assert not at.exception
    assert "temperature must be a number" in at.error[0].value
    assert not at.text
    at.button(key="softmax.start_over").click().run()
    assert at.text[1].value == "after"


def test_source_is_the_engines_own(app):
    at = app("softmax")
    at.session_state["softmax.source"] = True
    at.run()
    assert "def softmax(logits" in "".join(c.value for c in at.code)


def test_a_preset_returns_all_other_controls_to_their_defaults(app):
    at = app("softmax", {"softmax.shift": "100", "softmax.masked": "z1"})
    at.button(key="softmax.try.Hot").click().run()
    assert at.slider(key="softmax.temperature").value == 10
    assert at.slider(key="softmax.shift").value == 0
    chart = json.loads(json.loads(at.get("bidi_component")[1].proto.json)["spec"])
    assert chart["data"][1]["name"] == "today, T = 10"
