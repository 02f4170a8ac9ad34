"""Navigation and page configuration around every page."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from ui import catalogue, run, server
from ui.app import corner, home, stage
from ui.charts import live
from ui.page import foot
from ui.run import Run

_STYLE = (Path(__file__).parent / "frame.css").read_text("utf-8")

_PLACE = """[data-testid="stTopNav"] > :nth-child({}) button {{ font-weight: 600;
  box-shadow: inset 0 -2px light-dark(#d55e00, #ff8a3d); border-radius: 0; }}"""  # the menu's section that is open
# A Material symbol as the page's icon would be fetched from another host.
_ICON = "data:image/svg+xml," + quote(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g stroke="#0072b2" stroke-width="1.5">'
    '<path d="M3 4 13 3M3 4 13 8M3 4 13 13M3 12 13 3M3 12 13 13"/></g><g fill="#d55e00"><circle cx="3" cy="4" r="2"/>'
    '<circle cx="3" cy="12" r="2"/></g><g fill="#0072b2"><circle cx="13" cy="3" r="2"/><circle cx="13" cy="8" r="2"/>'
    '<circle cx="13" cy="13" r="2"/></g></svg>'
)


def show(first: Callable[[], None], pictures: Callable[[], dict[str, str]]) -> None:
    """All of Home.py: the menu, a title for each page, then the page itself.

    `first` draws the picture that Home begins with, `pictures` gives each lab's small one.
    """
    server.prepare()
    if "frame.menu" not in st.session_state:  # 25 pages take 2 ms, and a page object belongs to one run at a time
        st.session_state["frame.menu"] = catalogue.menu(lambda: home.show(first, pictures))
    page = st.navigation(st.session_state["frame.menu"], position="top")
    lab = catalogue.BY_SLUG.get(page.url_path)
    title = f"{lab.title} · Transformer Labs" if lab else "Transformer Labs"
    st.set_page_config(page_title=title, page_icon=_ICON, layout="wide")
    here = _PLACE.format(1 + list(st.session_state["frame.menu"]).index(lab.section)) if lab else ""
    st.html(f"<style>{here if live.sent() else _STYLE + here}</style>")  # the browser keeps it for the visit
    live.start(stage.facts(), _STYLE)
    with st.container(key="own_out_of_sight"):
        corner.begin()
    above = st.container(key="corner")
    with Run(lab.slug if lab else "home"):
        corner.tell_trouble()
        try:
            page.run()
        finally:
            if lab and run.current().panel:
                with above:
                    corner.show()
        if run.has_news():
            live.set_address("&".join(filter(None, (run.query(), corner.query()))))
    if lab:
        foot.show(lab)
    live.started()
