"""What a lecture may meet, in a real Chromium: a server that restarts, a net that is gone, tabs, reloads, Back.

Afterwards every tab stands as it did: the same controls at the same values, nothing twice, no box that says an error.
"""

import os
import signal
from urllib.parse import urlsplit

import pytest
from chromium import SCENE, Visit, serve
from storming import STORM
from wire import wire

from ui.charts import live

LABEL = "Temperature T"
MOVED = "softmax?softmax.temperature=2.5&softmax.target=z3"
ALL_ALT = "[...document.querySelectorAll('figure')].map((one) => one.ariaLabel).join()"


@pytest.fixture
def opened():
    """The tabs of a test, closed when all is said of it."""
    tabs = []
    yield tabs
    for tab in tabs:
        tab.page.context.close()


@pytest.fixture
def tab(opened, new_tab, watched):
    """A tab of its own at this address."""

    def new(address: str) -> Visit:
        opened.append(Visit(new_tab(viewport={"width": 1280, "height": 720}), address))
        return watched(opened[-1])

    return new


def back_and_forward(tab: Visit, before: dict) -> None:
    """To another lab, Back and Forward: each time the lab of its address stands there once, in the state it had."""
    tab.go("dropout")
    other = tab.once()
    assert (other["address"], other["alerts"]) == ("/dropout", [])
    tab.page.go_back()
    tab.shows({name: before[name] for name in ("address", "headings", "charts")})
    tab.page.go_forward()
    tab.shows(other)


def leave(tab: Visit) -> None:
    """Leave the server before it goes, which a tab would complain about."""
    tab.healthy()
    tab.page.goto("about:blank")
    tab.complaints.clear()


def slider_moved(tab: Visit) -> None:
    tab.open(MOVED)
    tab.slider(LABEL).press("ArrowRight")
    tab.says("T = 2.6")


def table_and_open_box(tab: Visit) -> None:
    tab.open("bpe_against_wordpiece")
    tab.page.get_by_text("Take it away").click()
    tab.page.get_by_role("button", name="Numbers as CSV").wait_for()
    charts, field = tab.scene()["charts"], tab.page.get_by_label("Words and counts", exact=True)
    field.fill("low 5\nlower 2\nnew 7")
    field.press("Control+Enter")
    tab.page.wait_for_function(f"(charts) => String(({SCENE})().charts) !== charts", arg=",".join(charts))


def answer_typed(tab: Visit) -> None:
    tab.page.goto(f"{tab.address}/transformer_deep_dive?transformer_deep_dive.part=Practice")
    field = tab.page.locator("[data-testid=stTextInput] input").last
    field.fill("0.5")
    field.press("Enter")
    tab.page.get_by_test_id("stAlert").wait_for()


def model_edited(tab: Visit) -> None:
    tab.open("architecture_ingredients")
    tab.slider("W_E[0, 0]").press("ArrowRight")
    value = f"{float(tab.slider('W_E[0, 0]').input_value()):.3f}"
    tab.page.wait_for_function("location.search.includes('architecture_ingredients.model=')")
    tab.page.wait_for_function(f"({SCENE})().charts.some((alt) => alt?.includes('cell 0, 0 holds {value}'))")


def test_a_server_that_is_killed_and_started_again_has_lost_nothing(tab):
    states = [slider_moved, table_and_open_box, answer_typed, model_edited]
    with serve() as (address, process):
        tabs = [tab(address) for _ in states]
        for one, state in zip(tabs, states, strict=True):
            state(one)
        before = [one.once() for one in tabs]
        os.kill(process, signal.SIGKILL)
        for one in tabs:
            one.page.wait_for_function(
                "document.querySelector('[data-testid=stApp]').dataset.testConnectionState !== 'CONNECTED'"
            )
        with serve(port=urlsplit(address).port):
            for one, scene in zip(tabs, before, strict=True):
                one.shows(scene, timeout=60_000)
                one.complaints.clear()  # of the time without a server
            tabs[0].slider(LABEL).press("ArrowRight")
            tabs[0].link_says(softmax__temperature="2.7")
            tabs[0].says("T = 2.7")
            moved = tabs[0].once()
            back_and_forward(tabs[0], moved)
            back_and_forward(tabs[1], before[1])  # which nobody has touched: the server hears of it first by the menu
            for one in tabs:
                leave(one)


