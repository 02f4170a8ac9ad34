"""What one run of a page knows about itself: which lab it is, its controls' values, and what was wrong with the link."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

_run = threading.local()


class Control(NamedTuple):
    """A control of this run: the default in its widget, what the link says for it (None at the default), how to set it."""

    default: Any
    in_link: list[str] | None
    set: Callable[[Any], None]


def begin(slug: str) -> None:
    """Start a run of the lab `slug`; notices live until another lab is opened."""
    _run.slug, _run.controls, _run.again = slug, {}, False
    if st.session_state.get("visit.slug") != slug:
        st.session_state["visit.slug"] = slug
        st.session_state["visit.notices"] = []
        st.session_state["visit.first"] = True


def slug() -> str:
    """The lab that is running."""
    return _run.slug


def key(name: str) -> str:
    """The widget key and URL parameter of a control: the lab's own, so that no two pages share one."""
    return f"{_run.slug}.{name}"


def controls() -> dict[str, Control]:
    """This run's controls by key, in the order of the page."""
    return _run.controls


def from_link(key: str) -> str | None:
    """What the link says for a control the first time it is drawn, else None."""
    return None if key in st.session_state else st.query_params.get(key)


def notice(sentence: str) -> None:
    """Remember a sentence about the link, shown under the header for the rest of the visit to this lab."""
    notices = st.session_state["visit.notices"]
    if sentence not in notices:
        notices.append(sentence)
        _run.again = True


def notices() -> list[str]:
    """The sentences to show."""
    return st.session_state["visit.notices"]


def end() -> None:
    """Take parameters that no control of this page knows out of the URL; run again if there is news for the header."""
    strangers = [name for name in st.query_params if name not in _run.controls and not name.startswith("embed")]
    if st.session_state.pop("visit.first", False) and (strangers := list(filter(_taken_out, strangers))):
        names = ", ".join(shown(name) for name in strangers[:3]) + (" and more" if len(strangers) > 3 else "")
        notice(f"The link also held {names}, which this page does not know: left out.")
    if _run.again:
        st.rerun()


def _taken_out(name: str) -> bool:
    """Take a parameter out of the URL, unless it belongs to a control that was on the page before."""
    try:
        del st.query_params[name]
    except StreamlitAPIException:
        return False
    return True


def shown(text: str) -> str:
    """A visitor's text, short and harmless, for a sentence."""
    kept = "".join(c if c.isalnum() or c in " .,+-=_" else "?" for c in text[:24])
    return f"“{kept.replace('_', chr(92) + '_')}{'…' if len(text) > 24 else ''}”"


def link() -> str:
    """The address of this very state."""
    pairs = [(key, value) for key, control in _run.controls.items() for value in control.in_link or ()]
    base = (st.context.url or f"/{_run.slug}").split("?")[0]
    return base + ("?" + urlencode(pairs, quote_via=quote) if pairs else "")
