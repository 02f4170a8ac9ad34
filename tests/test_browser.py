"""Every page in a real Chromium: it opens by its link, in light, dark and on a phone, and asks no other host."""

import os
import re

import pytest
from chromium import Visit

from ui import catalogue

SLUGS = [lab.slug for lab in catalogue.shown()]
PART = 100 if "STORM" in os.environ else 6  # page switches between two looks at what is left of them
OTHER = "attention_matrix"
PHONE = {"width": 390, "height": 844, "color_scheme": "dark", "has_touch": True, "is_mobile": True}
PAPER = "() => [...document.querySelectorAll('figure')].map((f) => f._fullLayout.paper_bgcolor)"
LIGHT, DARK = "#ffffff", "#12171d"


def test_first_visitor_of_a_cold_server_may_follow_a_link(cold, watched):
    first = watched(cold[1]).settle()
    page = first.page
    assert page.get_by_role("heading", name="Softmax", exact=True).is_visible()
    assert page.title() == "Softmax · Transformer Labs"
    assert page.get_by_text("Attention", exact=True).first.is_visible(), "the menu has sections"
    assert page.locator("[data-testid=stSidebarNav]").count() == 0, "not the flat menu of the folder"
    assert first.slider("Temperature T").input_value() == "2.5"
    assert page.locator("input[aria-label='Right class']").input_value() == "z3"
    assert first.link() == {"softmax.temperature": "2.5", "softmax.target": "z3"}


# Words of pictures, titles and legends, on which a tool stands that shows under the pointer.
COVERED = """() => [...document.querySelectorAll("figure")].flatMap((figure) => {
  const boxes = (css) => [...figure.querySelectorAll(css)].map((one) => [one.textContent, one.getBoundingClientRect()]);
  const tools = boxes(".modebar-btn");
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes(".gtitle, .legendtext, .annotation-text")
    .filter(([, word]) => word.width && tools.some(([, tool]) => meet(word, tool))).map(([text]) => text); })"""


@pytest.mark.parametrize("slug", SLUGS if "STORM" in os.environ else SLUGS[::9])
def test_opens_by_its_link_and_follows_a_key(visit, slug):
    tab = visit(slug, color_scheme="light")
    page = tab.page
    assert set(page.evaluate(PAPER)) == {LIGHT}
    for picture in page.locator("figure").all():
        assert len(picture.get_by_role("img").first.get_attribute("aria-label")) > 10
    assert no_wider_than_the_window(page)
    sliders = page.locator("[data-testid=stSlider]:visible input").all()
    if not sliders:
        return
    before = page.evaluate(PICTURE)
    for slider in sliders:
        at_end = slider.get_attribute("value") == slider.get_attribute("max")
        slider.press("ArrowLeft" if at_end else "ArrowRight")
        tab.settle()
        if page.evaluate(PICTURE) != before:
            break
    else:
        page.wait_for_function(f"(before) => ({PICTURE})() !== before", arg=before, timeout=5000)
    assert any(name.startswith(f"{slug}.") for name in tab.link())


@pytest.mark.parametrize("slug", SLUGS if "STORM" in os.environ else SLUGS[::13])
def test_opens_on_a_phone_in_the_dark(visit, slug):
    tab = visit(slug, **PHONE)
    assert set(tab.page.evaluate(PAPER)) == {DARK}
    assert no_wider_than_the_window(tab.page)
    assert tab.page.evaluate(COVERED) == []


PICTURE = """() => [...document.querySelectorAll("figure")].map((f) => JSON.stringify([
  [...f.querySelectorAll(".main-svg text")].map((t) => t.textContent),
  f.data.map(({ x, y, z }) => [x, y, z]),
  f.layout.shapes,
])).join()"""


def no_wider_than_the_window(page) -> bool:
    return page.evaluate("""() => {
      const main = document.querySelector("[data-testid=stMain]");
      return main.scrollWidth <= main.clientWidth && document.documentElement.scrollWidth <= innerWidth;
    }""")


def test_charts_follow_the_theme_at_once(visit):
    tab = visit("softmax", color_scheme="light")
    page = tab.page
    for choice, paper in [("Dark", DARK), ("Light", LIGHT), ("System", LIGHT)]:
        page.mouse.move(300, 600)  # off what the menu stood over, whose words would cover it
        page.get_by_test_id("stMainMenu").click()
        page.get_by_role("menuitemradio", name=choice).click()
        page.keyboard.press("Escape")
        page.wait_for_function(f"(paper) => ({PAPER})().every((one) => one === paper)", arg=paper)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"(paper) => ({PAPER})().every((one) => one === paper)", arg=DARK)
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"(paper) => ({PAPER})().every((one) => one === paper)", arg=LIGHT)


