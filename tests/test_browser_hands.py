"""Pictures that are taken hold of: by mouse, touch and keys; what lights up; nothing lost, nothing sent for a look."""

import os
import random

import pytest

from tests.chromium import Visit
from tests.linked import covers, span

pytestmark = pytest.mark.browser
LAB = "attention_matrix"
LOOKED_AT = ["attention_matrix", "rows_normalised", "matrix_multiplication", "heads_split_and_mixed"]
WHERE = """([figure, panel, r, c]) => {
  const { hand } = document.querySelectorAll("figure")[figure].chart, box = hand.box.getBoundingClientRect();
  const { left, top, width, height } = hand.rect(hand.panels[panel], [r, r], [c, c]);
  return [box.left + left + width / 2, box.top + top + height / 2];
}"""
# On a phone the upper half belongs to the picture that stays on top.
BRING = """([figure, panel, r, c]) => {
  document.querySelectorAll("figure")[figure].chart.hand.cell({ panel, r, c }).scrollIntoView({ block: "center" });
  if (innerWidth < 500) document.querySelector("[data-testid=stMain]").scrollTop -= 200;
}"""
# What is lit, as (kind, name of the matrix, first row, last row, first column, last column).
LIT = """() => [...document.querySelectorAll("figure")].flatMap(({ chart: { hand } }) =>
  [...hand.layer.querySelectorAll(".lab-lit")].map((box) => {
    const middle = (px, size, axis) => [px + 4, px + size - 4].map((one) => Math.round(axis.p2d(one - axis._offset)));
    const [left, top, width, height] = [box.offsetLeft, box.offsetTop, box.offsetWidth, box.offsetHeight];
    const panel = hand.panels.find(({ x, y }) => left + 4 > x._offset && left < x._offset + x._length
      && top + 4 > y._offset && top < y._offset + y._length);
    return [box.className.split(" ")[1], panel.name, ...middle(top, height, panel.y), ...middle(left, width, panel.x)];
  }))"""
SHOWN = "([figure, panel, r, c]) => document.querySelectorAll('figure')[figure].chart.hand.panels[panel].z[r][c]"


def where(tab: Visit, *cell: int) -> tuple[float, float]:
    """The middle of a cell, brought into sight: (figure, matrix, row, column)."""
    _, y = tab.page.evaluate(WHERE, list(cell))
    phone, height = tab.page.viewport_size["width"] < 500, tab.page.viewport_size["height"]
    if phone or not 120 < y < height - 60:
        tab.page.evaluate(BRING, list(cell))
    return tuple(tab.page.evaluate(WHERE, list(cell)))


def drag(tab: Visit, start: tuple[float, float], *moves: tuple[float, float]) -> None:
    tab.page.mouse.move(*start)
    tab.page.mouse.down()
    for dx, dy in moves:
        tab.page.mouse.move(start[0] + dx, start[1] + dy)
    tab.page.mouse.up()


def at_rest(tab: Visit) -> None:
    """Until the picture says what the hand has set."""
    tab.page.wait_for_function("() => [...document.querySelectorAll('figure')].every((f) => !f.chart.hand.unseen.size)")
    tab.settle()


def test_a_number_is_dragged_typed_and_moved_by_keys_and_each_is_one_step_back(visit):
    tab = visit(LAB)
    x, y = where(tab, 0, 1, 1, 1)
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x, y - 30)
    tab.page.wait_for_function(f"({SHOWN})([0, 1, 1, 1]) === 2.3")  # while it is held
    tab.page.keyboard.down("Shift")  # ten times finer
    tab.page.mouse.move(x, y - 35)
    tab.page.keyboard.up("Shift")
    tab.page.mouse.up()
    at_rest(tab)
    assert tab.page.evaluate(SHOWN, [0, 1, 1, 1]) == 2.305
    assert "0.6 2.305 0.5 0.9" in tab.link()[f"{LAB}.k"]

    tab.page.mouse.click(*where(tab, 0, 0, 0, 2))  # a click takes the cell, Enter types into it
    tab.settle()
    tab.link_says(**{f"{LAB}__query": "0"})
    tab.settle()
    tab.page.keyboard.press("Enter")
    tab.page.keyboard.type("7000")
    tab.page.keyboard.press("Enter")
    tab.page.keyboard.press("Control+a")
    tab.page.keyboard.type("-1,25")
    tab.page.keyboard.press("Enter")
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("+")
    tab.page.keyboard.press("Alt+Shift+ArrowDown")
    at_rest(tab)
    assert [tab.page.evaluate(SHOWN, [0, 0, 0, c]) for c in (2, 3)] == [-1.25, 0.29]
    label = "document.activeElement.getAttribute('aria-label')"
    tab.page.wait_for_function(f"{label} === 'The, d3: 0.290'")
    steps = 0
    while tab.link():
        steps += 1
        before = tab.page.evaluate("location.search")
        tab.page.keyboard.press("Control+z")
        tab.page.wait_for_function("(old) => location.search !== old", arg=before)
        tab.settle()
    tab.page.wait_for_function(f"({SHOWN})([0, 1, 1, 1]) === 2")
    assert steps >= 4  # the drag, the click, what was typed, the keys


