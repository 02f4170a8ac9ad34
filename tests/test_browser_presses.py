"""Every button of a page pressed once in a real Chromium: chart tools, players; and Back from another lab."""

import os

import pytest
from test_browser import COVERED

from ui import catalogue

SLUGS = [lab.slug for lab in catalogue.shown()]
MARKS = """() => [...document.querySelectorAll("figure")].map((f) =>
  f.querySelectorAll(".cartesianlayer path, .cartesianlayer image, .shapelayer path, .treemaplayer path").length)"""

# The tables of the open dialog: the title of each, and its numbers of more than seven digits.
TABLES = """[...document.querySelectorAll("dialog table")].map((table) => [table.caption?.textContent,
  [...table.querySelectorAll("td")].map((cell) => cell.textContent)
    .filter((text) => (text.match(/\\d*\\.\\d+/) ?? [""])[0].replace(".", "").replace(/^0+/, "").length > 7)])"""


@pytest.mark.parametrize("slug", SLUGS if "STORM" in os.environ else SLUGS[::13])
def test_every_tool_of_every_chart_works_and_leaves_the_picture(visit, slug):
    tab = visit(slug)
    page = tab.page
    before = page.evaluate(MARKS)
    assert page.evaluate(COVERED) == []
    for n, figure in enumerate(page.locator("figure").all()):
        figure.scroll_into_view_if_needed()
        for button in figure.locator(".modebar-btn").all():
            name = button.get_attribute("data-title") or button.get_attribute("aria-label") or ""
            if "PNG" in name or ("Full" in name and n):
                continue  # a picture is saved in test_browser.py; the whole screen is asked of a page's first chart
            button.dispatch_event("click")
            if "table" in name:
                dialog = page.get_by_role("dialog")
                assert dialog.get_by_role("cell").count() or dialog.get_by_text("A drawing: it has no numbers").count()
                said = page.evaluate(TABLES)
                assert len({title for title, _ in said}) == len(said), "a title for each, none twice"
                assert all(title and not long for title, long in said), said
                page.keyboard.press("Escape")
                dialog.wait_for(state="detached")
            if "Full" in name and page.evaluate("!!document.fullscreenElement"):
                page.evaluate("document.exitFullscreen()")
                page.wait_for_function("!document.fullscreenElement")
    tab.settle()
    assert page.evaluate(MARKS) == before


def test_a_text_that_was_too_long_for_its_field_leaves_the_address(visit):
    tab = visit("softmax?softmax.scale=2&softmax.logits=" + "1%202%203%204%20" * 400)
    assert tab.page.get_by_text("was left out").is_visible()
    tab.page.wait_for_function("!location.search.includes('logits')")
    tab.link_says(softmax__scale="2")


def test_back_from_another_lab_brings_the_lab_as_it_was_left(visit):
    tab = visit("softmax?softmax.temperature=2.5")
    tab.go("dropout")
    tab.page.go_back()
    tab.page.get_by_role("heading", name="Softmax", exact=True, level=1).wait_for()
    tab.settle()
    tab.link_says(softmax__temperature="2.5")
    assert tab.slider("Temperature T").get_attribute("aria-valuetext") == "2.50"


def test_play_keeps_the_surface(visit):
    tab = visit("optimizers")
    contours = "document.querySelectorAll('figure .contourlayer path').length"
    before = tab.page.evaluate(contours)
    assert before > 10
    (player,) = [one for one in tab.page.locator(".lab-player").all() if one.is_visible()]
    player.locator("button").click()
    for _ in range(5):
        tab.page.wait_for_timeout(200)
        assert tab.page.evaluate(contours) == before
    tab.page.wait_for_function(
        "(b) => b.textContent === 'Play'", arg=player.locator("button").element_handle(), timeout=60_000
    )
    assert tab.page.evaluate(contours) == before
    assert player.locator("output").text_content() == "step 60"
