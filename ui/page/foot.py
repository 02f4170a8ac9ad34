"""The foot of every lab: its words with what they mean, and the way to the labs before and after it."""

from functools import cache
from html import escape

import streamlit as st

from ui import catalogue, glossary
from ui.catalogue import Lab


def show(lab: Lab) -> None:
    """Draw it, once the page has drawn all of its own."""
    shown = catalogue.shown()
    place = shown.index(lab) if lab in shown else 0
    with st.container(key="foot"):
        st.html(_words(lab.slug))
        left, right = st.columns(2)
        if place:
            before = shown[place - 1]
            left.page_link(before.file, label=f"Before this: **{before.title}**", icon=":material/arrow_back:")
        if place + 1 < len(shown):
            after = shown[place + 1]
            right.page_link(after.file, label=f"Next lab: **{after.title}**", icon=":material/arrow_forward:")


@cache
def _words(slug: str) -> str:
    """A line of the lab's words; each tells what it means under the pointer, with the focus, or at a tap."""
    terms = "".join(
        f'<span class="lab-word" tabindex="0">{escape(one.word)}<span>{escape(one.meaning)}</span></span>'
        for one in glossary.of_lab(slug)
    )
    return f'<p class="lab-words">Words: {terms}</p>'