def test_no_number_is_lost_in_quick_drags(visit):
    tab, rng = visit(LAB), random.Random(7)
    wanted = {}
    for _ in range(30):
        cell = (0, rng.randrange(3), rng.randrange(6), rng.randrange(4))
        far = rng.choice([-1, 1]) * rng.randrange(8, 60)
        drag(tab, where(tab, *cell), (0, far / 2), (0, far))
        wanted[cell] = tab.page.evaluate(
            "([f, p, r, c]) => document.querySelectorAll('figure')[f].chart.hand.now({ panel: p, r, c })", list(cell)
        )
    at_rest(tab)
    assert {cell: tab.page.evaluate(SHOWN, list(cell)) for cell in wanted} == wanted
    texts = [tab.link()[f"{LAB}.{name}"].split("\n") for name in "qkv"]
    assert all(float(texts[panel][r].split()[c]) == value for (_, panel, r, c), value in wanted.items())


def test_a_finger_takes_a_number_and_scrolls_elsewhere(visit):
    tab = visit(LAB, width=390, height=844, has_touch=True)
    send = tab.page.context.new_cdp_session(tab.page).send

    def swipe(start, far):
        send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start[0], "y": start[1]}]})
        for step in range(1, 6):
            at = {"x": start[0], "y": start[1] + far * step / 5}
            send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    scrolled = """["[data-testid=stMain]", "[class*='-chart-mix']"]
      .map((one) => document.querySelector(one).scrollTop).reduce((a, b) => a + b)"""
    before = tab.page.evaluate(scrolled)
    swipe(where(tab, 0, 0, 3, 1), -80)
    tab.page.wait_for_function(f"(before) => Math.abs({scrolled} - before) > 20", arg=before)
    assert tab.page.evaluate(SHOWN, [0, 0, 3, 1]) == 0.3
    tab.page.wait_for_timeout(500)  # until the page stands
    tab.page.touchscreen.tap(*where(tab, 0, 0, 3, 1))
    tab.link_says(**{f"{LAB}__query": "3"})
    tab.settle()
    before = tab.page.evaluate(scrolled)
    swipe(where(tab, 0, 0, 3, 1), -40)
    at_rest(tab)
    assert tab.page.evaluate(SHOWN, [0, 0, 3, 1]) > 0.5
    assert tab.page.evaluate(scrolled) == before


@pytest.mark.parametrize("slug", LOOKED_AT[: None if "STORM" in os.environ else 2])
def test_a_look_lights_what_a_number_is_made_from_and_sends_nothing(visit, slug):
    tab = visit(slug)
    shapes = tab.page.evaluate("""() => [...document.querySelectorAll("figure")].map(({ chart: { hand } }) =>
      hand.panels.map(({ name, z, inner }) => [name, z.length, z[0].length, ...inner ?? [0, 0]]))""")
    links = tab.page.evaluate("[...document.querySelectorAll('figure')].flatMap((f) => f.layout.meta?.links ?? [])")
    tab.page.evaluate(
        "window.ran = 0; new MutationObserver(() => window.ran++).observe("
        "document, { subtree: true, attributeFilter: ['data-test-script-state'] })"
    )
    sizes = {name: (n, m) for panels in shapes for name, n, m, *_ in panels if name}
    seen = 0
    for figure, panels in enumerate(shapes):
        for panel, (name, n, m, inner_n, inner_m) in enumerate(panels):
            if inner_n:  # means beside it are of its own rows
                tab.page.mouse.move(*where(tab, figure, panel, 1, m - 1))
                tab.page.wait_for_function(f"() => ({LIT})().some(([kind]) => kind === 'from')")
                assert ["from", name, 1, 1, 0, inner_m - 1] in tab.page.evaluate(LIT)
            r, c = (inner_n or n) - 1, m // 2
            made = next((link for link in links if link["of"] == name and covers(link, r, c, n, m)), None)
            if not made:
                continue
            tab.page.mouse.move(*where(tab, figure, panel, r, c))
            lit = tab.page.wait_for_function(
                f"() => {{ const lit = ({LIT})(); return lit.length && lit; }}"
            ).json_value()
            assert ["self", name, r, r, c, c] in lit
            for of, rows, columns in made["from"]:
                down, across = (span(sign, r, c, size) for sign, size in zip((rows, columns), sizes[of], strict=True))
                assert ["from", of, down.start, down.stop - 1, across.start, across.stop - 1] in lit
            shown = [name for panels in shapes for name, *_ in panels]
            assert len([one for one in lit if one[0] == "from"]) == sum(shown.count(of) for of, _, _ in made["from"])
            seen += 1
    assert seen
    assert tab.page.evaluate("window.ran") == 0
    assert not tab.page.locator(".hoverlayer:visible").count()  # Plotly's box would stand on the neighbours


