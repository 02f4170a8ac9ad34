"""Navigation and page configuration around every page."""

from pathlib import Path
from urllib.parse import quote

import streamlit as st

from ui import catalogue, run, server
from ui.app import home
from ui.charts import live
from ui.run import Run

_STYLE = (Path(__file__).parent / "frame.css").read_text("utf-8")

# A Material symbol as the page's icon would be fetched from another host.
_ICON = "data:image/svg+xml," + quote(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g stroke="#0072b2" stroke-width="1.5">'
    '<path d="M3 4 13 3M3 4 13 8M3 4 13 13M3 12 13 3M3 12 13 13"/></g><g fill="#d55e00"><circle cx="3" cy="4" r="2"/>'
    '<circle cx="3" cy="12" r="2"/></g><g fill="#0072b2"><circle cx="13" cy="3" r="2"/><circle cx="13" cy="8" r="2"/>'
    '<circle cx="13" cy="13" r="2"/></g></svg>'
)


def show() -> None:
    """All of Home.py: the menu, a title for each page, then the page itself."""
    server.prepare()
    if "frame.menu" not in st.session_state:  # 25 pages take 2 ms, and a page object belongs to one run at a time
        st.session_state["frame.menu"] = catalogue.menu(home.show)
    page = st.navigation(st.session_state["frame.menu"], position="top")
    lab = catalogue.BY_SLUG.get(page.url_path)
    title = f"{lab.title} · Transformer Labs" if lab else "Transformer Labs"
    st.set_page_config(page_title=title, page_icon=_ICON, layout="wide")
    st.html(f"<style>{_STYLE}</style>")
    live.start()
    with Run(lab.slug if lab else "home"):
        page.run()
        if run.has_news():
            live.set_address(run.query())
    live.started()