@pytest.mark.parametrize(("seconds", "lost"), [(5, False), *([(2, True), (70, False)] if STORM else [])])
def test_a_drag_goes_on_when_the_net_comes_back(tab, cold, seconds, lost):
    with wire(cold[0]) as line:
        one = tab(line.address).open(MOVED)
        before = one.once()
        x, y, width = one.thumb(LABEL)
        one.page.mouse.move(x, y)
        one.page.mouse.down()
        one.page.mouse.move(x + 0.1 * width, y, steps=3)
        line.speaks.clear()
        for step in range(10):
            one.page.mouse.move(x + (0.1 + 0.02 * step) * width, y, steps=3)
            one.page.wait_for_timeout(100 * seconds)
        line.lose() if lost else line.speaks.set()
        one.page.mouse.move(x + 0.4 * width, y, steps=3)
        one.page.mouse.up()
        value = one.slider(LABEL).input_value()
        assert float(value) > 2.5
        one.says(f"T = {value}", timeout=60_000)
        one.link_says(softmax__temperature=value)
        if lost or seconds > 5:
            one.complaints.clear()
        after = one.once()
        assert [*map(len, after.values())][1:] == [*map(len, before.values())][1:]
        one.page.reload()
        one.shows(after)
        back_and_forward(one, after)
        leave(one)


def test_two_tabs_of_one_link_are_two_visits(tab, cold):
    left, right = tab(cold[0]).open(MOVED), tab(cold[0]).open(MOVED)
    left.slider(LABEL).press("ArrowRight")
    right.slider(LABEL).press("ArrowLeft")
    for one, value in ((left, "2.6"), (right, "2.4")):
        one.link_says(softmax__temperature=value)
        one.says(f"T = {value}")
        scene = one.once()
        one.page.reload()
        one.shows(scene)
    left.slider("Scale of the logits").press("ArrowRight")
    left.link_says(softmax__scale="1.25")
    assert "softmax.scale" not in right.link()
    back_and_forward(right, right.once())


def test_a_reload_or_another_page_in_the_middle_of_a_run(tab, cold):
    one = tab(cold[0]).open(MOVED)
    before = one.once()
    for turn in range(2):
        one.slider(LABEL).press("ArrowRight")
        one.page.reload() if turn % 2 else one.go("dropout")
        if not turn % 2:
            one.page.go_back()
        one.settle()
        one.shows({"headings": before["headings"]})
    after = one.once()
    assert one.slider(LABEL).input_value() == one.link().get("softmax.temperature", "1")
    one.page.reload()
    one.shows(after)


def test_without_what_draws_the_charts_the_left_column_goes_on(opened, new_tab, cold):
    one = Visit(new_tab(viewport={"width": 1280, "height": 720}), cold[0])
    opened.append(one)
    page = one.page
    page.route(f"**/{live.CHUNK}", lambda route: route.abort())
    told = """(words) => { const figures = [...document.querySelectorAll("figure")];
      return figures.length && document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning"
        && figures.every((f) => f.role === "img" && f.ariaLabel && f.dataset.error?.endsWith(f.ariaLabel)
          && f.dataset.error.startsWith("What draws the charts did not load."))
        && words.every((word) => document.querySelector("[data-testid=stMain]").textContent.includes(word)); }"""
    page.goto(f"{cold[0]}/softmax?softmax.target=z3")
    page.wait_for_function(told, arg=[])
    heights = page.evaluate("[...document.querySelectorAll('figure')].map((f) => f.offsetHeight)")
    assert all(15 < height < 150 for height in heights)
    before = page.evaluate(ALL_ALT)
    one.slider(LABEL).press("ArrowRight")
    one.link_says(softmax__temperature="2.1")
    page.wait_for_function(told, arg=[])
    page.wait_for_function(f"(before) => ({ALL_ALT}) !== before", arg=before)
    page.get_by_text("Edit the logits").click()
    field = page.get_by_label("Logits", exact=True)
    field.fill("2 1 0.5 0 -0.5 -1 -2 4.5")
    field.press("Control+Enter")
    one.link_says(softmax__logits="2 1 0.5 0 -0.5 -1 -2 4.5")
    page.wait_for_function(told, arg=["4.5"])

    page.goto(f"{cold[0]}/perceptron?perceptron.ask=1")
    page.wait_for_function(told, arg=["XOR wants 1"])
    page.get_by_test_id("stRadio").get_by_text("no", exact=True).click()
    page.get_by_role("button", name="Show").click()
    page.wait_for_function(told, arg=["Right."])
    assert set(one.complaints) == {"error: Failed to load resource: net::ERR_FAILED"}
