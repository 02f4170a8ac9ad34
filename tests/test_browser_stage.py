"""The stage in a real Chromium: words that the back row reads, nothing cut, keys that walk a plan."""

import os

import pytest

from ui import catalogue

SLUGS = [lab.slug for lab in catalogue.shown()]
SOME = ["attention_matrix", "perceptron"]  # four matrices; a player under the picture
SIZES = [(1280, 720), (1920, 1080), (640, 360)]  # the last is the first at 200 %
EVERY = "STORM" in os.environ
FAULTS = """() => {
  const least = innerHeight / 30 - 0.6, found = [];
  const bar = [...document.querySelectorAll(".lab-player")].find((e) => e.checkVisibility())?.getBoundingClientRect();
  for (const e of document.querySelectorAll("[data-testid=stMain] *")) {
    const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (e.closest("style, script, .modebar, .hoverlayer, .katex-mathml, [data-testid=stButtonGroup]")) continue;
    const range = document.createRange(), figure = e.closest("figure");
    range.selectNodeContents(e);
    const { left, top, right, bottom } = range.getBoundingClientRect();
    if (right - left < 2 || bottom - top < 2) continue;
    const scale = figure ? figure.getBoundingClientRect().width / figure.offsetWidth : 1;
    const px = parseFloat(getComputedStyle(e).fontSize) * scale, inside = left > -1 && top > -1;
    if (px < least) found.push(`${e.textContent}: ${px} px`);
    if (figure && bar && bottom > bar.top + 2) found.push(`${e.textContent}: under the player`);
    if (!inside || right > innerWidth + 1 || bottom > innerHeight + 1) found.push(`${e.textContent}: cut`);
  }
  const figures = [...document.querySelectorAll("figure")].filter((e) => e.checkVisibility());
  const high = figures.map((e) => e.getBoundingClientRect().height / innerHeight);
  if (figures.length !== 1 || high[0] < 0.45) found.push(`figures: ${high}`);
  return found;
}"""


def large(tab) -> None:
    """At every size, words are a thirtieth of the window high or more, nothing is cut, the picture has its room."""
    for width, height in SIZES:
        tab.page.set_viewport_size({"width": width, "height": height})
        test = f"(least) => ({FAULTS})().length === 0"
        try:
            tab.page.wait_for_function(test, arg=0)
        except Exception:
            raise AssertionError(f"{tab.page.url} at {width} × {height}: {tab.page.evaluate(FAULTS)}") from None
        tab.settle()
    tab.page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.parametrize("slug", SLUGS if EVERY else SOME)
def test_a_lab_on_the_stage_is_read_from_the_back_row(visit, slug):
    tab = visit(f"{slug}?view=stage")
    large(tab)
    if EVERY:
        large(visit(f"{slug}?view=stage&{slug}.ask=2"))
    tab.page.keyboard.press("Escape")
    tab.page.get_by_role("heading", level=1).wait_for()
    tab.page.wait_for_function("() => !location.search.includes('view')")


def test_keys_walk_a_plan_across_labs_and_reload_keeps_the_place(visit):
    tab = visit("attention_matrix?attention_matrix.query=5&plan=5.45")
    page = tab.page
    page.keyboard.press("f")
    page.wait_for_function("() => document.documentElement.classList.contains('stage')")
    tab.slider("Query: which row").focus()
    page.keyboard.press("ArrowLeft")  # the slider's own while it has the focus
    tab.link_says(attention_matrix__query="4", plan="5.45")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowDown")  # the next row
    tab.link_says(attention_matrix__query="5", plan="5.45")
    page.keyboard.press("ArrowRight")  # to another lab, on the stage still
    tab.arrive().link_says(view="stage", plan="6.45")
    assert page.url.split("?")[0].endswith("/softmax")
    page.keyboard.press("ArrowRight")  # a question
    tab.link_says(plan="7.45", softmax__ask="2")
    page.locator(".st-key-ask_show button").wait_for()
    page.keyboard.press("Space")
    page.locator(".st-key-ask_before button").wait_for()
    tab.link_says(softmax__shown="true", softmax__temperature="10", plan="7.45", view="stage")
    tab.settle()
    page.reload()
    tab.settle().link_says(softmax__shown="true", plan="7.45", view="stage")
    page.get_by_text("7 of 19 ·").wait_for()
    page.keyboard.press("ArrowLeft")
    tab.link_says(plan="6.45", view="stage")
    page.wait_for_function("() => !location.search.includes('softmax.')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/attention_matrix?*")
    tab.arrive().link_says(plan="5.45", attention_matrix__ask="4")
    page.go_back()
    page.wait_for_url("**/softmax?*")
    tab.arrive().link_says(plan="6.45", view="stage")


def test_a_plan_is_arranged_on_home_and_shared_as_a_link(visit):
    tab = visit("softmax?softmax.temperature=3")
    page = tab.page
    page.get_by_role("button", name="Add to plan").click()
    page.get_by_text("1 of 1 ·").wait_for()
    page.get_by_text("Take it away: link, CSV, JSON, NumPy").click()
    link = page.get_by_test_id("stCode").first.locator("code")
    link.wait_for()
    assert "plan" not in link.inner_text()
    page.get_by_role("button", name="Arrange").click()
    page.get_by_text("1 · Softmax: temperature 3").wait_for()
    page.get_by_label("Paste a lab's link").fill("https://labs.org/attention_matrix?attention_matrix.ask=2&view=stage")
    page.keyboard.press("Enter")
    page.get_by_text("2 · The attention matrix: question “Without √d_k”").wait_for()
    page.get_by_role("button", name="↑").nth(1).click()
    page.get_by_text("2 · Softmax: temperature 3").wait_for()
    page.get_by_label("Paste a lab's link").fill("https://labs.org/nowhere")
    page.keyboard.press("Enter")
    page.get_by_text("is not the link of a lab").wait_for()
    shared = page.get_by_test_id("stCode").locator("code").inner_text()
    page.goto(shared)
    page.get_by_text("1 · The attention matrix").wait_for()
