"""What the framework does by itself, in a real Chromium: where it does as well as ours, ours is needless and may go.

A bare app of stock widgets; `test_server.py` and `test_live.py` hold what needs no browser.
"""

import pytest
from chromium import Visit, serve

from ui.charts import live

APP = """
import plotly.graph_objects as go
import streamlit as st

def preset():
    for name in ("one", "two", "three"):
        st.session_state[name] = 5
    st.session_state["more"], st.session_state["new"] = True, 7

st.session_state["runs"] = st.session_state.get("runs", 0) + 1
st.text(f"run {st.session_state['runs']}")
for name in ("one", "two", "three"):
    st.slider(name, 0, 10, key=name, bind="query-params")
if st.session_state.get("more"):
    st.slider("new", 0, 10, key="new", bind="query-params")
st.button("Preset", on_click=preset)
st.plotly_chart(go.Figure(go.Bar(y=[1, 2])))
"""


@pytest.fixture
def stock(tmp_path, new_tab):
    (tmp_path / "app.py").write_text(APP)
    with serve(tmp_path, "app.py") as (address, _):
        tab = Visit(new_tab(viewport={"width": 1280, "height": 900}), address)
        tab.page.goto(address)
        tab.page.get_by_text("run 1", exact=True).wait_for()
        yield tab
        tab.page.goto("about:blank")


def test_ours_is_still_needed(stock):
    page = stock.page
    page.locator(".main-svg").first.wait_for()
    chunks = "performance.getEntriesByType('resource').map((one) => one.name.split('/').pop())"
    assert live.CHUNK in page.evaluate(chunks), "st.plotly_chart loads another chunk: ui/charts/live.py"
    assert page.evaluate("Boolean(window.Plotly)"), "the chunk no longer shows its plotly.js: ui/charts/live.js"

    x, y, width = stock.thumb("one")
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 5):
        page.mouse.move(x + 0.1 * step * width, y)
        page.wait_for_timeout(100)
    held = page.locator("[data-testid=stApp][data-test-script-state=notRunning] [data-dragging]")
    assert held.count(), "a thumb that is dragged has another mark, or the app another one: ui/charts/sliders.js"
    assert page.get_by_text("run 1", exact=True).count(), "stock sliders follow a drag: sliders.js is needless"
    page.mouse.up()
    stock.link_says(one="4")
    page.get_by_text("run 2", exact=True).wait_for()

    before = page.evaluate("history.length")
    page.get_by_role("button", name="Preset").click()
    stock.link_says(one="5", two="5", three="5")
    page.get_by_label("new", exact=True).wait_for()
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    more = page.evaluate("history.length") - before
    assert more > 1, "a preset is one entry of the history: keepHistory in ui/charts/history.js is needless"
    assert "new" not in stock.link(), "new controls come into the address: lab_address in ui/charts/live.py is needless"
