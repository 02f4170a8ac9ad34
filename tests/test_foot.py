"""What stands under every lab, and the sentence over it that says what its subject is for."""

import pytest

from ui import catalogue, glossary
from ui.catalogue.purposes import PURPOSES


@pytest.mark.parametrize(
    ("slug", "before", "after"),
    [
        ("architecture_ingredients", None, "The forward pass"),
        ("softmax", "The attention matrix", "Heads split and mixed"),
        ("bpe_against_wordpiece", "One distribution, one token", None),
    ],
)
def test_a_lab_ends_with_its_words_and_the_labs_around_it(app, slug, before, after):
    at = app(slug)
    labels = [link.proto.label for link in at.get("page_link")]
    assert [f"Before this: **{before}**" in labels, f"Next lab: **{after}**" in labels] == [bool(before), bool(after)]
    (words,) = (one.proto.body for one in at.get("html") if '<p class="lab-words">' in one.proto.body)
    for entry in glossary.of_lab(slug):
        assert f'tabindex="0">{entry.word}<span>' in words
    assert catalogue.BY_SLUG[slug].purpose in at.words()


def test_every_lab_says_in_one_line_what_it_is_for():
    assert set(PURPOSES) == {lab.slug for lab in catalogue.LABS}
    for purpose in PURPOSES.values():
        assert purpose.endswith(".")
        assert len(purpose) < 145, "the pictures move down by one line"
        assert "today" not in purpose.casefold()
