"""Windows between a phone and a desk, and pictures in other pages: no words on words, none cut, none too small."""

import os

import pytest
from playwright.sync_api import TimeoutError

from ui import catalogue

SLUGS = [lab.slug for lab in catalogue.shown()]
EVERY = "STORM" in os.environ
WORST = ["heads_split_and_mixed", "tokens_expanded", "rope_and_alibi", "attention_matrix", "positions_compared"]
SMALLEST = (320, 640)
SIZES = [(853, 480), (1024, 768), *([(640, 360), (700, 800), SMALLEST] if EVERY else [])]  # 1280 × 720 at 150 %, …
CLOSE = ["cross_entropy_against_mse", "parameters_flops_memory", "rows_normalised"]  # marks, bars, names
FAULTS = """(least) => [...document.querySelectorAll("figure")].filter((f) => f.checkVisibility()).flatMap((f) => {
  const box = f.getBoundingClientRect(), scale = box.width / f.offsetWidth, found = [];
  const size = (e) => parseFloat(getComputedStyle(e).fontSize) * scale;
  const shown = (e) => e.textContent.trim() && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const out = (r) => Math.max(box.left - r.left, r.right - box.right, box.top - r.top, r.bottom - box.bottom);
  const both = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  const texts = [...f.querySelectorAll(".main-svg text")].filter(shown)
    .map((e) => ({ e, words: e.textContent, r: e.getBoundingClientRect() }))
    .filter(({ r }) => r.width > 1);
  texts.forEach(({ e, words, r }, i) => {
    const px = Math.min(...[e, ...e.querySelectorAll("tspan")].map(size));
    if (px < least) found.push(`${words}: ${px} px`);
    if (out(r) > 2) found.push(`${words}: cut`);
    texts.slice(i + 1).filter((o) => both(r, o.r, "left", "right") > 2 && both(r, o.r, "top", "bottom") > 2)
      .forEach((o) => found.push(`${words} on ${o.words}`));
  });
  return found;
})"""
SHOW_ALL = """async () => {
  for (const figure of document.querySelectorAll("figure")) {
    figure.scrollIntoView();
    await new Promise((go) => setTimeout(go, 50));  // what is out of sight is drawn when it comes
  }
}"""


def faults(tab, size: tuple[int, int], least: float = 0) -> list[str]:
    """What is wrong in the pictures at this size of the window, once they are drawn for it."""
    tab.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    tab.page.evaluate(SHOW_ALL)
    tab.settle()
    try:
        tab.page.wait_for_function(f"(least) => ({FAULTS})(least).length === 0", arg=least, timeout=20_000)
    except TimeoutError:
        return [f"{tab.page.url} at {size}: {fault}" for fault in tab.page.evaluate(FAULTS, least)]
    return []


@pytest.mark.parametrize("slug", SLUGS if EVERY else WORST[:2])
def test_no_words_run_into_others_between_a_phone_and_a_desk(visit, slug):
    tab = visit(slug)
    found = [fault for size in SIZES for fault in faults(tab, size)]
    tab.page.set_viewport_size({"width": 1280, "height": 720})
    assert not found, "\n".join(found)


@pytest.mark.parametrize("slug", [] if EVERY else CLOSE)
def test_no_words_run_into_others_on_the_smallest_phone(visit, slug):
    found = faults(visit(slug, *SMALLEST), SMALLEST)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("slug", SLUGS if EVERY else WORST[:1])
def test_words_of_a_picture_in_another_page_can_be_read(visit, slug):
    found = faults(visit(f"{slug}?embed=true", 600, 400), (600, 400), 11)
    assert not found, "\n".join(found)
