"""By the keyboard alone: the plan for 45 minutes from Home through its states and back, and answers in pictures."""

import importlib
import os

import pytest

from ui import catalogue
from ui.app import plans
from ui.page.ask import Endless, names

PLAN = plans.built_in("45").states
EVERY = "STORM" in os.environ
CLICKED = [  # questions that are answered by a click in a picture
    (f"{lab.slug}?{lab.slug}.ask={name}", f"{lab.slug}-chart-{question.click}")
    for lab in catalogue.shown()
    for questions in [importlib.import_module(f"ui.questions.{lab.slug}").QUESTIONS]
    for name, question in zip(names(questions), questions, strict=True)
    if not isinstance(question, Endless) and question.click
]
SOME = [one for one in CLICKED if one[0].startswith(("one_distribution", "dropout"))]  # bars, cells
# What has the focus: what it is, and whether it can be seen with a ring round it; "" where it is on nothing.
FOCUS = """() => {
  const e = document.activeElement;
  if (e.matches("body, [data-testid=stMain]")) return "";
  const { left, top, right, bottom } = e.getBoundingClientRect();
  const inside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  const seen = inside && e.checkVisibility({ visibilityProperty: true }), round = [e, e.parentElement, e.labels?.[0]];
  const ring = round.some((one) => one && getComputedStyle(one).outlineStyle !== "none");
  return `${e.outerHTML.slice(0, 200)}${seen ? "" : ": out of sight"}${ring ? "" : ": no ring"}`;
}"""
# One picture, and the card of the question where the title of the state names one.
STANDS = """(title) => {
  const seen = (css) => [...document.querySelectorAll(css)].filter((e) => e.checkVisibility());
  const [figure, ...more] = seen("figure"), [card] = seen(".st-key-ask_card strong");
  const asked = title.includes("“"), right = asked ? card && title.includes(`“${card.textContent}”`) : !card;
  return right && figure?.chart.drawn && !more.length && figure.querySelector(".main-svg").ariaLabel.length > 10;
}"""
FAULTS = "[data-testid=stAlert], [data-testid=stException], figure[data-error]"


def tab_to(tab, css: str, key: str = "Tab", most: int = 120) -> None:
    """Press Tab until the focus is there; each stop on the way can be seen."""
    for _ in range(most):
        tab.page.keyboard.press(key)
        here = tab.page.evaluate(FOCUS)
        assert not here.endswith((": out of sight", ": no ring")), f"{tab.page.url}: {here}"
        if tab.page.evaluate("(css) => document.activeElement.matches(css)", css):
            return
    raise AssertionError(f"{most} presses of {key} never came to {css}")


def stands(tab, place: int) -> None:
    """A state of the plan is there, whole: its lab, its link, one picture, its question, nothing wrong."""
    state = PLAN[place - 1]
    tab.page.wait_for_url(f"{tab.address}/{state.slug}?*")
    tab.link_says(plan=f"{place}.45", view="stage")
    tab.arrive()
    tab.page.wait_for_function(STANDS, arg=state.title)
    assert tab.page.title() == f"{catalogue.BY_SLUG[state.slug].title} · Transformer Labs"
    assert not tab.page.locator(FAULTS).filter(visible=True).count()


@pytest.fixture
def walked(visit):
    """A tab in which the plan was begun on Home by Tab and Enter."""
    tab = visit("")
    tab_to(tab, "[data-go*='plan=1.45']")
    tab.page.keyboard.press("Enter")
    stands(tab, 1)
    return tab


def test_a_plan_is_walked_there_and_back_by_keys_alone(walked):
    last = len(PLAN) if EVERY else 11
    walked.page.keyboard.press("ArrowRight")
    walked.page.keyboard.press("ArrowRight")  # a quick hand is ahead of the server
    stands(walked, 3)
    for place in range(4, last + 1):
        walked.page.keyboard.press("ArrowRight")
        stands(walked, place)
    for place in range(last - 1, 0 if EVERY else 5, -1):
        walked.page.keyboard.press("ArrowLeft")
        stands(walked, place)


def test_rows_cells_sliders_and_questions_on_the_stage_by_keys_alone(walked):
    tab, page = walked, walked.page
    press = page.keyboard.press
    press("ArrowDown")  # the first row follows the last
    tab.link_says(attention_matrix__query="0", plan="1.45")
    tab.settle()
    tab_to(tab, "input[aria-label='Query: which row']")
    press("ArrowRight")
    tab.link_says(attention_matrix__query="1", plan="1.45")
    tab.settle()
    tab_to(tab, "figure [role=gridcell]")
    for _ in range(3):
        press("ArrowDown")
    press("Enter")
    tab.link_says(attention_matrix__query="3", plan="1.45")
    tab.settle()
    press("Escape")  # the arrows walk the plan again
    press("ArrowRight")
    stands(tab, 2)
    press("Space")
    page.locator(".st-key-ask_before button").wait_for()
    tab.settle()
    press("b")
    page.locator(".st-key-ask_show button").wait_for()
    tab.settle()
    press("n")
    tab.link_says(attention_matrix__ask="2", plan="2.45", view="stage")
    tab.settle()
    press("f")
    page.get_by_role("heading", level=1).wait_for()
    press("f")
    page.wait_for_function("() => document.documentElement.classList.contains('stage')")
    press("Escape")
    page.get_by_role("heading", level=1).wait_for()


@pytest.mark.parametrize(("link", "picture"), CLICKED if EVERY else SOME, ids=lambda text: text.split("?")[0])
def test_an_answer_in_a_picture_is_given_by_keys(visit, link, picture):
    tab = visit(link)
    tab_to(tab, f".st-key-{picture} :is([role=gridcell], [role=option])")
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    tab.page.get_by_text("Chosen.").wait_for()
    tab.settle()
    assert len(tab.page.evaluate("document.activeElement.ariaLabel")) > 3  # the answer keeps the focus, and has a name
    tab.page.keyboard.press("Space")
    tab.page.locator(".st-key-ask_before button").wait_for()
    tab.settle()
