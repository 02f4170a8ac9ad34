"""What stands for a lab where there is little room: its picture, on top of a phone, and with its dials in another page.

`?embed=true` is the framework's own word for a page inside another one; there all else is left out.
"""

import streamlit as st

from ui import catalogue, run
from ui.page.shown import LABS
from ui.words import plain


def begin() -> None:
    """Say which picture of this run is the main one: it sticks to the top of a phone, and fills a page in a page."""
    now = run.current()
    shown = LABS[now.slug]
    main = shown.staged if st.context.is_embedded else shown.main
    look = now.asked.look[:1] if now.asked else main
    picture = f":is({', '.join(_css(f'chart.{name}') for name in look or main)})"
    page, row = "[data-testid=stMainBlockContainer]", "[data-testid=stHorizontalBlock]:has(.st-key-panel)"
    if not st.context.is_embedded:
        above = "order: -1; position: sticky; top: 3.75rem; z-index: 10; max-height: 46vh; overflow: auto;"
        style = f"""html:not(.stage) {page} {row} :has({picture}) {{ display: contents; }}
            html:not(.stage) {picture} {{ {above} --pinned: 1; --panel: "{shown.panel}"; }}"""
        st.html(f"<style>@media screen and (max-width: 640px) {{ {style} }}</style>")
        return
    kept = f":is({picture}, {_css(shown.lever)}, .st-key-whole, .st-key-ask_card, .stAlert)"
    parts = ".stElementContainer, .stVerticalBlock, .stHorizontalBlock, .stColumn, [data-testid=stLayoutWrapper]"
    style = f"""
        {page} :is({parts}):not({kept}, :has({kept}), {kept} *) {{ display: none !important; }}
        {page} :has({kept}):not({kept}, {kept} *) {{ display: contents !important; }}
        {page} {{ display: flex; flex-flow: column; gap: 0.25rem; }}
        {page} {{ height: 100vh; max-width: none; padding: 0.5rem 1rem; }}
        {picture} {{ order: -1; flex: 1; min-height: 0; width: auto; }}
        {picture} {{ position: relative; overflow: auto; --embedded: 1; }}
        {picture} figure {{ position: absolute; inset: 0 auto auto 0; margin: 0; transform-origin: 0 0; }}
        [data-testid=stHeader], {picture} .modebar-container {{ display: none; }}
        .st-key-whole {{ flex: none; }}"""
    st.html(f"<style>{style}</style>")


def end() -> None:
    """In another page: the way to the whole lab, in the state that is on screen."""
    if st.context.is_embedded:
        title = plain(catalogue.BY_SLUG[run.current().slug].title)
        st.container(key="whole").markdown(f"[{title}: the whole lab]({run.link()})")


def _css(name: str) -> str:
    """The element of a picture or a control."""
    return f".st-key-{run.key(name).replace('.', '-')}"
