"""The first page: what this is, the labs as cards, and a plan for a lecture."""

import streamlit as st

from ui import catalogue, run
from ui.page.lab import link_trouble
from ui.words import plain, shown

PLANS = {  # minutes: the labs in order, and how long each takes
    45: (("attention_matrix", 12), ("softmax", 8), ("forward_pass", 15), ("one_distribution_one_token", 10)),
    90: (
        ("dot_product_and_cosine", 8),
        ("attention_matrix", 14),
        ("softmax", 10),
        ("heads_split_and_mixed", 10),
        ("rope_and_alibi", 8),
        ("layer_normalisation", 6),
        ("tokens_expanded", 8),
        ("forward_pass", 16),
        ("one_distribution_one_token", 10),
    ),
}


def show() -> None:
    """Draw Home."""
    st.title("Transformer Labs", anchor=False)
    st.markdown(
        "Move the numbers inside a transformer and see what happens. Every lab computes exact numbers as you drag, "
        "writes out the sum behind each, and is a link you can hand on."
    )
    link_trouble()
    labs = catalogue.shown()
    by_slug = {lab.slug: lab for lab in labs}
    key = run.key("search")
    wanted = (
        st.text_input(
            "Search the labs",
            key=key,
            max_chars=60,
            placeholder="attention, gradient, RoPE …",
            live=True,
            bind="query-params",
        )
        or ""
    )
    run.current().controls[key] = run.Control("", [wanted] if wanted else None, lambda value: None)
    found = [lab for lab in labs if _matches(lab, wanted)]
    if not wanted and "forward_pass" in by_slug:
        st.page_link(
            by_slug["forward_pass"].file,
            label="**Begin here:** the forward pass",
            icon=":material/play_arrow:",
        )
    if not found:
        st.info(f"No lab speaks of {shown(wanted)}. Try a shorter word.", icon=":material/search_off:")
    for section, rows in catalogue.sections(found).items():
        st.subheader(section, anchor=False)
        cells = [cell for _ in range(0, len(rows), 3) for cell in st.columns(3)]
        for cell, lab in zip(cells, rows, strict=False):
            with cell.container(border=True, height="stretch"):
                st.page_link(lab.file, label=f"**{lab.title}**", icon=lab.icon)
                st.markdown(plain(lab.idea))
                st.caption(plain(lab.shape))
    if not wanted:
        _plans(by_slug)


def _plans(by_slug: dict) -> None:
    st.subheader("A plan for a lecture", anchor=False)
    for column, (minutes, plan) in zip(st.columns(len(PLANS)), PLANS.items(), strict=True):
        with column.container(border=True):
            st.markdown(f"**{minutes} minutes**")
            for slug, share in plan:
                if slug in by_slug:
                    st.page_link(
                        by_slug[slug].file, label=f"{by_slug[slug].title} · {share} min", icon=by_slug[slug].icon
                    )


def _matches(lab: catalogue.Lab, wanted: str) -> bool:
    text = f"{lab.title} {lab.idea} {lab.shape} {lab.section}".casefold()
    return all(word in text for word in wanted.casefold().split())
