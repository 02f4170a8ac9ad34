"""The anatomy of a page, in order: open, panel, charts, notice, try_this, conventions, take_away, source."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from ui import catalogue, controls, export, frame, visit, worked


class Preset(NamedTuple):
    """One thing to try: what to predict first, and the controls it sets (all others return to their defaults)."""

    title: str
    question: str
    values: dict[str, Any]


class Convention(NamedTuple):
    """Where libraries disagree: the question, what holds here and what elsewhere, each with its number from today."""

    question: str
    here: str
    elsewhere: str


def open(file: str) -> None:
    """Header of the lab whose page `file` is; what follows goes beside the controls' panel."""
    frame.guard()
    lab = catalogue.BY_SLUG[Path(file).stem]
    visit.begin(lab.slug)
    st.title(lab.title, anchor=False)
    st.markdown(f":gray[{worked.plain(lab.idea)}]" + (f"  **{worked.plain(lab.shape)}**" if lab.shape else ""))
    if visit.notices():
        st.warning("  \n".join(visit.notices()), icon=":material/link_off:")
    left, right = st.columns([1, 3], gap="medium")
    frame.columns(left.container(key="panel"), right)


def panel():
    """The column of controls: `with lab.panel(): …`."""
    return frame.panel()


def folded(label: str):
    """A part of the panel that opens on a click, for what is edited rarely: `with lab.folded("Edit Q, K and V"): …`."""
    return st.expander(label, icon=":material/edit:")


def group(name: str, shown: bool):
    """The controls of one part of a lab: out of sight while another part is open, but kept and in the link."""
    return st.container(key=visit.key(f"{name}.{'in_sight' if shown else 'out_of_sight'}"))


def attempt(function: Callable, *args, **options):
    """Call the engine; where it refuses, its sentence stands in place of the charts and the page ends with the presets."""
    try:
        return function(*args, **options)
    except ValueError as error:
        st.error(_sentence(error), icon=":material/block:")
        st.caption("Change a control on the left, or start over.")
        _start_over()
        st.stop()


def attempt_or_none(function: Callable, *args, **options):
    """Like `attempt`, where the refusal is part of the lesson: the engine's sentence stands here, None comes back, the page goes on."""
    try:
        return function(*args, **options)
    except ValueError as error:
        st.info(_sentence(error), icon=":material/block:")
        return None


def step(title: str, *formulas: str) -> None:
    """A step of the calculation: a heading and its formulas with today's numbers."""
    st.subheader(title, anchor=False)
    worked.show(*formulas)


def say(sentence: str) -> None:
    """A sentence beside a chart, made from its numbers."""
    st.markdown(sentence)


def columns(n: int) -> list:
    """Columns for charts that belong side by side; they stand under each other on a phone."""
    return st.columns(n, gap="medium")


def notice(*sentences: str) -> None:
    """What to notice: sentences made from the numbers on screen (Markdown; pass visitors' text through worked.plain)."""
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))


def try_this(*presets: Preset) -> None:
    """Two to four states worth a prediction; a button sets the controls, and the link follows."""
    st.subheader("Try this", anchor=False)
    for column, preset in zip(st.columns(len(presets)), presets, strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"**{worked.plain(preset.title)}**  \n{preset.question}")
            st.button(
                "Show me",
                key=visit.key(f"try.{preset.title}"),
                on_click=_apply,
                args=(visit.slug(), dict(preset.values), _defaults()),
            )
    _start_over()


def conventions(*rows: Convention) -> None:
    """Where libraries disagree, with both numbers."""
    st.subheader("Conventions", anchor=False)
    table = ["| | Here | Elsewhere |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    st.markdown("\n".join(table))


def take_away(numbers: Any, snippet: str, **inputs) -> None:
    """The numbers as CSV and JSON, NumPy code that makes them again from `inputs`, and the link to this state.

    `numbers` is a trace or a dict of arrays. `snippet` is code; `import numpy as np` and one line for each input are put
    before it. A name it assigns that is also in `numbers` must hold the same value: tests run it.
    """
    name = visit.slug()
    with st.expander("Take it away: link, CSV, JSON, NumPy", key=visit.key("take_away"), on_change="rerun") as box:
        if not box.open:
            return
        st.caption("A link to exactly this state")
        st.code(visit.link(), language=None, wrap_lines=True)
        st.caption("NumPy code that computes this very state")
        st.code(export.snippet(snippet, inputs), language="python")
        left, right = st.columns(2)
        table = export.flat(numbers)
        left.download_button(
            "Numbers as CSV", export.csv(table), f"{name}.csv", "text/csv", on_click="ignore", icon=":material/table:"
        )
        right.download_button(
            "Numbers as JSON",
            export.json(table),
            f"{name}.json",
            "application/json",
            on_click="ignore",
            icon=":material/data_object:",
        )


def source(*functions: Callable) -> None:
    """The engine's own code for what stands above; ends the page."""
    with st.expander("The code that computed it", key=visit.key("source"), on_change="rerun") as box:
        if box.open:
            st.code("\n\n".join(inspect.getsource(f) for f in functions), language="python")


def _sentence(error: ValueError) -> str:
    """The engine's words with a full stop; those that begin with a name of its code keep it as it is written."""
    words = str(error).rstrip(".") + "."
    return worked.plain(words[0].upper() + words[1:] if words.startswith(("the ", "there ", "a ")) else words)


def _defaults() -> dict[str, Any]:
    return {key: control.default for key, control in visit.controls().items()}


def _apply(slug: str, values: dict[str, Any], defaults: dict[str, Any]) -> None:
    controls.assign(defaults | {f"{slug}.{name}": value for name, value in values.items()})


def _start_over() -> None:
    st.button(
        "Start over",
        key=visit.key("start_over"),
        icon=":material/restart_alt:",
        type="tertiary",
        on_click=_apply,
        args=(visit.slug(), {}, _defaults()),
    )
