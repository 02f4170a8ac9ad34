"""Practice: a question, a box for the answer, a hint, the worked solution on demand, and the score of the visit."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from ui import run
from ui.page import controls, parse
from ui.page.lab import write_out
from ui.words import plain


class Score(NamedTuple):
    """The questions of this visit by their names, and the objectives reached."""

    tried: set[str]
    right: set[str]
    first: set[str]
    looked_up: set[str]
    reached: set[str]


def score() -> Score:
    """What this visit has answered so far."""
    return st.session_state.setdefault(run.key("practice.score"), Score(set(), set(), set(), set(), set()))


def checklist(objectives: list[str]) -> None:
    """The objectives with a box each: ticked by hand, or by a right answer."""
    reached = score().reached
    st.caption("Objectives: a right answer in the practice ticks one, or tick it yourself")
    columns = [column for _ in range(0, len(objectives), 2) for column in st.columns(2)]
    for column, objective in zip(columns, objectives, strict=False):
        run.current().ticks.append(_box(objective))
        ticked = column.checkbox(objective, objective in reached, key=_box(objective))
        (reached.add if ticked else reached.discard)(objective)


def ask(name: str, question: Any, check: Callable, *, objective: str | None, following: dict[str, Any]) -> None:
    """Draw a question and deal with the answer.

    `name` tells it from all others; `check` gives a verdict on what was typed; a right answer reaches `objective`;
    `following` are the controls that make the next question.
    """
    st.markdown(f"**{plain(question.prompt)}**")
    write_out(r" \qquad ".join(f"{_symbol(key)} = {_value(value)}" for key, value in question.given.items()))
    n, key, counts = np.size(question.answer), run.key(f"answer.{name}"), score()
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    typed = left.text_input(
        "Your answer: 1 number" if n == 1 else f"Your answer: {n} numbers, with spaces between them",
        key=key,
        max_chars=300,
        placeholder="0.25" if n == 1 else " ".join(["0.25"] * n),
        on_change=_answered,
        args=(counts, key, name, question, check, objective, _box(objective)),
    )
    values = {run.key(control): value for control, value in following.items()}
    right.button(
        "Next question",
        key=run.key("next"),
        icon=":material/arrow_forward:",
        width="stretch",
        on_click=controls.assign,
        args=(values,),
    )
    if typed and typed.strip():
        verdict = check(question, typed)
        (st.success if verdict.correct else st.warning)(plain(verdict.message))
    hint, solution = st.columns(2)
    with hint.expander("Hint", key=run.key(f"hint.{name}"), icon=":material/lightbulb:"):
        st.markdown(plain(question.hint))
    with solution.expander(
        "Worked solution", key=run.key(f"solution.{name}"), on_change="rerun", icon=":material/school:"
    ) as box:
        if box.open:
            st.markdown("\n".join(f"1. {plain(line)}" for line in question.solution))
            if name not in counts.right:
                counts.looked_up.add(name)
    st.markdown(_told(counts))


def _box(objective: str | None) -> str:
    return run.key(f"objective.{objective}")


def _answered(
    counts: Score, key: str, name: str, question: Any, check: Callable, objective: str | None, box: str
) -> None:
    """Count an answer that could be read; after a look at the solution it counts no more. Runs before the page does."""
    verdict = check(question, st.session_state[key] or "")
    if verdict.values is None or name in counts.looked_up:
        return
    if verdict.correct:
        counts.right.add(name)
        if name not in counts.tried:
            counts.first.add(name)
        if objective:
            counts.reached.add(objective)
            st.session_state[box] = True
    counts.tried.add(name)


def _told(counts: Score) -> str:
    tried = len(counts.tried)
    if not tried and not counts.looked_up:
        return "Score of this visit: no question answered yet."
    looked = f", {len(counts.looked_up)} looked up" if counts.looked_up else ""
    answered = f"**{len(counts.right)} of {tried}** answered right, {len(counts.first)} at the first try"
    return f"Score of this visit: {answered}{looked}."


def _symbol(name: str) -> str:
    """A name as the formulas write it.

    >>> _symbol("d_k"), _symbol("d_model"), _symbol("logits")
    ('d_{k}', 'd_{\\\\text{model}}', '\\\\text{logits}')
    """
    parts = [part if len(part) == 1 else rf"\text{{{part}}}" for part in name.split("_")]
    return parts[0] + (f"_{{{parts[1]}}}" if len(parts) > 1 else "")


def _value(value: Any) -> str:
    r"""Numbers as short as they are, a matrix in brackets, yes or no.

    >>> _value(np.array([1.0, -0.5])), _value(True)
    ('\\left[1,\\; -0.5\\right]', '\\text{yes}')
    """
    if isinstance(value, bool):
        return r"\text{yes}" if value else r"\text{no}"
    if np.ndim(value) == 0:
        return parse.digits(float(value))
    if np.ndim(value) == 1:
        return r"\left[" + r",\; ".join(map(parse.digits, np.asarray(value).tolist())) + r"\right]"
    rows = r" \\ ".join(" & ".join(map(parse.digits, row)) for row in np.asarray(value).tolist())
    return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"