def test_place_is_kept_before_the_first_draw(visit):
    tab = visit("softmax", reduced_motion="reduce")  # a look, and so a tab, of its own
    tab.page.add_init_script("""new MutationObserver(() => {
      for (const f of document.querySelectorAll("figure"))
        if (f.querySelector(".main-svg") && !f.early) f.early = f.late || f.clientHeight; else f.late = f.clientHeight;
    }).observe(document, { childList: true, subtree: true })""")
    page = tab.open("softmax").page
    assert page.evaluate("[...document.querySelectorAll('figure')].every((f) => f.early === f.clientHeight)")


def test_tools_by_keyboard(visit):
    tab = visit("softmax")
    page, first = tab.page, tab.page.locator("figure").first
    table = first.get_by_role("button", name="The numbers as a table")
    table.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("cell").count() >= 16
    assert re.fullmatch(r"z0[\d.\s]+", dialog.get_by_role("row").nth(1).inner_text())
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert table.evaluate("(button) => button === document.activeElement")
    first.get_by_role("button", name="Full screen").press("Enter")
    page.wait_for_function("document.fullscreenElement?._fullLayout.height === innerHeight")
    page.evaluate("document.fullscreenElement.chart.redraw()")
    assert page.evaluate("document.fullscreenElement._fullLayout.height === innerHeight"), "an update keeps full screen"
    page.evaluate("document.exitFullscreen()")
    page.wait_for_function("document.querySelector('figure')._fullLayout.height === 280")
    with page.expect_download() as download:
        first.get_by_role("button", name="Download plot as a PNG").press("Enter")
    assert download.value.suggested_filename.endswith(".png")


def test_prints_within_the_paper(visit):
    page = visit("softmax").page
    page.evaluate("""addEventListener("beforeprint", () => {
      const drawings = [...document.querySelectorAll("figure .main-svg")];
      window.printed = drawings.map((svg) => svg.getAttribute("viewBox")); })""")
    assert len(page.pdf()) > 10_000
    printed = page.evaluate("window.printed")
    assert printed
    assert all(re.fullmatch(r"0 0 [\d.]+ [\d.]+", box) for box in printed)
    assert page.locator("figure .main-svg[viewBox]").count() == 0, "and the screen is as before"


def test_many_page_switches_leave_nothing_behind(visit):
    tab = visit("softmax")
    devtools = tab.page.context.new_cdp_session(tab.page)
    devtools.send("Performance.enable")
    tab.go(OTHER)
    counts = []
    for turn in range(2 * PART + 1):
        tab.go("softmax" if turn % 2 == 0 else OTHER)
        if turn % PART == 0:
            counts.append(settled(tab, devtools))
    first, middle, last = counts
    for _ in range(20):  # a busy machine clears the page that was left later
        if last["Nodes"] > middle["Nodes"] * 1.1 + 500:
            tab.page.wait_for_timeout(500)
            last = alive(devtools)
    assert middle["charts"] == last["charts"] == first["charts"] == tab.page.locator("figure").count()
    assert last["figures"] == first["figures"]
    assert last["JSEventListeners"] <= middle["JSEventListeners"] * 1.05 + 50
    assert last["Nodes"] <= middle["Nodes"] * 1.1 + 500


def settled(tab, devtools) -> dict[str, float]:
    """What is alive once the page that was left has gone: within 10 s, figures and charts are down to one page's."""
    for _ in range(40):
        counts = alive(devtools)
        if counts["charts"] == tab.page.locator("figure").count() == 5:
            break
        tab.page.wait_for_timeout(250)
    return counts


def alive(devtools) -> dict[str, float]:
    """What the tab still holds after collecting garbage: charts, their figures, nodes and listeners."""
    devtools.send("HeapProfiler.collectGarbage")
    metrics = {m["name"]: m["value"] for m in devtools.send("Performance.getMetrics")["metrics"]}
    for name, of in [
        ("charts", "document.querySelector('figure').chart"),
        ("figures", "document.querySelector('figure')._fullLayout._modeBar"),
    ]:
        prototype = devtools.send(
            "Runtime.evaluate", {"expression": f"Object.getPrototypeOf({of})", "objectGroup": "count"}
        )
        found = devtools.send(
            "Runtime.queryObjects", {"prototypeObjectId": prototype["result"]["objectId"], "objectGroup": "count"}
        )
        size = {"objectId": found["objects"]["objectId"], "functionDeclaration": "function () { return this.length; }"}
        metrics[name] = devtools.send("Runtime.callFunctionOn", size)["result"]["value"]
    devtools.send("Runtime.releaseObjectGroup", {"objectGroup": "count"})
    return metrics


def test_page_switched_while_the_pointer_holds_a_slider(visit):
    tab: Visit = visit("softmax")
    page = tab.page
    x, y, _ = tab.thumb("Temperature T")
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x + 5 * step, y)
    tab.link_says(softmax__temperature=tab.slider("Temperature T").input_value())  # it has asked for the last place
    tab.go(OTHER)
    page.mouse.move(x + 60, y)
    page.mouse.up()
    tab.settle()
    assert not any(name.startswith("softmax.") for name in tab.link())
    tab.go("softmax")
    tab.slider("Scale of the logits").press("ArrowRight")
    tab.link_says(softmax__scale="1.25")
