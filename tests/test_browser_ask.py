"""Predict, see, understand in a real Chromium: question, control and picture share one screen; nothing jumps."""

import importlib
import os
from urllib.parse import parse_qs, urlsplit

import pytest

from ui import catalogue
from ui.page.ask import Endless, names

SLUGS = [lab.slug for lab in catalogue.shown()]
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
SIZES = [(1280, 720), (1920, 1080)]
EVERY = "STORM" in os.environ  # every question, lab and slider, else one each of some labs
INSIDE = """(css) => [...document.querySelectorAll(css)].filter((e) => e.checkVisibility()).map((e) => {
  const { top, bottom, left, right } = e.getBoundingClientRect();
  const fits = top >= 0 && left >= 0 && right <= innerWidth + 1 && bottom <= innerHeight;
  return fits ? "" : `${css}: ${Math.round(top)} to ${Math.round(bottom)} of ${innerHeight}`;
}).filter(Boolean)"""
MARK = """() => (window.marked = [...document.querySelectorAll("h1, h2, .katex-display > .katex, figure")]
  .filter((e) => e.offsetParent && e.getBoundingClientRect().top < innerHeight)
  .map((e) => [e, e.getBoundingClientRect().left, e.getBoundingClientRect().top])) && 0"""
MOVED = """() => window.marked.filter(([e]) => e.isConnected && e.offsetParent).map(([e, left, top]) => {
  const now = e.getBoundingClientRect(), name = e.tagName + " " + e.textContent.slice(0, 30);
  return Math.abs(now.left - left) > 1 || Math.abs(now.top - top) > 1
    ? `${name}: ${Math.round(left)}, ${Math.round(top)} to ${Math.round(now.left)}, ${Math.round(now.top)}` : "";
}).filter(Boolean)"""

SEEN_SETTLED = """() => document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning"
  && [...document.querySelectorAll("figure")].every(({ chart }) => chart.drawn && !(chart.busy && chart.inSight))"""


def css(key: str) -> str:
    return ".st-key-" + "".join(c if c.isalnum() or c in "_-" else "-" for c in key)


def questions(slug: str) -> list:
    return importlib.import_module(f"ui.questions.{slug}").QUESTIONS


def same(address: str, link: str) -> bool:
    """Whether two addresses hold the same state."""
    state = lambda url: parse_qs(urlsplit(url).query, keep_blank_values=True)
    return state(address) == state(link)


def agree(tab, link) -> None:
    """Wait until the address says what the link to take away says."""
    for _ in range(50):
        if same(tab.page.url, link.inner_text()):
            return
        tab.page.wait_for_timeout(100)
    raise AssertionError(f"the address says {tab.page.url}, the link to take away {link.inner_text()}")


def on_one_screen(page, slug: str, question) -> None:
    """The card, the control that changes and the picture that answers are wholly inside the window, at both sizes."""
    parts = [".st-key-ask_card", *(css(f"{slug}.{name}") for name in question.after)]
    parts += [css(f"{slug}.chart.{name}") + " figure" for name in question.look[:1]]
    waiting = lambda part: page.locator(f"[class*=out_of_sight] {part}").count()  # Show brings it along
    seen = lambda part: page.locator(part).first.is_visible() or waiting(part)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(150)
        outside = [found for part in parts for found in page.evaluate(INSIDE, part)]
        outside += [f"{part} is not to be seen" for part in parts if not seen(part)]
        assert not outside, f"{question.title} at {width} × {height}: {outside}"
    page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.parametrize("slug", SLUGS if EVERY else SLUGS[::13])
def test_question_control_and_picture_share_one_screen(visit, slug):
    asked = [
        (name, question)
        for name, question in zip(names(questions(slug)), questions(slug), strict=True)
        if not isinstance(question, Endless)
    ]
    tab = visit(f"{slug}?{slug}.ask=1")
    page = tab.page
    for name, question in asked if EVERY else asked[:1]:
        tab.link_says(**{f"{slug}__ask": name})
        page.get_by_text(question.title, exact=True).first.wait_for()
        tab.settle()
        on_one_screen(page, slug, question)
        page.keyboard.press("Space")
        page.locator(".st-key-ask_before button").wait_for()
        tab.settle()
        on_one_screen(page, slug, question)
        last = name == (asked if EVERY else asked[:1])[-1][0]
        if last:
            page.get_by_text("Take it away: link, CSV, JSON, NumPy").click()
            link = page.get_by_test_id("stCode").first.locator("code")
            link.wait_for()
            agree(tab, link)
        page.keyboard.press("n")
    page.locator(".st-key-ask_show button").wait_for()


