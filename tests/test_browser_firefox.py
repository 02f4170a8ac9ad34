"""The same in Firefox, where one is installed.

Without a Firefox these tests are skipped, in CI too: `.ci/run` installs Chromium only. FIREFOX names another one.
"""

import os

import pytest
from chromium import Visit
from firefox import PLACE, Page, opened
from test_browser_hands import SHOWN, at_rest, drag, where

from ui import catalogue

SOME = ["", "attention_matrix?view=stage", "forward_pass"]  # others are opened below
EVERY = ["", *(lab.slug for lab in catalogue.shown()), *(f"{lab.slug}?view=stage" for lab in catalogue.shown())]
MARKS = """[...document.querySelectorAll("figure")].filter((f) => f.checkVisibility()).map((f) =>
  f.querySelectorAll(".main-svg :is(path[d], image, text)").length)"""
SLIDER = """(label) => {
  const input = document.querySelector(`[data-testid=stSlider] input[aria-label="${label}"]`);
  const box = (css) => input.closest(css).getBoundingClientRect();
  const dot = box("[style*=touch-action]"), { width } = box("[data-testid=stSlider]");
  input.focus();
  return [dot.x + dot.width / 2, dot.y + dot.height / 2, width, input.value];
}"""
PLAYER = "[...document.querySelectorAll('.lab-player')].find((bar) => bar.checkVisibility())"


class Tab(Visit):
    """A tab of Firefox that remembers every complaint and every request to another host."""

    def __init__(self, page: Page, address: str):
        self.page, self.address, self.complaints = page, address, []
        page.heard = self._heard

    def _heard(self, event: dict) -> None:
        said = event["params"]
        left = "going away" in said.get("text", "")  # the framework's, of a page that another follows
        if event["method"] == "log.entryAdded" and said["level"] in ("error", "warn") and not left:
            self.complaints.append(f"{said['level']}: {said['text']}")
        url = said.get("request", {}).get("url", "data:")
        if not url.startswith((self.address + "/", "data:", "blob:")):
            self.complaints.append(f"another host: {url}")

    def healthy(self) -> None:
        assert self.page.evaluate("document.querySelectorAll('figure[data-error]').length") == 0
        assert not self.complaints, self.complaints

    def click(self, css: str) -> None:
        """Click in the middle of the first of these that can be seen."""
        middle = """(css) => {
          const one = [...document.querySelectorAll(css)].find((one) => one.checkVisibility());
          one.scrollIntoView({ block: "nearest" });
          const { left, top, width, height } = one.getBoundingClientRect();
          return [left + width / 2, top + height / 2];
        }"""
        self.page.mouse.click(*self.page.evaluate(middle, css))


@pytest.fixture(scope="module")
def firefox(cold, tmp_path_factory):
    """One tab for all of them."""
    if PLACE is None:
        pytest.skip("No Firefox found: install one, or set FIREFOX to its path")
    with opened(tmp_path_factory.mktemp("firefox")) as page:
        yield Tab(page, cold[0])


@pytest.fixture
def visit(firefox):
    """Follow a link in Firefox; complaints fail the test."""
    firefox.complaints.clear()
    yield firefox.open
    firefox.healthy()


@pytest.mark.parametrize("link", EVERY if "STORM" in os.environ else SOME)
def test_a_page_draws_its_charts(visit, link):
    drawn = visit(link).page.evaluate(MARKS)
    assert drawn
    assert min(drawn) > 5


def test_a_slider_moves_by_keys_and_by_a_drag_and_the_picture_follows(visit):
    tab = visit("softmax")
    tab.page.evaluate(SLIDER, "Temperature T")
    tab.page.keyboard.press("ArrowRight")
    tab.link_says(softmax__temperature="2.1")
    tab.says("T = 2.1")
    tab.settle()
    x, y, width, _ = tab.page.evaluate(SLIDER, "Temperature T")

    def pull():
        tab.page.mouse.move(x, y)
        tab.page.mouse.down()
        for step in range(1, 11):
            tab.page.mouse.move(x + step * width / 20, y + 2)
            tab.page.wait_for_timeout(60)
        tab.page.wait_for_function("new URLSearchParams(location.search).get('softmax.temperature') > 3")

    assert tab.count(pull), "nothing changed while it was dragged"
    tab.page.mouse.up()
    tab.settle()
    value = tab.page.evaluate(SLIDER, "Temperature T")[3]
    tab.link_says(softmax__temperature=value)
    tab.says(f"T = {value}")


def test_a_number_is_dragged_a_cell_clicked_and_each_is_taken_back(visit):
    tab = visit("attention_matrix")
    was = tab.page.evaluate(SHOWN, [0, 1, 1, 1])
    drag(tab, where(tab, 0, 1, 1, 1), (0, -12), (0, -30))
    at_rest(tab)
    assert tab.page.evaluate(SHOWN, [0, 1, 1, 1]) == pytest.approx(was + 0.3)
    tab.page.mouse.click(*where(tab, 0, 0, 0, 2))
    tab.link_says(attention_matrix__query="0")
    tab.settle()
    tab.page.wait_for_function("Boolean(document.querySelector('.lab-sum'))")
    tab.page.keyboard.press("+")
    at_rest(tab)
    for _ in range(2):
        before = tab.page.evaluate("location.search")
        tab.click(".st-key-undo button")
        tab.page.wait_for_function("(old) => location.search !== old", arg=before)
        tab.settle()
    tab.page.keyboard.press("Control+z")
    tab.page.wait_for_function("!location.search")
    tab.page.wait_for_function(f"(was) => ({SHOWN})([0, 1, 1, 1]) === was", arg=was)


def test_a_player_plays_and_a_point_is_dragged(visit):
    tab = visit("optimizers?optimizers.step=50")
    tab.click(".lab-player:not([hidden]) button")
    tab.page.wait_for_function(f"{PLAYER}.textContent === 'Playstep 60'")
    tab.settle()
    x, y = tab.page.evaluate("""(() => {
      const { left, top } = document.querySelector(".lab-handle.xy").getBoundingClientRect();
      return [left + 14, top + 14];
    })()""")
    drag(tab, (x, y), (20, -8), (60, -16))
    at_rest(tab)
    tab.page.wait_for_function("new URLSearchParams(location.search).get('optimizers.x_ravine') > -3")


def test_a_question_is_answered_on_the_stage_and_a_plan_is_walked(visit):
    tab = visit("softmax?softmax.ask=2&plan=7.45")
    press = tab.page.keyboard.press
    press("f")
    tab.page.wait_for_function("document.documentElement.classList.contains('stage')")
    tab.settle()
    tab.click(".st-key-ask_card input")
    tab.page.keyboard.type("0.125")
    press("Enter")
    tab.page.evaluate("document.activeElement.blur()")
    tab.settle()
    press("Space")
    tab.page.wait_for_function("document.querySelector('.st-key-ask_card').textContent.includes('Right.')")
    tab.link_says(softmax__shown="true", view="stage")
    tab.settle()
    press("ArrowLeft")
    tab.link_says(plan="6.45", view="stage")
    tab.page.wait_for_function("document.querySelector('.lab-corner').textContent.includes('6 of ')")
    tab.settle()
    press("ArrowLeft")
    tab.page.wait_for_function("location.pathname.endsWith('attention_matrix')")
    tab.arrive().link_says(plan="5.45", attention_matrix__ask="4")
    press("Escape")
    tab.page.wait_for_function("document.querySelector('h1').checkVisibility()")
