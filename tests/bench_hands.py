"""A dragged number against a slider, in Chromium, on the attention page: `python tests/bench_hands.py [TREE]`.

Pictures a second of a drag of two seconds, the time from a key to the new picture, the longest task while a pointer
looks around. All in one run, in turn; with another tree of this project its slider is measured beside ours. Fails where
a number takes more than 1.1 times as long as a slider, or a look around has a task of over 50 ms.
"""

import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

from chromium import ROOT, Visit, launch_options, serve
from playwright.sync_api import sync_playwright

MOST, MOST_TASK = 1.1, 50
SLIDER, ROUNDS, KEYS = "Query: which row", 5, 24

WATCH = """() => {
  window.drawn = 0;
  window.task = 0;
  document.querySelector("figure").on("plotly_afterplot", () => {
    window.drawn++;
    const { began } = window;
    if (began) requestAnimationFrame(() => (window.took = performance.now() - began));
    window.began = 0;
  });
  addEventListener("keydown", ({ timeStamp }) => (window.began = timeStamp), true);
  const longest = ({ duration }) => (window.task = Math.max(window.task, duration));
  new PerformanceObserver((all) => all.getEntries().forEach(longest)).observe({ type: "longtask" });
}"""
CELL = """([r, c]) => {
  const { hand } = document.querySelector("figure").chart, box = hand.box.getBoundingClientRect();
  const { left, top, width, height } = hand.rect(hand.panels[1], [r, r], [c, c]);
  return [box.left + left + width / 2, box.top + top + height / 2];
}"""


def dragged(tab: Visit, start: tuple[float, float], way: tuple[float, float]) -> float:
    """Pictures a second while the mouse goes to and fro for two seconds."""
    mouse = tab.page.mouse
    mouse.move(*start)
    mouse.down()
    begun = tab.page.evaluate("(window.drawn = 0, performance.now())")
    for step in range(10_000):
        far = abs(step % 40 - 20) / 20
        mouse.move(start[0] + far * way[0], start[1] + far * way[1])
        if tab.page.evaluate("performance.now()") > begun + 2000:
            break
    drawn = tab.page.evaluate("[window.drawn, performance.now()]")
    mouse.up()
    tab.page.wait_for_timeout(500)
    tab.settle()
    return 1000 * drawn[0] / (drawn[1] - begun)


def after_key(tab: Visit, key: str) -> float:
    """Milliseconds from a key to the frame after the new picture."""
    tab.page.evaluate("window.took = null")
    tab.page.keyboard.press(key)
    took = tab.page.wait_for_function("window.took").json_value()
    tab.settle()
    tab.page.wait_for_timeout(200)  # a picture that comes late is not the next key's
    return took


def look_around(tab: Visit) -> float:
    """The longest task of two seconds in which the pointer goes over the cells."""
    tab.page.evaluate("window.task = 0")
    for step in range(80):
        tab.page.mouse.move(*tab.page.evaluate(CELL, [step % 6, step // 6 % 4]))
    tab.page.wait_for_timeout(200)
    return tab.page.evaluate("window.task")


def keys_of_slider(tab: Visit) -> list[float]:
    """The same to and fro from the slider's left end, where every key moves it."""
    tab.slider(SLIDER).press("Home")
    tab.link_says(attention_matrix__query="0")
    tab.page.wait_for_timeout(1000)  # the link is ahead of the picture
    return [after_key(tab, "ArrowRight" if step % 4 < 2 else "ArrowLeft") for step in range(KEYS)]


def main(other: str | None = None) -> int:
    with ExitStack() as stack:
        chromium = stack.enter_context(sync_playwright()).chromium.launch(**launch_options())
        trees = {"ours": ROOT} | ({"other": Path(other)} if other else {})
        tabs = {}
        for name, tree in trees.items():
            address, _ = stack.enter_context(serve(tree))
            tabs[name] = Visit(chromium.new_page(viewport={"width": 1280, "height": 720}), address).open(
                "attention_matrix"
            )
            tabs[name].page.evaluate(WATCH)
        ours = tabs["ours"]
        pictures, keys = {"number": [], "slider": []}, {"number": [], "slider": [], "other": []}
        for _ in range(ROUNDS):
            pictures["number"].append(dragged(ours, tuple(ours.page.evaluate(CELL, [1, 1])), (0, -90)))
            x, y, width = ours.thumb(SLIDER)
            pictures["slider"].append(dragged(ours, (x, y), (width / 3, 0)))
            ours.page.mouse.click(*ours.page.evaluate(CELL, [1, 1]))
            ours.settle()
            keys["number"] += [after_key(ours, "+" if step % 2 else "-") for step in range(KEYS)]
            keys["slider"] += keys_of_slider(ours)
            if other:
                keys["other"] += keys_of_slider(tabs["other"])
        task = look_around(ours)
    for name, each in pictures.items():
        print(f"{name:8}{median(each):6.1f} pictures a second ({min(each):.1f} to {max(each):.1f})")
    for name, each in keys.items():
        if each:
            ms = sorted(each)
            print(f"{name:8}key to picture: p50 {median(ms):4.0f} ms, p95 {ms[int(0.95 * len(ms))]:4.0f} ms")
    ratio = median(keys["number"]) / median(keys["slider"])
    print(f"number / slider: {ratio:.2f} (at most {MOST}); looking around: {task:.0f} ms (at most {MOST_TASK})")
    if other:
        print(f"slider / that of {other}: {median(keys['slider']) / median(keys['other']):.2f}")
    return int(ratio > MOST or task > MOST_TASK)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
