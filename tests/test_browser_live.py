"""Charts that change in place and sliders that act while they are dragged, in a real Chromium."""

import json
import os
import time

import numpy as np
import pytest
from plotly.io.json import to_json_plotly

from ui import catalogue, charts

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
LABEL = "Temperature T"
OTHER_VERSIONS = {
    "drags end for good": "addEventListener('pointerdown', (e) => e.isTrusted || e.stopImmediatePropagation(), true)",
    "no mark on the thumb": (
        "setInterval(() => document.querySelector('[data-dragging]')?.removeAttribute('data-dragging'), 1)"
    ),
    "no state of the script": (
        "setInterval(() => delete document.querySelector('[data-testid=stApp]')?.dataset.testScriptState, 1)"
    ),
}


def drag(tab, seconds: float, label: str = LABEL, reach: float = 0.45):
    """Take the thumb and move it to and fro for so long; the button stays down. Gives the number of moves."""
    x, y, width = tab.thumb(label)
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    end, step = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        step += 1
        tab.page.mouse.move(x + reach * width * (1 - np.cos(step / 15)) / 2 + 4, y + 3)
        tab.page.wait_for_timeout(12)  # as often as a mouse reports
    return step


def ends_as_it_says(tab, name: str = "softmax.temperature", label: str = LABEL):
    """The slider, the link and the chart's legend agree."""
    tab.settle()
    value = tab.slider(label).input_value()
    tab.link_says(**{name.replace(".", "__"): value})
    tab.page.wait_for_function(
        "(text) => document.querySelector('figure').textContent.includes(text)", arg=f"T = {value}"
    )
    assert tab.slider(label).input_value() == value


def test_a_drag_of_two_seconds_shows_ten_pictures(visit):
    tab = visit("softmax")

    def follows() -> bool:
        moves = []
        seen = tab.count(lambda: moves.append(drag(tab, 2)))
        tab.page.mouse.up()
        ends_as_it_says(tab)
        return len(seen) >= min(10, moves[0] // 6)  # a machine too busy to move the mouse shows fewer

    assert any(follows() for _ in range(3))


def test_charts_out_of_sight_wait_until_the_slider_is_let_go(visit):
    tab = visit("softmax")
    tab.page.evaluate("""() => { window.drawn = [0, 0, 0, 0, 0];
      document.querySelectorAll("figure").forEach((f, i) => f.on("plotly_afterplot", () => window.drawn[i]++)); }""")
    drag(tab, 0.8)
    tab.page.wait_for_function("window.drawn[0] > 0")
    seen = tab.page.evaluate("[...document.querySelectorAll('figure')].map((f) => f.chart.inSight)")
    assert seen[0]
    assert not seen[-1]
    drawn = tab.page.evaluate("window.drawn")
    assert not any(n for n, in_sight in zip(drawn, seen, strict=True) if not in_sight)
    tab.page.mouse.up()
    tab.page.wait_for_function("window.drawn.every((n, i) => n > 0 || i === 1)")  # the logits as typed have no T
    ends_as_it_says(tab)


def test_a_held_key_shows_pictures_and_ends_where_the_link_says(visit):
    tab = visit("softmax")

    def hold():
        tab.slider(LABEL).focus()
        for _ in range(60):
            tab.page.keyboard.down("ArrowRight")
            tab.page.wait_for_timeout(30)
        tab.page.keyboard.up("ArrowRight")

    assert len(tab.count(hold)) >= 3
    ends_as_it_says(tab)


def test_a_finger_drags_on_a_phone(visit):
    tab = visit("softmax", **PHONE)
    touch = tab.page.context.new_cdp_session(tab.page)
    x, y, width = tab.thumb(LABEL)

    def finger(kind: str, at: float | None = None):
        touch.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at, "y": y}] if at is not None else []}
        )

    def move():
        finger("touchStart", x)
        end, step = time.monotonic() + 2, 0
        while time.monotonic() < end:
            step += 1
            finger("touchMove", x + 0.4 * width * (1 - np.cos(step / 20)) / 2 + 8)
        finger("touchEnd")

    runs = """() => {
      window.links = new Set();
      const look = () => { links.add(location.href); requestAnimationFrame(look); };
      look();
    }"""
    tab.page.evaluate(runs)  # the charts are below, out of sight, and wait for the end
    move()
    assert tab.page.evaluate("links.size") >= 3
    ends_as_it_says(tab)


def test_select_sliders_follow_too(visit):
    found = None
    for lab in catalogue.shown():
        if "controls.stops(" in lab.file.read_text("utf-8"):
            tab = visit(lab.slug)
            named = tab.page.locator("[data-testid=stSlider] input[step='1'][min='0']:visible").all()
            found = next((s for s in named if s.get_attribute("aria-valuetext") != s.input_value()), None)
        if found:
            break
    else:
        pytest.fail("no page shows a select slider")
    label = found.get_attribute("aria-label")
    x, y, width = tab.thumb(label)
    before = tab.page.url
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    at_end = tab.slider(label).evaluate("(s) => s.value === s.max")
    tab.page.mouse.move(x + (-0.5 if at_end else 0.5) * width, y, steps=4)
    tab.page.wait_for_function("(before) => location.href !== before", arg=before)
    tab.page.mouse.up()
    tab.settle()


@pytest.mark.parametrize("change", list(OTHER_VERSIONS)[: None if "STORM" in os.environ else 1])
def test_sliders_of_another_framework_version_act_on_release(visit, change):
    tab = visit("softmax")
    tab.page.evaluate(OTHER_VERSIONS[change])
    for _ in range(2):  # the first drag may be lost, not the second
        drag(tab, 0.6)
        before = tab.page.url
        drag_on = tab.thumb(LABEL)
        tab.page.mouse.up()
    assert drag_on
    tab.page.wait_for_function("(before) => location.href !== before", arg=before)
    value = tab.slider(LABEL).input_value()
    tab.link_says(softmax__temperature=value)
    tab.page.wait_for_function(
        "(text) => document.querySelector('figure').textContent.includes(text)", arg=f"T = {value}"
    )


