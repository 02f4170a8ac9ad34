"""Points of a picture that are data themselves: dragged, moved by keys and by a finger, and taken back."""

import pytest
from chromium import Visit

pytestmark = pytest.mark.browser
EXAMPLES = "perceptron.examples"
# Where the first picture has drawn a point, by its number.
SPOT = """(i) => { const { hand } = document.querySelector("figure").chart, { x, y } = hand.axes({});
  const box = hand.box.getBoundingClientRect(), at = hand.hold.handles[i];
  return [box.left + x._offset + x.d2p(at.x), box.top + y._offset + y.d2p(at.y)]; }"""


def drawn_at(tab: Visit, point: int, x: float, y: float) -> None:
    """Wait until the picture has a point there, and all of it is at rest."""
    near = (
        f"([i, x, y]) => {{ const [at, down] = ({SPOT})(i); return Math.abs(at - x) < 4 && Math.abs(down - y) < 4; }}"
    )
    tab.page.wait_for_function(near, arg=[point, x, y])
    tab.settle()


def test_a_point_is_dragged_and_moved_by_keys_and_each_is_one_step_back(visit):
    tab = visit("perceptron?perceptron.step=3")
    assert tab.page.get_by_role("slider", name=", class").count() == 4  # as a reader finds them
    x, y = tab.page.evaluate(SPOT, 3)
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x - 60, y + 40)
    tab.page.wait_for_function("location.search.includes('perceptron.examples')")  # while it is held
    tab.page.mouse.move(x - 80, y + 60)
    tab.page.mouse.up()
    drawn_at(tab, 3, x - 80, y + 60)
    dragged = tab.link()[EXAMPLES]
    assert dragged.split("\n")[:3] == ["0 0 0", "0 1 0", "1 0 0"]

    tab.page.keyboard.press("Home")  # the point that was dragged has the focus
    tab.page.keyboard.press("PageDown")
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown"):
        tab.page.keyboard.press(key)
    tab.page.wait_for_function("document.activeElement.ariaValueText === '(0.2, 0.99)'")
    tab.page.wait_for_function("location.search.includes('0.2%200.99%200') || location.search.includes('0.2+0.99+0')")
    tab.settle()
    assert tab.page.locator(".lab-handle[tabindex='0']").count() == 1
    while tab.link()[EXAMPLES] != dragged:  # one step, or more where the machine is slow between the keys
        before = tab.page.evaluate("location.search")
        tab.page.keyboard.press("Control+z")
        tab.page.wait_for_function("(old) => location.search !== old", arg=before)
        tab.settle()
    tab.page.wait_for_function("document.activeElement.ariaValueText === '(0, 1)'")
    tab.page.keyboard.press("Control+z")
    tab.page.wait_for_function("document.querySelector('.main-svg').ariaLabel.startsWith('4 examples of AND')")
    assert EXAMPLES not in tab.link()


def test_a_finger_drags_a_point_and_the_page_stays(visit):
    tab = visit("perceptron?perceptron.problem=two+clouds", width=390, height=844, has_touch=True)
    send = tab.page.context.new_cdp_session(tab.page).send
    x, y = tab.page.evaluate(SPOT, 0)
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = tab.page.evaluate(scrolled)
    send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for by in (8, 16, 24):
        send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by, "y": y + by}]})
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    drawn_at(tab, 0, x + 24, y + 24)
    assert EXAMPLES in tab.link()
    assert tab.page.evaluate(scrolled) == before
