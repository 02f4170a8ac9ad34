"""Phones, keyboards, readers, paper and pages in pages, in a real Chromium."""

import os
import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from test_browser import PHONE

from ui import catalogue

SLUGS = [lab.slug for lab in catalogue.shown()]
EVERY = "STORM" in os.environ  # every page in every look, else some in each
LOOKS = {"light": {}, "dark": {"color_scheme": "dark"}, "phone": PHONE | {"color_scheme": "light"}}
FRAMEWORKS = ["[data-testid=stSidebarNavItems]"]  # a phone's menu: a list of things that are no entries of a list
AXE = """async (exclude) => {
  const rules = { resultTypes: ["violations"] };
  const { violations } = await axe.run({ exclude: exclude.map((css) => [css]) }, rules);
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ""}`));
}"""
PINNED = """() => [...document.querySelectorAll("[class*='-chart-']")]
  .filter((e) => getComputedStyle(e).position === "sticky")
  .map((e) => [e.getBoundingClientRect().top, e.clientHeight / innerHeight])"""
BUTTONS = "[data-testid=stMain] :is(button, summary, [role=radio])"
SMALL = """(css) => [...document.querySelectorAll(css)].filter((e) => {
  const { width, height } = e.getBoundingClientRect();
  return e.checkVisibility() && width > 1 && (width < 24 || height < 24);
}).map((e) => e.ariaLabel ?? e.textContent)"""
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


@pytest.mark.parametrize(
    ("slug", "look"),
    [(slug, look) for i, slug in enumerate(SLUGS) for k, look in enumerate(LOOKS) if EVERY or i % 24 == 8 * k],
)
def test_axe_finds_nothing_serious(visit, slug, look):
    page = visit(slug, **LOOKS[look]).page
    page.evaluate(f"() => {{ {AXE_SCRIPT} }}")
    page.wait_for_timeout(1200 if look == "phone" else 0)  # formulas that scroll are told so once the page is still
    assert page.evaluate(AXE, FRAMEWORKS) == []


@pytest.mark.parametrize("slug", SLUGS if EVERY else ["softmax", "attention_matrix"])
def test_on_a_phone_the_picture_stays_over_its_controls(visit, slug):
    page = visit(slug, **PHONE).page
    (before,) = page.evaluate(PINNED)
    assert before[1] <= 0.47
    page.evaluate(f"{SCROLLED} = 500")
    page.wait_for_function(f"({PINNED})()[0][0] === 60")
    assert page.evaluate(SMALL, BUTTONS) == []
    if slug == "attention_matrix":  # taller than its place: the weights are what is in sight
        assert page.evaluate("document.querySelector('.st-key-attention_matrix-chart-four').scrollTop") > 300


def test_a_finger_on_a_track_scrolls_the_page_or_moves_the_slider(visit):
    tab = visit("softmax", **PHONE)
    page, hand = tab.page, tab.page.context.new_cdp_session(tab.page)
    track = page.get_by_test_id("stSlider").first.locator("[style*='touch-action']").first
    slider = tab.slider("Temperature T")

    def swipe(dx: float, dy: float) -> None:
        box = track.bounding_box()
        x, y = box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2
        for kind, share in [("touchStart", 0), *(("touchMove", k / 8) for k in range(1, 9))]:
            at = [{"x": x + share * dx, "y": y + share * dy}]
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
            page.wait_for_timeout(20)
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(3, -200)
    page.wait_for_function(f"{SCROLLED} > 100")
    assert slider.input_value() == "2"
    page.wait_for_timeout(500)  # it rolls on
    rest = page.evaluate(SCROLLED)
    swipe(50, 2)
    page.wait_for_function("location.search.includes('temperature')")
    assert float(slider.input_value()) > 7
    assert page.evaluate(SCROLLED) == rest


def test_what_a_change_comes_to_is_told_once(visit):
    tab = visit("softmax?softmax.ask=2")
    page = tab.page
    told = page.locator(".lab-told")
    page.wait_for_timeout(1300)
    assert told.text_content() == "", "what was there is read as it stands"
    page.keyboard.press("Space")
    page.wait_for_function("document.querySelector('.lab-told').textContent")
    assert told.get_attribute("role") == "status"
    assert "the largest is 0.161" in told.text_content()
    assert page.locator("html").get_attribute("translate") == "no"


def test_the_table_has_titles_and_no_noise(visit):
    tab = visit("attention_matrix")
    page = tab.page
    name = "The numbers as a table"
    figure = page.locator(".st-key-attention_matrix-chart-four figure")
    tool = figure.get_by_role("button", name=name)
    assert tool.get_attribute("aria-label").startswith(f"{name}: ")
    tool.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=name)
    captions = dialog.locator("caption").all_text_contents()
    assert len(captions) == 4
    assert captions[3].startswith("Weights")
    cells = dialog.get_by_role("cell").all_text_contents()
    assert "−∞" in cells
    assert cells.count("") == 4, "only the corners"
    assert max(len(cell) for cell in cells) <= 12
    assert dialog.locator("th[scope=col]").count() == 24
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert tool.evaluate("(button) => button === document.activeElement")
    page.evaluate(f"{SCROLLED} = 500")
    panel = page.locator(".st-key-panel").bounding_box()
    assert 0 < panel["y"] < 100, "the controls stay beside the pictures"
    figure.hover()
    tools = figure.locator(".modebar").bounding_box()
    titles = [title.bounding_box() for title in figure.locator(".annotation-text").all()]
    assert all(title["y"] >= tools["y"] + tools["height"] - 1 for title in titles)


def test_paper_shows_the_settings_and_no_controls(visit):
    page = visit("softmax?softmax.temperature=2.5").page
    page.emulate_media(media="print")
    try:
        assert "Temperature T = 2.5 · Scale of the logits = 1" in page.locator(".st-key-paper").inner_text()
        for gone in (".st-key-panel", ".modebar-container", "[data-testid=stExpander]", "[data-testid=stHeader]"):
            assert not page.locator(gone).first.is_visible(), gone
        column, figure = (page.locator(css).first.bounding_box() for css in ("[data-testid=stMain]", "figure"))
        assert figure["width"] > 0.9 * column["width"]
    finally:
        page.emulate_media(media="screen")
    assert not page.locator(".st-key-paper").is_visible()


@pytest.mark.parametrize("slug", SLUGS if EVERY else ["softmax"])
def test_in_another_page_one_picture_stands_over_its_control(visit, slug):
    tab = visit(f"{slug}?embed=true", 600, 400)
    page = tab.page
    shown = [figure for figure in page.locator("figure").all() if figure.is_visible()]
    assert len(shown) == 1
    link = page.get_by_role("link", name="the whole lab")
    assert link.bounding_box()["y"] + link.bounding_box()["height"] <= 400
    assert not page.get_by_test_id("stHeader").is_visible()
    if slug == "softmax":
        tab.slider("Temperature T").press("ArrowRight")
        page.wait_for_function("document.querySelector('.st-key-whole a').href.endsWith('?softmax.temperature=2.1')")
        assert re.search("embed=true", page.url)
        box = shown[0].bounding_box()
        assert 200 < box["height"] < 310
        assert box["y"] + box["height"] < page.get_by_test_id("stSlider").first.bounding_box()["y"]
