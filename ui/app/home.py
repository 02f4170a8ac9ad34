"""The first page: what this is, the labs as cards, and a plan for a lecture."""

from collections.abc import Callable

import streamlit as st

from ui import catalogue, glossary, run
from ui.app import cards, corner, guide, planning
from ui.catalogue import LABS
from ui.page import asking, model
from ui.words import counted, shown

UNTRAINED = (
    "The toy model that the labs open with is untrained: its weights are made up, small enough to be read, and what it "
    "predicts means nothing; “The toy model learns” trains it. The storyteller beside it is trained. "
)


def show(first: Callable[[], None], pictures: Callable[[], dict[str, str]]) -> None:
    """Draw Home: `first` draws the picture it begins with, `pictures` gives each lab's small one."""
    st.title("Transformer Labs", anchor=False)
    run.current().tell_trouble()
    if corner.current():
        planning.own()
    first()
    by_slug = {lab.slug: lab for lab in catalogue.shown()}
    wanted = _search()
    found = [lab for lab in by_slug.values() if guide.matches(lab, wanted)]
    if meant := glossary.found(guide.asked_for(wanted)):
        cards.words(f"words.{meant[0].word}", meant)
    elif not found:
        st.info(f"Nothing found for {shown(wanted)}. Try a shorter word.", icon=":material/search_off:")
    answered = asking.score()
    if not wanted:
        st.caption(
            "Every lab computes exact numbers as you drag, writes a calculation out in full, and is a link you can "
            "hand on. "
            + ("This visit runs a model of its own in the labs. " if model.is_own() else UNTRAINED)
            + "Vectors and matrices are enough to begin; “Learning” also needs derivatives."
        )
        _progress(answered)
    cards.show(found, _notes(answered), pictures)
    if not wanted:
        st.subheader("A plan for a lecture", anchor=False)
        planning.show(by_slug)
        title = f"Glossary: {len(glossary.ENTRIES)} words, what each means, and the labs that show it"
        with st.expander(title, key="glossary", icon=":material/dictionary:", on_change="rerun") as fold:
            if fold.open:
                cards.words("words", glossary.ENTRIES)


def _progress(answered: dict[str, tuple[int, int]]) -> None:
    """How far this visit has come: labs visited, predictions made."""
    visited, parts = len(_visited()), []
    if visited:
        parts.append(f"**{visited} of {counted(len(LABS), 'lab', 'labs')}** visited")
    if answered:
        given, right = (sum(counts) for counts in zip(*answered.values(), strict=True))
        of = f"{counted(len(answered), 'lab', 'labs')} of {len(LABS)}"
        parts.append(f"**{right} of {counted(given, 'prediction', 'predictions')}** right so far, in {of}")
    if parts:
        st.markdown(", ".join(parts) + ".")


def _search() -> str:
    """What is searched for: a control like any other, so part of the link; nothing is clicked that sets it."""
    key = run.key("search")
    hint = "attention, gradient, RoPE …"
    typed = st.text_input("Search the labs", key=key, max_chars=60, placeholder=hint, live=True, bind="query-params")
    wanted = typed or ""
    run.current().controls[key] = run.Control("", [wanted] if wanted else None, lambda value: None, wanted, "Search")
    return wanted


def _notes(answered: dict[str, tuple[int, int]]) -> dict[str, str]:
    """What this visit did in each lab, for its card."""
    scores = {slug: f" · {right} of {given} predicted rightly" for slug, (given, right) in answered.items()}
    return dict.fromkeys(_visited(), " · visited") | scores


def _visited() -> set[str]:
    """The labs that this visit has opened."""
    return {key.split(".")[0] for key in st.session_state.get("run.opened", {})} & set(catalogue.BY_SLUG)
