"""What stands for a lab on a phone and in another page is there to be shown; paper is told how the controls stand."""

import pytest

from ui import catalogue
from ui.page.shown import LABS

SLUGS = [lab.slug for lab in catalogue.shown()]


def test_every_lab_has_a_main_picture_and_a_dial():
    assert list(LABS) == [lab.slug for lab in catalogue.LABS]


@pytest.mark.parametrize("slug", SLUGS)
def test_they_are_what_the_lab_draws(app, slug):
    shown, at = LABS[slug], app(slug)
    assert len([name for name in at.charts if name in shown.main]) == 1
    assert f"{slug}.{shown.lever}" in at.controls
    if shown.panel:
        (picture,) = (at.charts[name] for name in at.charts if name in shown.main)
        assert any(shown.panel in note["text"] for note in picture.layout["annotations"])


def test_paper_says_how_every_control_stands_and_no_long_text(app):
    said = lambda at: next(text for text in at.texts("markdown") if text.startswith("Temperature"))
    at = app("softmax", {"softmax.temperature": "2.5"})
    assert said(at).startswith("Temperature T = 2.5 · Scale of the logits = 1 · ")
    at = app("attention_matrix")
    words = at.texts("markdown")
    assert not any("Q changed" in text for text in words)
    at.set(q="\n".join(["1 2 3 4"] * 6))
    assert any("changed" in text and "Query: which row = 2" in text for text in at.texts("markdown"))