def test_the_link_keeps_up_when_the_browser_refuses(visit):
    tab = visit("softmax")
    tab.page.evaluate(
        """() => { for (let i = 1; i <= 400; i++) history.replaceState(history.state, "", `?softmax.scale=${i}`); }"""
    )
    tab.slider(LABEL).press("ArrowRight")
    tab.link_says(softmax__temperature="2.1")
    ends_as_it_says(tab)


def test_zoom_survives_ten_moves(visit):
    tab = visit("softmax")
    page, chart = tab.page, tab.page.locator("figure").nth(4)
    chart.scroll_into_view_if_needed()
    chart.hover()
    chart.get_by_role("button", name="Zoom").click()
    box = chart.locator(".nsewdrag").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 180, box["y"] + 120, steps=5)
    page.mouse.up()
    ranges = """() => { const { xaxis, yaxis, dragmode } = document.querySelectorAll("figure")[4]._fullLayout;
      return [xaxis.range, yaxis.range, dragmode]; }"""
    page.wait_for_function(f"({ranges})()[0][1] < 15")
    zoomed = page.evaluate(ranges)
    ten_moves(tab)
    assert page.evaluate(ranges) == zoomed
    chart.get_by_role("button", name="Reset axes").click()
    page.wait_for_function(f"({ranges})()[0][1] === 20")


def test_hover_survives_ten_moves_and_shows_the_newest_number(visit):
    tab = visit("softmax")
    bar = tab.page.locator("figure .barlayer .trace").nth(1).locator(".point path").last.bounding_box()
    tab.page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] - 5, steps=3)
    words = "document.querySelector('figure .hoverlayer').textContent"
    tab.page.wait_for_function(f"{words}.includes('T = 2z7: 0.34')")
    ten_moves(tab)
    tab.page.wait_for_function(f"{words}.includes('T = 3z7: 0.26')")


def ten_moves(tab):
    for move in range(1, 11):
        tab.slider(LABEL).evaluate("(input) => input.focus({ preventScroll: true })")
        tab.page.keyboard.press("ArrowRight")
        tab.link_says(softmax__temperature=f"{2 + move / 10:g}")
        tab.settle()


def test_clicks_on_two_charts_reach_their_controls(visit):
    tab = visit("softmax")
    page = tab.page

    def bar(n: int):
        page.locator("figure").first.scroll_into_view_if_needed()
        shape = (
            page.locator("figure").first.locator(".barlayer .trace").nth(1).locator(".point path").nth(n).bounding_box()
        )
        page.mouse.click(shape["x"] + shape["width"] / 2, shape["y"] + shape["height"] / 2)

    bar(1)
    tab.link_says(softmax__target="z1")
    tab.settle()
    page.get_by_role("button", name="Start over").click()
    page.wait_for_function("!location.search")
    tab.settle()
    bar(1)
    tab.link_says(softmax__target="z1")
    tab.settle()
    box = page.locator("figure").nth(2).locator(".nsewdrag").first.bounding_box()
    page.locator("figure").nth(2).scroll_into_view_if_needed()
    box = page.locator("figure").nth(2).locator(".nsewdrag").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 5.5 / 8)
    tab.link_says(softmax__target="z5")


def test_a_failed_draw_keeps_the_picture_and_says_so(visit):
    tab = visit("softmax")
    page, chart = tab.page, tab.page.locator("figure").first
    before = chart.locator(".main-svg").first.inner_html()
    page.evaluate("document.querySelector('figure').chart.take({ data: { spec: '{', alt: '', clickable: false } })")
    page.wait_for_selector("figure[data-error*='out of date']")
    assert chart.locator(".main-svg").first.inner_html() == before
    assert len(tab.complaints) == 1
    tab.complaints.clear()
    tab.slider(LABEL).press("ArrowRight")
    page.wait_for_selector("figure[data-error]", state="detached")
    ends_as_it_says(tab)


def test_nan_and_infinity_are_gaps(visit):
    y = [0, 1, np.nan, 2, 1, -np.inf, 0, np.inf, 1, 2]
    figure = charts.lines(range(10), [charts.Series("y", y)], x_range=(0, 9), y_range=(0, 3))
    figure.data[0].y = np.array(y)  # and as an array, which travels in another form
    tab = visit("softmax")
    data = {"spec": to_json_plotly(figure.to_dict()), "alt": "A line with three gaps.", "clickable": False}
    assert json.loads(data["spec"])["data"][0]["y"]
    tab.page.evaluate("(data) => document.querySelector('figure').chart.take({ data })", data)
    tab.page.wait_for_selector("figure .scatterlayer .js-line")
    pieces = tab.page.locator("figure").first.locator(".scatterlayer .js-line").all()
    drawn = [piece.get_attribute("d") for piece in pieces]
    assert [d.count("L") for d in drawn if "L" in d] == [1, 1, 1]
    assert "NaN" not in "".join(drawn)
    assert tab.page.get_by_role("img", name="A line with three gaps.").count() == 1


def test_a_chunk_that_hides_its_plotly_leaves_the_charts_to_streamlit(new_tab, cold):
    def hidden(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{answer.text()}\ndelete window.Plotly;")

    page = new_tab(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(20_000)
    page.route("**/PlotlyChart.*.js", hidden)
    page.goto(f"{cold[0]}/softmax")
    page.locator("[data-testid=stPlotlyChart] .main-svg").first.wait_for()
    page.wait_for_function("!document.querySelector('figure')")
    page.context.close()