def test_a_click_keeps_the_sum_in_place_and_its_terms_travel(visit):
    tab = visit(LAB)
    tab.page.evaluate("""window.most = 0; new MutationObserver(() =>
      (window.most = Math.max(window.most, document.querySelectorAll(".lab-term").length))
    ).observe(document.body, { childList: true })""")
    tab.page.mouse.click(*where(tab, 1, 0, 2, 1))
    tab.page.wait_for_function("window.most === 8 && !document.querySelector('.lab-term')")
    tab.page.mouse.move(5, 5)
    tab.settle()
    said = tab.page.locator(".lab-sum").text_content()
    assert said == "sat, cat0.2 · 0.6 + 1.9 · 2 + (−0.4) · 0.5 + 1.1 · 0.9= 4.71"
    tab.page.emulate_media(reduced_motion="reduce")
    tab.page.mouse.click(*where(tab, 1, 0, 1, 1))
    tab.page.wait_for_function("document.querySelector('.lab-sum').textContent.startsWith('cat, cat')")
    assert not tab.page.locator(".lab-term").count()
    tab.page.keyboard.press("Escape")
    tab.page.mouse.move(5, 5)
    tab.page.wait_for_function("!document.querySelector('.lab-lit')")
    tab.page.emulate_media(reduced_motion=None)


def test_a_click_on_the_outlined_number_goes_where_it_was_made(visit):
    tab = visit("forward_pass?forward_pass.step=Predict&forward_pass.matrix=What%20the%20head%20reads")
    tab.page.mouse.click(*where(tab, 0, 0, 2, 1))
    tab.link_says(forward_pass__row="2", forward_pass__column="1")
    tab.settle()
    tab.page.mouse.click(*where(tab, 0, 0, 2, 1))
    tab.link_says(forward_pass__step="Norm 2", forward_pass__row="2", forward_pass__column="1")
    tab.page.mouse.move(5, 5)
    tab.page.wait_for_function("!document.querySelector('.lab-lit')")  # what a click kept lit was of another matrix


def test_a_number_too_small_for_six_decimals_is_no_zero(visit):
    tab = visit("forward_and_backward")
    figure = tab.page.evaluate(
        "[...document.querySelectorAll('figure')].findIndex((one) => one.chart.hand.panels.length === 9)"
    )
    tab.page.mouse.move(*where(tab, figure, 2, 1, 1))
    tab.page.wait_for_function("document.querySelector('.lab-sum')?.textContent.match(/h1_1[1-9.]+e−/)")


def test_what_stands_on_an_axis_is_dragged(visit):
    tab = visit("optimizers")
    box = tab.page.locator(".lab-handle.xy").first.bounding_box()
    drag(tab, (box["x"] + 14, box["y"] + 14), (20, -8), (60, -16))
    at_rest(tab)
    link = tab.link()
    assert float(link["optimizers.x_ravine"]) > -3
    assert tab.page.evaluate("document.querySelector('figure').chart.drawn")


def test_a_bar_is_dragged_by_its_end_and_keeps_to_its_place(visit):
    tab = visit("softmax")
    end = tab.page.locator(".lab-handle.only").nth(2)
    end.scroll_into_view_if_needed()
    box = end.bounding_box()
    start = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    drag(tab, start, (10, 10), (60, 30))
    at_rest(tab)
    z0, z1, z2, *_ = map(float, tab.link()["softmax.logits"].split())
    assert (z0, z1) == (2, 1)
    assert z2 < 0
    moved = end.bounding_box()
    assert abs(moved["x"] - box["x"]) < 1
    assert abs(moved["y"] - box["y"] - 30) < 4
