"""A small storm in a real Chromium: keys, clicks, presets, other labs, Back and Forward in an order drawn from a seed.

After each step the page stands once, and the console has said nothing. `make storm` draws another seed.
"""

import random

import pytest
from storming import SEED, SLUGS, STORM

VISITS = 12 if STORM else 1
STEPS = 25 if STORM else 12
KEYS = ["ArrowRight", "ArrowLeft", "ArrowUp", "PageUp", "PageDown", "Home", "End", "Tab", "Space", "Enter", "Escape"]
TYPED = ["", "nan", "1 2\n3", "0.5", "**b** <b>b</b> $x$", "=1+1", "שלום", "9" * 400]
MAIN = "[data-testid=stMain]"
PLACES = {  # what a step may take hold of
    "slider": f"{MAIN} [data-testid=stSlider] input:visible",
    "toggle": f"{MAIN} [data-testid=stCheckbox] label:visible",
    "button": f"{MAIN} [data-testid^=stBaseButton]:visible:enabled:not([data-testid*=owload])",
    "fold": f"{MAIN} [data-testid=stExpander] summary:visible",
    "field": f"{MAIN} :is([data-testid=stTextInput] input, textarea):visible",
    "menu": f"{MAIN} [data-testid=stSelectbox] input:visible",
    "chart": f"{MAIN} figure .nsewdrag:visible",
}


@pytest.mark.parametrize("number", range(VISITS))
def test_no_storm_breaks_a_tab(visit, number):
    draw = random.Random(f"browser {SEED} {number}")
    tab = visit(draw.choice(SLUGS))
    taken, ahead, behind = [f"open {tab.link()}"], 0, 0
    try:
        for _ in range(STEPS):
            kind = draw.choice([*PLACES, *PLACES, "go", "back", "forward"])
            if kind == "go":
                slug = draw.choice([slug for slug in SLUGS if f"/{slug}" not in tab.page.url])
                taken.append(f"go {slug}")
                tab.go(slug)
                ahead, behind = 0, behind + 1
            elif kind in ("back", "forward"):
                if not (behind if kind == "back" else ahead):
                    continue
                taken.append(kind)
                ahead, behind = (ahead + 1, behind - 1) if kind == "back" else (ahead - 1, behind + 1)
                tab.page.go_back() if kind == "back" else tab.page.go_forward()
                tab.arrive()
            else:
                found = tab.page.locator(PLACES[kind]).all()
                if found:
                    taken.append(f"{kind} {act(tab, kind, draw.randrange(len(found)), found, draw)}")
            tab.once()
            tab.healthy()
    except Exception as error:
        raise AssertionError(f"{error}\nSTORM_SEED={SEED}, visit {number}; the steps:\n" + "\n".join(taken)) from error


def act(tab, kind: str, which: int, found: list, draw: random.Random) -> str:
    """Do something with one of these places; says what."""
    place = found[which]
    if kind in ("toggle", "button", "fold"):
        place.dispatch_event("click")
        return f"{which}"
    if kind == "chart":
        box = place.bounding_box()
        x, y = draw.random() * box["width"], draw.random() * box["height"]
        place.hover(position={"x": x, "y": y}, force=True)
        place.click(position={"x": x, "y": y}, force=True)
        return f"{which} at {x:.0f}, {y:.0f}"
    place.focus()
    if kind == "field":
        text = draw.choice(TYPED)
        place.fill(text)
        place.press("Control+Enter" if place.evaluate("(field) => field.tagName === 'TEXTAREA'") else "Enter")
        return f"{which} {text!r}"
    pressed = draw.choices(KEYS, k=draw.choice([1, 2, 5]))
    for key in pressed:
        tab.page.keyboard.press(key)
    return f"{which} {' '.join(pressed)}"
