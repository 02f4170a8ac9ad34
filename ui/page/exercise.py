"""Practice: a question, a box for the answer, a hint, the worked solution on demand, and the score of the visit."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from ui import run
from ui.page import controls
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
    """The objectives with a box each: ticked by hand, or by a right answer. None stand beside a question of the lab."""
    if run.current().asked:
        return
    reached = score().reached
    st.caption("Objectives: a right answer in the practice ticks one, or tick it yourself")
    columns = [column for _ in range(0, len(objectives), 2) for column in st.columns(2)]
    for column, objective in zip(columns, objectives, strict=False):
        run.current().ticks.append(_box(objective))
        ticked = column.checkbox(objective, objective in reached, key=_box(objective))
        (reached.add if ticked else reached.discard)(objective)


def pose(question: Any) -> None:
    """What is asked, over the picture of what is given."""
    st.markdown(f"**{plain(question.prompt)}**")


def ask(name: str, question: Any, check: Callable, *, objective: str | None, following: dict[str, Any]) -> bool:
    """Draw what a question is answered with and deal with the answer; whether it is known by now.

    `name` tells it from all others; `check` gives a verdict on what was typed; a right answer reaches `objective`;
    `following` are the controls that make the next question. One that the lab itself asks is answered in its card: what
    stands here is the worked solution, once it is shown.
    """
    n, key, counts = np.size(question.answer), run.key(f"answer.{name}"), score()
    if asked := run.current().asked:
        if not asked.open:
            _work_out(name, question, counts)
        return not asked.open
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
            _work_out(name, question, counts)
    st.markdown(_told(counts))
    return name in counts.right | counts.looked_up


def _work_out(name: str, question: Any, counts: Score) -> None:
    """The worked solution; who has seen it before a right answer has looked it up."""
    st.markdown("\n".join(f"1. {plain(line)}" for line in question.solution))
    if name not in counts.right:
        counts.looked_up.add(name)


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
