"""The first page: what this is, the labs as cards, and a plan for a lecture."""

import streamlit as st

from ui import catalogue, run
from ui.app import guide
from ui.catalogue import Lab
from ui.page import model
from ui.words import plain, shown

PLANS = {  # minutes: the labs in order, and how long each takes
    45: {"attention_matrix": 12, "softmax": 8, "forward_pass": 15, "one_distribution_one_token": 10},
    90: {
        "dot_product_and_cosine": 8,
        "attention_matrix": 14,
        "softmax": 10,
        "heads_split_and_mixed": 10,
        "rope_and_alibi": 8,
        "layer_normalisation": 6,
        "tokens_expanded": 8,
        "forward_pass": 16,
        "one_distribution_one_token": 10,
    },
}
UNTRAINED = (
    "The toy model of the labs is untrained: its weights are made up, small enough to be read, and what it predicts "
    "means nothing; “The toy model learns” trains it. "
)


def show() -> None:
    """Draw Home."""
    st.title("Transformer Labs", anchor=False)
    st.markdown(
        "Move the numbers inside a transformer and see what happens. Every lab computes exact numbers as you drag, "
        "writes a calculation out in full, and is a link you can hand on."
    )
    st.caption(
        ("This visit runs a model of its own in the labs. " if model.is_own() else UNTRAINED)
        + "Vectors and matrices are enough to begin; “Learning” also needs derivatives."
    )
    run.current().tell_trouble()
    by_slug = {lab.slug: lab for lab in catalogue.shown()}
    wanted = _search()
    if not wanted and "forward_pass" in by_slug:
        label = "**Begin here:** the forward pass"
        st.page_link(by_slug["forward_pass"].file, label=label, icon=":material/play_arrow:")
    found = [lab for lab in by_slug.values() if guide.matches(lab, wanted)]
    if not found:
        st.info(f"Nothing found for {shown(wanted)}. Try a shorter word.", icon=":material/search_off:")
    for section, labs in catalogue.sections(found).items():
        st.subheader(section, anchor=False)
        _cards(labs)
    if not wanted:
        st.subheader("A plan for a lecture", anchor=False)
        _plans(by_slug)


def _search() -> str:
    """What is searched for: a control like any other, so part of the link; nothing is clicked that sets it."""
    key = run.key("search")
    hint = "attention, gradient, RoPE …"
    typed = st.text_input("Search the labs", key=key, max_chars=60, placeholder=hint, live=True, bind="query-params")
    wanted = typed or ""
    run.current().controls[key] = run.Control("", [wanted] if wanted else None, lambda value: None, wanted, "Search")
    return wanted


def _cards(labs: list[Lab]) -> None:
    """A card for each lab, three beside each other."""
    cells = [cell for _ in range(0, len(labs), 3) for cell in st.columns(3)]
    for cell, lab in zip(cells, labs, strict=False):
        with cell.container(border=True, height="stretch"):
            st.page_link(lab.file, label=f"**{lab.title}**", icon=lab.icon)
            st.markdown(plain(lab.idea))
            st.caption(plain(lab.shape + guide.minutes(lab)))


def _plans(by_slug: dict[str, Lab]) -> None:
    """The plans beside each other, each lab with its minutes and a link."""
    for column, (minutes, plan) in zip(st.columns(len(PLANS)), PLANS.items(), strict=True):
        with column.container(border=True):
            st.markdown(f"**{minutes} minutes**")
            for slug, share in plan.items():
                if slug in by_slug:
                    lab = by_slug[slug]
                    st.page_link(lab.file, label=f"{lab.title} · {share} min", icon=lab.icon)
