"""The anatomy of a page, in order: begin, panel, charts, notice, conventions, take_away, source."""

import inspect
import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from ui import catalogue, formulas, run, snippets
from ui.page import asking, controls, export, small
from ui.page.ask import Asking
from ui.words import plain

MOST_NUMBERS = 80_000  # a quarter of a second of the server writes so many
TERM = r"(?:(?! [-+] )[^()]|\([^()]*\))*"
PAIR = re.compile(rf"\({TERM} [-+] {TERM}\)")


def begin(file: str, questions: Sequence[Asking] = ()) -> None:
    """Header of the lab whose page `file` is; what follows goes beside the controls' panel, where its questions stand.

    The first visitor after a start who opens a lab's link gets the bare file, because pages/ is discovered before
    Home.py has run once: the run then starts again, inside the frame.
    """
    if not run.is_open():
        st.navigation(catalogue.menu(lambda: None), position="hidden")
        st.rerun()
    lab = catalogue.BY_SLUG[Path(file).stem]
    st.title(lab.title, anchor=False)
    run.current().header = st.empty()
    run.current().paper = st.container(key="paper")
    run.current().tell_trouble()
    left, right = st.columns([1, 3], gap="medium")
    run.current().split(left.container(key="panel"), right)
    run.current().questions = questions
    with panel():
        asking.begin(questions)
    shape(lab.shape)
    small.begin()


def shape(words: str) -> None:
    """The shapes under the title; a page whose controls change them says so again once it knows."""
    now = run.current()
    if now.header and (now.shape != words or now.model):
        now.shape = words
        now.header.markdown(_header(catalogue.BY_SLUG[now.slug], words))


def _header(lab: catalogue.Lab, shape: str) -> str:
    """The idea and the shapes, then what it is for: but beside a question every line counts."""
    model = f"  :violet-badge[{plain(run.current().model)}]" if run.current().model else ""
    purpose = "" if run.current().asked else f"  \n{plain(lab.purpose)}"
    return f":gray[{plain(lab.idea)}]  **{plain(shape)}**{purpose}{model}"


def panel() -> Any:
    """The column of controls: `with lab.panel(): …`."""
    return run.current().panel


def folded(label: str) -> Any:
    """A part of the panel that opens on a click, for what is edited rarely: `with lab.folded("Edit the words"): …`."""
    return controls.folded(label)


def group(name: str, shown: bool) -> Any:
    """The controls of one part of a lab: out of sight while another part is open, but kept and in the link."""
    return st.container(key=run.key(f"{name}.{'in_sight' if shown else 'out_of_sight'}"))


def attempt(function: Callable, *args: Any, **options: Any) -> Any:
    """Call the engine; where it refuses, its sentence stands in place of the charts and the page ends."""
    try:
        return function(*args, **options)
    except ValueError as error:
        st.error(_sentence(error), icon=":material/block:")
        st.caption("Change a control on the left, or start over.")
        _start_over()
        raise run.RefusedError from error


def attempt_or_none(function: Callable, *args: Any, **options: Any) -> Any:
    """Like `attempt`, where the refusal is part of the lesson: its sentence stands here and the page goes on."""
    try:
        return function(*args, **options)
    except ValueError as error:
        st.info(_sentence(error), icon=":material/block:")
        return None


def step(title: str, *written: str) -> None:
    """A step of the calculation: a heading and its formulas with the numbers of now; none beside a question."""
    if run.current().asked:
        return
    st.header(title, anchor=False)
    write_out(*written)


def write_out(*written: str) -> None:
    """Formulas on the page, `=` where the written terms give the written result and `≈` elsewhere.

    One wider than its place goes on in the next line, but never inside a product or a bracket of two terms.
    """
    if run.current().asked:
        return
    whole = lambda bracket: re.sub(" ([-+]) ", r" \1\\nobreak ", bracket[0])
    for formula in written:
        st.latex(PAIR.sub(whole, formulas.settled(formula).replace(r" \cdot ", r" \cdot\nobreak ")))


def say(sentence: str) -> None:
    """A sentence beside a chart, made from its numbers."""
    if not run.current().asked:
        st.markdown(sentence)


def columns(n: int) -> list:
    """Columns for charts that belong side by side; they stand under each other on a phone."""
    return st.columns(n, gap="medium")


def notice(*said: str | tuple[Any, str]) -> None:
    """What to notice: sentences made from the numbers on screen (Markdown; `words.told` writes numbers and words).

    A pair (claim, sentence) is said only where its claim holds.
    """
    if run.current().veiled:
        return
    sentences = [one if isinstance(one, str) else one[1] for one in said if isinstance(one, str) or one[0]]
    st.container(key="notice").markdown("\n".join(f"- {sentence}" for sentence in sentences))


Row = tuple[str, str, str]


def conventions(*rows: Row | Callable[[], Sequence[Row]]) -> None:
    """Where libraries and papers differ, with both numbers: (question, here, elsewhere), the latter with its name.

    Where both numbers are the same in the state on screen, the row says so. A function that makes rows is asked once
    the table is open.
    """
    _table("Conventions", ("Here", "Elsewhere"), rows)


def slips(*rows: Row | Callable[[], Sequence[Row]]) -> None:
    """Mistakes that are easily made, with both numbers: (question, right, slip); where these agree, the row says so."""
    _table("Common slips", ("Right", "The slip"), rows)


