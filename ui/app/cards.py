"""The labs as cards, each one link: their markup is made once for all visitors, and goes to each once."""

from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from ui import catalogue
from ui.app import guide
from ui.catalogue import Lab
from ui.charts import small
from ui.glossary import Entry

_STYLE = f".lab-cards {{{small.colours()}}}\n" + Path(__file__).with_name("cards.css").read_text("utf-8")
_SCRIPT = """export default ({ parentElement, data, setTriggerValue }) => {
  const all = parentElement.querySelector(".lab-cards"), kept = (window.labCards ??= {});
  kept[data.name] = data.html || kept[data.name];
  if (!kept[data.name]) return void setTriggerValue("missed", true);
  if (all.dataset.name !== data.name) all.innerHTML = kept[data.name];
  all.dataset.name = data.name;
  if (data.found) {
    for (const card of all.querySelectorAll("a")) {
      card.hidden = !data.found.includes(card.dataset.lab);
      card.querySelector("b").textContent = data.notes[card.dataset.lab] ?? "";
    }
    for (const section of all.querySelectorAll("section")) section.hidden = !section.querySelector("a:not([hidden])");
  }
  all.onclick = (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;   // a tab of its own
    const way = document.querySelector(`[class*="ways_out_of_sight"] a[href$="${link.dataset.lab}"]`);
    if (!way) return;
    event.preventDefault();                       // inside the app: the page is not loaded again
    way.click();
  };
};
"""


_component = st.components.v2.component(
    "lab_cards", html='<div class="lab-cards"></div>', css=_STYLE, js=_SCRIPT, isolate_styles=False
)


def show(found: Sequence[Lab], notes: dict[str, str], pictures: Callable[[], dict[str, str]]) -> None:
    """Draw the cards of the labs that were found, each with what this visit did there; a click opens the lab."""
    _draw("cards", _cards(pictures), {"found": [lab.slug for lab in found], "notes": notes})
    with st.container(key="ways_out_of_sight"):  # what a click goes by, for st.switch_page refuses bound controls
        for lab in catalogue.shown():
            st.page_link(lab.file, label=lab.title)


def words(name: str, entries: Sequence[Entry]) -> None:
    """Draw words with what they mean, each with the labs that show it; a click opens one."""
    _draw(name, definitions(entries), {})


def _draw(name: str, html: str, data: dict[str, Any]) -> None:
    """The first run of a visit brings the markup, which the browser keeps: it asks for it where that run was lost."""
    sent = st.session_state.setdefault("cards.sent", set())
    data |= {"name": name, "html": "" if name in sent else html}
    lost = lambda: sent.discard(name)
    _component(key=name, data=data, on_missed_change=lost)
    sent.add(name)


@cache
def _cards(pictures: Callable[[], dict[str, str]]) -> str:
    return markup(catalogue.shown(), pictures())


def markup(labs: Sequence[Lab], pictures: dict[str, str]) -> str:
    """All cards as HTML, by section: a picture, the title, what it is about, its shape and how long it takes."""
    sections = catalogue.sections(list(labs)).items()
    return "".join(_section(name, of_it, pictures) for name, of_it in sections)


def _section(name: str, labs: Sequence[Lab], pictures: dict[str, str]) -> str:
    cards = "".join(
        f'<a href="{lab.slug}" data-lab="{lab.slug}">{pictures.get(lab.slug, "")}<strong>{escape(lab.title)}</strong>'
        f"<p>{escape(lab.idea)}</p><small>{escape(lab.shape + guide.minutes(lab))} <b></b></small></a>"
        for lab in labs
    )
    return f"<section><h3>{escape(name)}</h3><div>{cards}</div></section>"


def definitions(entries: Sequence[Entry]) -> str:
    """Words with what they mean, in alphabetical order, as HTML."""
    rows = "".join(
        f"<div><dt>{escape(one.word)}</dt><dd>{escape(one.meaning)} {' '.join(map(_link, one.labs[:2]))}</dd></div>"
        for one in sorted(entries, key=lambda one: one.word.casefold())
    )
    return f"<dl>{rows}</dl>"


def _link(slug: str) -> str:
    return f'<a href="{slug}" data-lab="{slug}">{escape(catalogue.BY_SLUG[slug].title)}</a>'
