"""The field's words: what each means here, and the lab that shows it."""

from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    """A word with its definition. `labs`: where it is shown, then where else it is spoken of; `also`: other forms."""

    word: str
    meaning: str
    labs: tuple[str, ...]
    also: tuple[str, ...] = ()


def _read() -> tuple[Entry, ...]:
    """glossary.txt: on each line a word with its other forms, the labs, and what it means."""
    lines = Path(__file__).with_name("glossary.txt").read_text("utf-8").splitlines()
    cut = [[part.strip() for part in line.split("|")] for line in lines]
    forms = [words.split(", ") for words, _, _ in cut]
    return tuple(
        Entry(word, meaning, tuple(labs.split()), tuple(also))
        for (word, *also), (_, labs, meaning) in zip(forms, cut, strict=True)
    )


ENTRIES = _read()


def of_lab(slug: str) -> list[Entry]:
    """The words of a lab: those that it shows, then those it speaks of."""
    return sorted((entry for entry in ENTRIES if slug in entry.labs), key=lambda entry: entry.labs[0] != slug)


def found(wanted: str) -> list[Entry]:
    """The entries whose word, in one of its forms, is what is looked for.

    >>> [entry.word for entry in found("logits")]
    ['logit']
    """
    return [entry for entry in ENTRIES if wanted.casefold() in {form.casefold() for form in (entry.word, *entry.also)}]