def _table(title: str, heads: tuple[str, str], given: Sequence[Row | Callable[[], Sequence[Row]]]) -> None:
    if not given:
        return
    now = run.current()
    rows: Sequence[Row] = []
    with nullcontext() if now.veiled else st.expander(title, key=run.key(title), on_change="rerun") as box:
        shown = bool(box and box.open)
        if shown or now.veiled or now.keeps:  # what is told in a state that is kept can be compared with later
            rows = [row for one in given for row in (one() if callable(one) else [one])]
        if shown:
            lines = [("Question", *heads), ("---",) * 3, *(_told_apart(*row) for row in rows)]
            st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _told_apart(question: str, here: str, other: str) -> tuple[str, str, str]:
    """A row of a table; two sides that end on the same number are said to be the same.

    >>> _told_apart("Scale", "here: 0.5", "there: 0.5"), _told_apart("Scale", "here: 0.5", "there: 0.25")
    (('Scale', 'here: 0.5', 'there: 0.5, the same in this state'), ('Scale', 'here: 0.5', 'there: 0.25'))
    """
    ends = {re.split(r": |; |, ", side)[-1] for side in (here, other)}
    alike = len(ends) == 1 and any(map(str.isdigit, *ends))
    return question, here, f"{other}, the same in this state" if alike else other


def take_away(
    numbers: Any,
    /,
    *swaps: tuple[str, str],
    part: str = "",
    code: str = "",
    facts: dict[str, Any] | None = None,
    **inputs: Any,
) -> None:
    """The numbers as CSV and JSON, NumPy code that makes them again from `inputs`, and the link to this state.

    `numbers` is a trace or a dict of arrays, or makes one once the fold is open. The files are written when somebody
    asks for one; past MOST_NUMBERS a sentence stands in their place. The program is `ui/snippets/<slug>.py`, or
    `<slug>_<part>.py`, or `code`; each of `swaps` = (old, new) replaces what stands for a choice in it. A name it
    assigns that is also in `numbers` must hold the same value: tests run it. `facts` go to the questions alone, beside
    a dict of numbers: what no program makes.
    """
    slug = run.current().slug
    if run.current().questions:
        if run.current().asked or run.current().keeps:
            state = {key.split(".", 1)[1]: control.value for key, control in run.current().controls.items()}
            made = numbers() if callable(numbers) else numbers
            run.current().seen = run.Seen({**made, **facts} if facts else made, inputs, state)
        asking.finish(run.current().questions)
        with panel():
            _start_over()
            small.end()
    _settings()
    if run.current().veiled:
        return
    with st.expander("Take it away: link, CSV, JSON, NumPy", key=run.key("take_away"), on_change="rerun") as box:
        if not box.open:
            return
        imports, body = (
            (["import numpy as np"], code) if code else snippets.program("_".join(filter(None, (slug, part))))
        )
        for old, new in swaps:
            if old not in body:
                raise KeyError(f"the program of {slug} has no {old!r} to replace")
            body = body.replace(old, new)
        st.caption("A link to exactly this state")
        st.code(run.link(), language=None, wrap_lines=True)
        st.caption("NumPy code that computes this very state")
        st.code(export.snippet(body, inputs, imports), language="python")
        table = export.flat(numbers() if callable(numbers) else numbers)
        if (n := sum(map(np.size, table.values()))) > MOST_NUMBERS:
            st.info(f"No files: they would hold {n:,} numbers, and {MOST_NUMBERS:,} is the most. The code makes them.")
            return
        kinds = (
            ("CSV", "text/csv", ":material/table:", export.as_csv),
            ("JSON", "application/json", ":material/data_object:", export.as_json),
        )
        for column, (kind, mime, icon, write) in zip(st.columns(2), kinds, strict=True):
            file = partial(write, table)
            name = f"{slug}.{kind.lower()}"
            column.download_button(f"Numbers as {kind}", file, name, mime, on_click="ignore", icon=icon)


def _settings() -> None:
    """How every control stands, in words, for paper, which has no panel."""
    now, asks = run.current(), {run.key(name) for name in ("ask", "shown", "round")}
    stand = [_stands(key, of) for key, of in now.controls.items() if key not in asks and (of.in_link or of.brief)]
    if now.paper:
        now.paper.markdown(" · ".join(stand))


def _stands(key: str, control: run.Control) -> str:
    """How a control stands; of a text the one in use, in quotation marks where it is short."""
    good = run.memory(key).get("good")
    if good is None or len(good) > 24 or "\n" in good:
        return control.told(control.value if good is None else good)
    return f"{plain(control.label)} = “{plain(good)}”"


def source(*functions: Callable) -> None:
    """The engine's own code for what stands above; ends the page."""
    if run.current().veiled:
        return
    with st.expander("The code that computed it", key=run.key("source"), on_change="rerun") as box:
        if box.open:
            st.code("\n\n".join(inspect.getsource(f) for f in functions), language="python")


def _sentence(error: ValueError) -> str:
    """The engine's words with a full stop; those that begin with a name of its code keep it as it is written."""
    text = re.sub(r"\beps\b", "ε", str(error)).rstrip(".") + "."
    return plain(text[0].upper() + text[1:] if text.startswith(("the ", "there ", "a ")) else text)


def _open_again(slug: str, faults: list[str], ticks: list[str]) -> None:
    """Every control as it opens, out of sight too; no fault is told any more, no box is ticked."""
    controls.assign({}, run.opening(slug) | dict.fromkeys(faults) | dict.fromkeys(ticks, False))
    run.renew_address()


def _start_over() -> None:
    kept = any(control.kept and control.in_link for control in run.current().controls.values())
    st.button(
        "Start over",
        key=run.key("start_over"),
        icon=":material/restart_alt:",
        type="tertiary",
        on_click=_open_again,
        args=(run.current().slug, run.current().faults, run.current().ticks),
        help="Every control of this lab as it opened" + ("; your model stays." if kept else "."),
    )
