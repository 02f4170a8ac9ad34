"""What strangers write stays text: no link, picture, HTML, formula or colour on a page, no formula in a spreadsheet."""

import json
import re
from pathlib import Path

import pytest
from driven import read
from google.protobuf.descriptor import FieldDescriptor

from ui import catalogue, words
from ui.page import model

WORDS = [
    "www.evil.example",
    "http://a.b",
    "a@b.co",
    "<i>x</i>",
    "![i](//h/x)",
    ":red[x]",
    "$x$",
    "&copy;",
    '"cat"',
    "don't",
    r"a\b",
    "=1+1",
    "ab\u202ecd",
]
ADDRESS = r"(?i)(?:https?://|www(?=\.))[-.\w]|[-.\w+]+@[-\w]+(?:\.[-\w]+)+"  # as mdast-util-gfm-autolink-literal has it
MARKUP = r"(?<!\\)(?:<i>|!\[i\]|:red\[|\$x\$|&copy;)|\u202e"  # as it stands in Markdown that would obey it
SHOWN = {"body", "label", "help", "options", "content"}  # the fields of a message that the browser reads as Markdown
SLUGS = [lab.slug for lab in catalogue.shown()]
IN_PRACTICE = {"transformer_deep_dive.part": "Practice"}


def markdown(message) -> list[str]:
    """Every text in a message of Streamlit's that is read as Markdown; code and formulas are not."""
    found = []
    for field, value in message.ListFields():
        inner = value if field.is_repeated else [value]
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            if field.name not in ("code", "bidi_component"):
                found += [text for one in inner for text in (markdown(one) if hasattr(one, "ListFields") else [])]
        elif field.name in SHOWN and field.type == FieldDescriptor.TYPE_STRING:
            found += inner
    return found


def elements(block):
    """The elements of a page, however deep."""
    for child in block.children.values():
        yield from elements(child) if hasattr(child, "children") else [child]


def obeyed(at) -> list[str]:
    """What of this page the browser would make a link of, a picture, HTML, a formula, a colour, or turn round."""
    assert not at.exception
    texts = [text for one in elements(at._tree) for text in markdown(one.proto)]
    texts += [tab.label for tab in at.get("expander")]
    assert texts
    links = [text for text in texts if re.search(ADDRESS, re.sub(r"\\([^\w\s])", r"\1", text))]
    return links + [text for text in texts if re.search(MARKUP, text)]


def drawn_wrong(at) -> list[str]:
    """Charts in which a word is markup, or stands with entities that plotly.js does not know."""
    wrong = ("<i>x</i>", "&copy;x", "&quot;", "&#x27;", "\u202e")
    return [
        name
        for name, chart in at.charts.items()
        for sign in wrong
        if sign in json.dumps(chart.spec, ensure_ascii=False)
    ]


def own_models() -> list[str]:
    """Codes of the toy model with these words for its own."""
    toml = (Path(__file__).parent.parent / "weights.toml").read_text("utf-8")
    named = [json.dumps(WORDS[i : i + 5], ensure_ascii=False) for i in (0, 5, 8)]
    return [
        model.pack(re.sub("(?m)^vocabulary = .*$", lambda _, names=names: f"vocabulary = {names}", toml))
        for names in named
    ]


def tries(name: str, default: str) -> list[str]:
    """What to type into a field: as many of the words as it holds, a table of them, and a code."""
    n = len(default.split())
    if name.endswith(".model"):
        return [*own_models(), WORDS[0]]
    if name.endswith(".table"):
        return ["\n".join(f"{word} {9 + i}" for i, word in enumerate(WORDS)), f"{WORDS[0]} 1 2 3", f"{WORDS[1]} www.x"]
    if n <= 1:
        return WORDS[:10] if name.endswith((".word", ".search")) else [WORDS[0], WORDS[2], WORDS[4]]
    return [" ".join((WORDS * 3)[at : at + n]) for at in (0, 5, 8)]


@pytest.mark.parametrize("slug", [*SLUGS, ""])
def test_what_is_typed_stays_text(app, slug):
    for link in [{}, IN_PRACTICE] if slug == "transformer_deep_dive" else [{}]:
        at = app(slug, link)
        fields = {key: one.value for key, one in at.controls.items() if one.type in ("text_area", "text_input")}
        for key, before in fields.items():
            for text in tries(key, before):
                at.controls[key].set_value(text).run()
                assert not obeyed(at), text
                assert not drawn_wrong(at), text
            at.controls[key].set_value(before).run()


@pytest.mark.parametrize("slug", [*SLUGS, ""])
def test_what_a_link_says_stays_text(app, slug):
    keys = [key for key in app(slug).controls if key]
    link = {key: (WORDS * 9)[at] for at, key in enumerate(keys)} | {f"{word} log in": "1" for word in WORDS[:3]}
    at = app(slug, link)
    assert not obeyed(at)
    assert any("www" in notice for notice in at.notices)


def test_words_are_shown_as_they_were_typed(app):
    tokens = ["www.evil.example", "a@b.co", "<i>x</i>", '"cat"', "&copy;", "don't"]
    at = app("attention_matrix", {"attention_matrix.tokens": " ".join(tokens)})
    drawn = at.charts["four"].layout["yaxis"]["ticktext"]
    assert [re.sub("<.*?>", "", name).strip() for name in drawn][:4] == [
        "www.evil.example",
        "a@b.co",
        "&lt;i&gt;x&lt;/i&gt;",
        '"cat"',
    ]
    for row, token in enumerate(tokens):
        assert f"{token} (row {row})" in at.set(query=row).words()


@pytest.mark.parametrize("word", WORDS[:-1])
def test_a_word_in_a_sentence_reads_as_itself(word):
    assert read(words.plain(word)) == word
