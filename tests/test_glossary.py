"""The field's words: one entry for each form, a lab that shows it, and every lab has its words."""

import pytest

from ui import catalogue, glossary
from ui.glossary import ENTRIES

SINGLE = (
    "d_k d_model W_O logit nat entropy query key value head residual gamma beta epsilon softmax token embedding GELU"
)
WANTED = ["causal mask", "KV cache", "perplexity", *SINGLE.split()]


@pytest.mark.parametrize("word", WANTED)
def test_the_fields_words_are_found_by_any_of_their_forms(word):
    (entry,) = glossary.found(word.upper())
    assert word in (entry.word, *entry.also)


def test_an_entry_is_a_sentence_and_leads_to_labs_that_exist():
    forms = [form for entry in ENTRIES for form in {form.casefold() for form in (entry.word, *entry.also)}]
    assert len(set(forms)) == len(forms), "a word with two meanings"
    for entry in ENTRIES:
        assert entry.meaning.endswith("."), entry.word
        assert len(entry.meaning) < 130, "a definition is read at a glance"
        assert entry.labs
        assert set(entry.labs) <= set(catalogue.BY_SLUG)


def test_every_lab_has_words_its_own_first():
    for lab in catalogue.LABS:
        words = glossary.of_lab(lab.slug)
        assert words, lab.slug
        own = [entry.labs[0] == lab.slug for entry in words]
        assert own == sorted(own, reverse=True)
