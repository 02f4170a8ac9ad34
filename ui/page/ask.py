"""Predict, see, understand: the questions of a lab beside its pictures.

A question is data. Its beginning is put on screen with the answer covered; the visitor predicts; "Show" makes the
change, the pictures keep their ghosts, and one sentence with the numbers of both states says why.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from ui import run
from ui.page import controls
from ui.run import Asked, Control, Pin, Seen
from ui.words import number, plain

Answer = tuple[Any, str]  # what is right, and one sentence why


class Question(NamedTuple):
    """One thing to predict.

    `before` is the state it starts from and `after` what Show changes, by the short names of controls; all others stand
    at their defaults. `answer(before, after)` is what is right and why, made from the two states as `run.Seen`. The
    visitor picks one of `options`, types a number that counts when it is `within` so much of the right one, or clicks
    in the picture `click`, where right is what the click must have, such as {"row": 3}. `cover` names the pictures
    that would tell, or matrices of one, as "four.Weights".
    """

    title: str
    ask: str
    answer: Callable[[Seen, Seen], Answer]
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    options: tuple[str, ...] = ()
    within: float | None = None
    click: str = ""
    cover: tuple[str, ...] = ()


class Endless(NamedTuple):
    """A kind of question that never ends: `make(rng)` draws one, the same for the same round in the link."""

    title: str
    make: Callable[[np.random.Generator], Question]


Asking = Question | Endless
EXPLORE, AGAIN, MOST_ROUNDS = "explore", "again", 9_999


def begin(questions: Sequence[Asking]) -> None:
    """The bar that chooses between exploring and the questions, and the state of the one on screen; in the panel."""
    if not questions:
        return
    now, key = run.current(), run.key("ask")
    options = [EXPLORE, *(AGAIN if isinstance(q, Endless) else str(i + 1) for i, q in enumerate(questions))]
    _follow_link(questions, options)
    shown = {EXPLORE: "Explore", AGAIN: "∞"}
    chosen = st.segmented_control(
        "Explore, or predict first",
        options,
        default=EXPLORE,
        required=True,
        key=key,
        format_func=lambda option: shown.get(option, f"Ask {option}" if option == "1" else option),
        bind="query-params",
        on_change=lambda: _open(now.slug, questions, st.session_state[key], _defaults()),
    )
    _own("ask", chosen or EXPLORE, EXPLORE)
    if chosen in (None, EXPLORE):
        return
    with st.container(key=run.key("asked.out_of_sight")):
        shown_now = bool(st.toggle("Shown", False, key=run.key("shown"), bind="query-params"))
        _own("shown", shown_now, False)
        number_of = 1
        if chosen == AGAIN:
            number_of = int(st.number_input("Round", 1, MOST_ROUNDS, 1, key=run.key("round"), bind="query-params"))
            _own("round", number_of, 1)
    question = _question(questions, chosen, number_of, now.slug)
    ask = f"{chosen}.{number_of}"
    passing = st.session_state.get("ask.passing") == ask
    now.asked = Asked(ask, passing or not shown_now, question.cover, question.click, partial(_given, now.slug, ask))
    now.remember()
    now.card = st.container(key="ask_card")


def finish(questions: Sequence[Asking]) -> None:
    """Fill the card, once the page has computed everything; remember the beginning of an open question."""
    now = run.current()
    if not now.asked:
        return
    ask = now.asked.ask
    chosen, round_of = ask.split(".")
    question = _question(questions, chosen, int(round_of), now.slug)
    if st.session_state.get("ask.passing") == ask:  # a link to a shown question: its beginning has now been computed
        del st.session_state["ask.passing"]
        now.keep(ask)
        st.session_state["ask.then"] = _full(now.slug, question.before | question.after)
        st.rerun()
    if now.asked.open:
        if _stands(question.before):
            now.keep(ask)
        st.session_state.pop("ask.verdict", None)
    with now.card:
        _card(questions, question, chosen, int(round_of))


def _card(questions: Sequence[Asking], question: Question, chosen: str, round_of: int) -> None:
    now, slug = run.current(), run.current().slug
    asked = now.asked
    go = lambda state, shown=False, to=chosen, turn=round_of: {
        "on_click": _go,
        "args": (slug, _defaults() | _full(slug, state), to, shown, turn),
    }
    names = {*question.before, *question.after}
    kept = "".join(f":not(.{_css(run.key(name))}):not(:has(.{_css(run.key(name))}))" for name in names)
    st.html(f"<style>.st-key-panel > *:not(:has(.st-key-ask_card, .{_css(run.key('ask'))})){kept} {{ display: none; }}</style>")
    st.markdown(f"**{plain(question.title)}**  \n{question.ask}")
    given = _field(question, asked)
    if asked.open:
        st.button("Show", key="ask_show", type="primary", width="stretch", shortcut=None, **go(question.before | question.after, True))
    else:
        st.markdown(_verdict(question, given))
        st.button("Back to before", key="ask_before", width="stretch", **go(question.before))
    options = [AGAIN if isinstance(q, Endless) else str(i + 1) for i, q in enumerate(questions)]
    turn = round_of % MOST_ROUNDS + 1 if chosen == AGAIN else 1
    after = chosen if chosen == AGAIN else options[(options.index(chosen) + 1) % len(options)]
    following = _question(questions, after, turn, slug)
    st.button(
        "Another one like it" if chosen == AGAIN else "Next question",
        key="ask_next",
        width="stretch",
        **go(following.before, to=after, turn=turn),
    )


def _field(question: Question, asked: Asked) -> Any:
    """What the visitor predicts: a choice, a number, or a click."""
    key = f"{run.current().slug}.given.{asked.ask}"
    if question.click:
        given = st.session_state.get(key)
        if asked.open:
            place = "" if not given else f" Chosen: row {given['row']}, column {given['column']}." if given.get("row") is not None else " Chosen."
            st.caption(f"Answer by a click in the picture.{place}")
        return given
    closed = {"disabled": not asked.open, "label_visibility": "collapsed"}
    if question.options:
        given = st.radio("Your prediction", question.options, index=_index(question, key), key=f"{key}.field", **closed)
    else:
        given = st.number_input("Your prediction", value=st.session_state.get(key), key=f"{key}.field", step=None, format="%.3f", placeholder="a number", **closed)
    if given is not None:
        st.session_state[key] = given  # a field that is not drawn forgets what was typed
    return st.session_state.get(key)


def _index(question: Question, key: str) -> int | None:
    given = st.session_state.get(key)
    return question.options.index(given) if given in question.options else None


def _verdict(question: Question, given: Any) -> str:
    """Right or not, and why; said once, so that it stays true of what was asked while the visitor goes on."""
    now = run.current()
    ask = now.asked.ask
    said = st.session_state.get("ask.verdict")
    if said and said[0] == (now.slug, ask):
        return said[1]
    pin = now.pin
    if pin is None or now.seen is None:
        return ""
    right, why = question.answer(pin.seen, now.seen)
    good, shown = _judged(question, right, given)
    head = "" if given is None else "**Right.** " if good else f"**Not so{f': {shown}' if shown else ''}.** "
    if given is None and shown:
        head = f"**{shown[0].upper() + shown[1:]}.** "
    if given is not None:
        score = st.session_state.setdefault("ask.score", {}).setdefault(now.slug, {})
        score.setdefault(ask, good)
    st.session_state["ask.verdict"] = ((now.slug, ask), head + why)
    return head + why


def _judged(question: Question, right: Any, given: Any) -> tuple[bool, str]:
    """Whether a prediction is right, and what would have been, in words."""
    if question.click:
        return bool(given) and all(given.get(part) == value for part, value in right.items()), ""
    if question.options:
        if right not in question.options:
            raise KeyError(f"{question.title!r} has no option {right!r}")
        return given == right, plain(right)
    return given is not None and abs(given - right) <= question.within + 1e-9, number(right)


def _question(questions: Sequence[Asking], chosen: str, round_of: int, slug: str) -> Question:
    if chosen == AGAIN:
        endless = next(q for q in questions if isinstance(q, Endless))
        return endless.make(np.random.default_rng([round_of, sum(map(ord, slug))]))
    return questions[int(chosen) - 1]


def _full(slug: str, values: dict[str, Any]) -> dict[str, Any]:
    return {f"{slug}.{name}": controls.as_text(value) for name, value in values.items()}


def _defaults() -> dict[str, Any]:
    return {key: control.default for key, control in run.current().controls.items() if not control.kept}


def _open(slug: str, questions: Sequence[Asking], chosen: str, defaults: dict[str, Any]) -> None:
    """The bar was moved: the beginning of a question comes on screen; exploring goes on from what is there."""
    if chosen == EXPLORE:
        st.session_state[f"{slug}.shown"] = False
        return
    _go(slug, defaults | _full(slug, _question(questions, chosen, 1, slug).before), chosen, False, 1)


def _go(slug: str, values: dict[str, Any], chosen: str, shown: bool, round_of: int) -> None:
    own = {f"{slug}.ask": chosen, f"{slug}.shown": shown, f"{slug}.round": round_of}
    controls.assign(values | own)
    run.renew_address()


def _follow_link(questions: Sequence[Asking], options: list[str]) -> None:
    """A link to a question: what it does not say stands as the question begins; a shown one is begun first."""
    now, key = run.current(), run.key("ask")
    for name, value in st.session_state.pop("ask.then", {}).items():
        st.session_state[name] = value
    raw = run.from_link(key)
    if raw is None or raw not in options:
        return
    first = st.query_params.get(run.key("round"), "1")
    turn = int(first) if first.isdecimal() and 1 <= int(first) <= MOST_ROUNDS else 1
    if raw == EXPLORE:
        return
    question = _question(questions, raw, turn, now.slug)
    if st.query_params.get(run.key("shown"), "").lower() == "true":
        st.session_state["ask.passing"] = f"{raw}.{turn}"
        for name, value in _full(now.slug, question.before).items():
            st.session_state[name] = value
    else:
        for name, value in _full(now.slug, question.before).items():
            if name not in st.query_params:
                st.session_state[name] = value


def _stands(values: dict[str, Any]) -> bool:
    """Whether every control stands as a state says."""
    wanted = _full(run.current().slug, values)
    own = {run.key(name) for name in ("ask", "shown", "round")}
    return all(
        control.value == wanted[key] if key in wanted else control.in_link is None or control.kept
        for key, control in run.current().controls.items()
        if key not in own
    )


def _given(slug: str, ask: str, clicked: dict) -> None:
    st.session_state[f"{slug}.given.{ask}"] = clicked


def _own(name: str, value: Any, default: Any) -> None:
    in_link = None if value == default else [str(value).lower() if isinstance(value, bool) else str(value)]
    key = run.key(name)
    run.current().controls[key] = Control(default, in_link, lambda v: None, value, name)


def _css(key: str) -> str:
    return "st-key-" + "".join(c if c.isalnum() or c in "_-" else "-" for c in key)
