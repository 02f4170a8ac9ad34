"""Navigation and page configuration around every page, and the guard for a cold server's first deep link."""

import threading
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from ui import catalogue, home, live, room, visit, wire

_STYLE = (Path(__file__).parent / "frame.css").read_text("utf-8")

# A Material symbol as the page's icon would be fetched from another host.
_ICON = "data:image/svg+xml," + quote(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g stroke="#0072b2" stroke-width="1.5">'
    '<path d="M3 4 13 3M3 4 13 8M3 4 13 13M3 12 13 3M3 12 13 13"/></g><g fill="#d55e00"><circle cx="3" cy="4" r="2"/>'
    '<circle cx="3" cy="12" r="2"/></g><g fill="#0072b2"><circle cx="13" cy="3" r="2"/><circle cx="13" cy="8" r="2"/>'
    '<circle cx="13" cy="13" r="2"/></g></svg>'
)
wire.send_at_once()  # once a process: when the first visitor's run imports this
room.make_room()
_here = threading.local()  # what this script thread is inside: framed, places, stack


def run() -> None:
    """All of Home.py: the menu, a title for each page, then the page itself."""
    page = st.navigation(_pages(), position="top")
    lab = catalogue.BY_SLUG.get(page.url_path)
    title = f"{lab.title} · Transformer Labs" if lab else "Transformer Labs"
    st.set_page_config(page_title=title, page_icon=_ICON, layout="wide")
    st.html(f"<style>{_STYLE}</style>")
    live.start()
    _here.framed, _here.panel = True, None
    try:
        with ExitStack() as _here.stack:
            page.run()
            visit.end()
    finally:
        _here.framed = False


def guard() -> None:
    """Start the run again inside the frame if Streamlit ran the page's file on its own.

    The first visitor after a start who opens a lab's link gets the bare file, because pages/ is discovered before
    Home.py has run once.
    """
    if not getattr(_here, "framed", False):
        st.navigation(_pages(), position="hidden")
        st.rerun()


def columns(panel, stage) -> None:
    """Keep the column of controls for `panel`, and send all that the page draws from here on to `stage`."""
    _here.panel = panel
    _here.stack.enter_context(stage)


def panel():
    """The column of controls."""
    return _here.panel


def _pages() -> dict[str, list]:
    """The menu's sections, made once a session: 25 pages take 2 ms, and a page object belongs to one run at a time."""
    if "frame.pages" not in st.session_state:
        pages = {"Start": [st.Page(home.show, title="Home", url_path="home", default=True)]}
        for lab in catalogue.shown():
            pages.setdefault(lab.section, []).append(st.Page(lab.file, title=lab.title))
        st.session_state["frame.pages"] = pages
    return st.session_state["frame.pages"]