@pytest.mark.parametrize("slug", SLUGS if EVERY else SLUGS[::13])
def test_nothing_jumps_while_a_slider_is_dragged(visit, slug):
    tab = visit(slug)
    page = tab.page
    sliders = page.locator(".st-key-panel [data-testid=stSlider]:visible input")
    for i in range(sliders.count() if EVERY else 1):
        label = sliders.nth(i).get_attribute("aria-label")  # some are called after what another one chose
        x, y, width = tab.thumb(label)
        left = (
            page.get_by_test_id("stSlider").filter(has=page.locator(f'input[aria-label="{label}"]')).bounding_box()["x"]
        )
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 4, y)
        page.evaluate(MARK)
        moved = set()
        for share in (0.1, 0.5, 0.9, 0.3):
            page.mouse.move(left + share * width, y, steps=3)
            page.wait_for_timeout(120)
            page.wait_for_function(SEEN_SETTLED)
            moved |= set(page.evaluate(MOVED))
        page.mouse.up()
        assert not moved, f"{label}: {moved}"


def test_keys_ask_show_and_go_back(visit):
    tab = visit("softmax?softmax.ask=2")
    page = tab.page
    page.keyboard.press("Space")
    page.locator(".st-key-ask_before button").wait_for()
    tab.link_says(softmax__ask="2", softmax__shown="true", softmax__temperature="10")
    page.keyboard.press("b")
    page.locator(".st-key-ask_show button").wait_for()
    page.keyboard.press("n")
    tab.link_says(softmax__ask="3")


def test_one_gesture_is_one_entry_and_undo_takes_it_back(visit):
    tab = visit("softmax")
    page = tab.page
    page.get_by_role("radio", name="2", exact=True).click()
    tab.link_says(softmax__ask="2")
    page.locator(".st-key-ask_show button").click()
    tab.link_says(softmax__shown="true", softmax__temperature="10")
    page.locator(".st-key-ask_before button").wait_for()
    tab.settle()
    page.keyboard.press("Control+z")
    page.wait_for_function("() => !location.search.includes('shown')")
    page.locator(".st-key-ask_show button").wait_for()
    tab.settle()
    page.keyboard.press("Control+z")
    page.wait_for_function("() => !location.search")
    page.keyboard.press("Control+z")  # never out of the lab
    page.wait_for_timeout(300)
    assert page.url.endswith("/softmax")


def test_the_undo_button_takes_a_step_back_on_a_phone_too_and_never_leaves_the_lab(visit):
    tab = visit("layer_normalisation", **PHONE)
    page, undo = tab.page, tab.page.get_by_role("button", name="Undo")
    field = page.get_by_label("The row", exact=True)
    was = field.input_value()
    page.locator(".st-key-panel label:has(input[type=checkbox])").first.tap()
    page.wait_for_function("() => location.search")
    tab.settle()
    one = page.url
    field.fill("1 2 3 4 5 7")
    undo.tap()  # which ends the edit first
    page.wait_for_function("([field, was]) => field.value === was", arg=[field.element_handle(), was])
    tab.settle()
    assert page.url == one
    undo.tap()
    page.wait_for_function("() => !location.search")
    undo.tap()
    page.wait_for_timeout(300)
    assert page.url.endswith("/layer_normalisation")


def test_keep_shows_what_was_beside_what_is(visit):
    tab = visit("softmax")
    page = tab.page
    page.keyboard.press("p")
    page.get_by_role("button", name="Let go of before").wait_for()
    tab.slider("Temperature T").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("before)").first.wait_for()
    page.keyboard.press("p")
    page.get_by_role("button", name="Keep to compare").wait_for()
    page.get_by_text("before)").first.wait_for(state="detached")
