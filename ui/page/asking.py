"""The bar that chooses a question, its card, and what is kept to compare with: `ask` on screen."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from ui import run
from ui.page import controls
from ui.page.ask import AGAIN, EXPLORE, MOST_ROUNDS, Asking, Question, judged, names, question_of
from ui.run import Control
from ui.seen import Asked
from ui.words import plain


def begin(questions: Sequence[Asking]) -> None:
    """The bar that chooses between exploring and the questions, and the state of the one on screen; in the panel."""
    if not questions:
        return
    now, key, options = run.current(), run.key("ask"), [EXPLORE, *names(questions)]
    _follow_link(questions, options)
    chosen = st.segmented_control(
        "Explore, or predict first",
        options,
        default=EXPLORE,
        required=True,
        key=key,
        help="A number is a question: predict, then see. More never ends. Keys: N next, Space show, B before.",
        bind="query-params",
        on_change=lambda: _chosen(now.slug, questions, st.session_state[key], now.faults),
    )
    _own("ask", chosen or EXPLORE, EXPLORE)
    if chosen in (None, EXPLORE):
        _pinning()
        return
    turn = 1
    with st.container(key=run.key("asked.out_of_sight")):
        shown = bool(st.toggle("Shown", False, key=run.key("shown"), bind="query-params"))
        _own("shown", shown, False)
        if chosen == AGAIN:
            turn = int(st.number_input("Round", 1, MOST_ROUNDS, 1, key=run.key("round"), bind="query-params"))
            _own("round", turn, 1)
    question, ask = question_of(questions, chosen, turn, now.slug), f"{chosen}.{turn}"
    still_open = not shown or st.session_state.get("ask.passing") == ask
    now.asked = Asked(ask, still_open, question.look, question.cover, question.click, partial(_clicked, now.slug, ask))
    now.remember()
    now.card = st.container(key="ask_card")


def finish(questions: Sequence[Asking]) -> None:
    """Fill the card, once the page has computed everything; remember the beginning of an open question."""
    now = run.current()
    if now.card and now.changes and not now.asked:
        now.card.caption(_changed_most(now.changes))
    if not now.asked or not now.card:
        return
    chosen, turn = now.asked.ask.split(".")
    question = question_of(questions, chosen, int(turn), now.slug)
    if st.session_state.get("ask.passing") == now.asked.ask:  # a link to a shown question: to its beginning, then back
        changed = _full(now.slug, question.after)
        opening = {key: control.default for key, control in now.controls.items() if key in changed}
        begun = opening | _full(now.slug, question.before)
        arrived = "ask.on_the_way" in st.session_state
        if arrived:
            del st.session_state["ask.passing"], st.session_state["ask.on_the_way"]
            now.keep(now.asked.ask)
        else:
            st.session_state["ask.on_the_way"] = True
        st.session_state["ask.then"] = begun | changed if arrived else begun
        st.rerun()
    if now.asked.open and (_stands(question.before) or not now.has_kept(now.asked.ask)):
        now.keep(now.asked.ask)
    with now.card:
        _card(questions, question, now.asked, chosen, int(turn))


def _pinning() -> None:
    """The buttons that keep the state on screen to compare with or let it go, and that take the last step back."""
    now = run.current()
    now.keeps = st.session_state.pop("ask.keep", False)
    kept = now.keeps or now.pin is not None
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Let go of before" if kept else "Keep to compare",
            key="keep",
            icon=":material/keep_off:" if kept else ":material/keep:",
            type="tertiary",
            on_click=_pin,
            args=(not kept,),
            help="Pictures and sentences then show what they were at this moment, beside now. Key: P. Kept for this "
            "visit.",
        )
        undo = "Takes back the last step in this lab. Ctrl+Z; again with Ctrl+Y."
        st.button("Undo", key="undo", icon=":material/undo:", type="tertiary", help=undo)  # history.js answers it
    now.card = st.container() if kept else None


def _changed_most(changes: list[tuple[float, str]], most: int = 2) -> str:
    """The numbers that lie furthest from before."""
    return f"Changed most: {plain('; '.join(text for _, text in sorted(changes, reverse=True)[:most]))}."


def _pin(keep: bool) -> None:
    st.session_state["ask.keep"] = keep
    if not keep:
        run.let_go()


def _card(questions: Sequence[Asking], question: Question, asked: Asked, chosen: str, turn: int) -> None:
    slug = run.current().slug
    shown = [run.key(name) for name in ("ask", *question.after)]
    hidden = "".join(f":not(.{_css(key)}, :has(.{_css(key)}))" for key in shown)
    every = ":is(.st-key-panel, .st-key-panel .stVerticalBlock) > *:not(:has(.st-key-ask_card), .st-key-ask_card *)"
    room = ".st-key-ask_card { gap: 0.5rem; } .st-key-panel textarea { max-height: 6rem; }"
    st.html(f"<style>{every}{hidden}, .st-key-panel summary {{ display: none; }} {room}</style>")
    st.markdown(f"**{plain(question.title)}**  \n{question.ask}")
    given = _field(question, asked)
    after = question.before | question.after
    all_names, again = names(questions), chosen == AGAIN
    following = chosen if again else all_names[(all_names.index(chosen) + 1) % len(all_names)]
    next_turn = turn % MOST_ROUNDS + 1 if again else 1
    begun = _full(slug, question_of(questions, following, next_turn, slug).before)
    if not asked.open:
        st.markdown(_verdict(question, asked, given))
        if run.current().changes:
            st.caption(_changed_most(run.current().changes))
    left, right = st.columns(2, gap="small")
    if asked.open:
        args = (slug, _full(slug, after), chosen, True, turn, run.current().faults)
        left.button("Show", key="ask_show", type="primary", width="stretch", on_click=_go, args=args)
    else:
        args = (slug, _full(slug, question.before), chosen, False, turn, run.current().faults)
        left.button("Before", key="ask_before", width="stretch", on_click=_go, args=args)
    args = (slug, begun, following, False, next_turn, run.current().faults)
    right.button("Another" if again else "Next", key="ask_next", width="stretch", on_click=_go, args=args)


def _field(question: Question, asked: Asked) -> Any:
    """What the visitor predicts: a choice, a number, or a click."""
    key = f"{run.current().slug}.given.{asked.ask}"
    given = st.session_state.get(key)
    if question.click:
        if asked.open:
            st.caption(f"Answer by a click in the picture.{' Chosen.' if given else ''}")
        return given
    if not asked.open:
        field = st.session_state.get(f"{key}.field")
        if field is not None:  # chosen in the very message that asked to be shown
            given = st.session_state[key] = field
        if given is not None:
            st.caption(f"Your prediction: {plain(given if isinstance(given, str) else f'{given:g}')}.")
        return given
    label, field_key = "Your prediction", f"{key}.field"
    if question.options:
        place = question.options.index(given) if given in question.options else None
        field = st.radio(label, question.options, place, key=field_key, label_visibility="collapsed")
    else:
        field = st.number_input(
            label,
            value=given,
            format="%.3f",
            key=field_key,
            placeholder="a number",
            label_visibility="collapsed",
        )
    if field is not None:
        st.session_state[key] = field  # a field that is not drawn forgets what it held
    return field if field is not None else given


def _verdict(question: Question, asked: Asked, given: Any) -> str:
    """Right or not, and why; said once, so that it stays true of what was asked while the visitor goes on."""
    now, said = run.current(), st.session_state.get("ask.verdict")
    place = (now.slug, asked.ask, given)
    if said and said[0] == place:
        return said[1]
    if now.pin is None or now.seen is None:
        return ""
    right, why = question.answer(now.pin.seen, now.seen)
    good, words = judged(question, right, given)
    if given is None:
        head = f"**{words[0].upper() + words[1:]}.** " if words else ""
    else:
        head = "**Right.** " if good else f"**Not so{f': {words}' if words else ''}.** "
        st.session_state.setdefault("ask.score", {}).setdefault(now.slug, {}).setdefault(asked.ask, good)
    st.session_state["ask.verdict"] = (place, head + why)
    return head + why


def score() -> dict[str, tuple[int, int]]:
    """By lab, how many questions this visit has answered and how many of them rightly."""
    kept = st.session_state.get("ask.score", {})
    return {slug: (len(answers), sum(answers.values())) for slug, answers in kept.items()}


def _full(slug: str, values: dict[str, Any]) -> dict[str, Any]:
    return {f"{slug}.{name}": controls.as_text(value) for name, value in values.items()}


def _chosen(slug: str, questions: Sequence[Asking], chosen: str, faults: Sequence[str]) -> None:
    """The bar was moved: the beginning of a question comes on screen; exploring goes on from what is there."""
    if chosen == EXPLORE:
        return
    _go(slug, _full(slug, question_of(questions, chosen, 1, slug).before), chosen, False, 1, faults)


def _go(slug: str, values: dict[str, Any], chosen: str, shown: bool, turn: int, faults: Sequence[str] = ()) -> None:
    own = {f"{slug}.ask": chosen, f"{slug}.shown": shown, f"{slug}.round": turn}
    controls.assign(values | own | dict.fromkeys(faults), run.opening(slug))
    run.renew_address()


def _follow_link(questions: Sequence[Asking], options: list[str]) -> None:
    """A link to a question: what it does not say stands as the question begins; a shown one is begun first."""
    slug, key = run.current().slug, run.key("ask")
    st.session_state.update(st.session_state.pop("ask.then", {}))
    raw = (run.from_link(key) or [""])[-1]
    if raw not in options[1:]:
        return
    said = st.query_params.get(run.key("round"), "1")
    turn = int(said) if raw == AGAIN and said.isdecimal() and 1 <= int(said) <= MOST_ROUNDS else 1
    question = question_of(questions, raw, turn, slug)
    before = _full(slug, question.before)
    if st.query_params.get(run.key("shown"), "").lower() == "true":
        st.session_state["ask.passing"] = f"{raw}.{turn}"
    st.session_state.update({name: value for name, value in before.items() if name not in st.query_params})


def _stands(values: dict[str, Any]) -> bool:
    """Whether every control stands as a state says."""
    wanted, own = _full(run.current().slug, values), {run.key(name) for name in ("ask", "shown", "round")}
    return all(
        control.value == wanted[key] if key in wanted else control.in_link is None or control.kept
        for key, control in run.current().controls.items()
        if key not in own
    )


def _clicked(slug: str, ask: str, place: dict) -> None:
    st.session_state[f"{slug}.given.{ask}"] = place


def _own(name: str, value: Any, default: Any) -> None:
    """Make what a question stands at part of the link."""
    in_link = None if value == default else [str(value).lower() if isinstance(value, bool) else str(value)]
    run.current().controls[run.key(name)] = Control(default, in_link, lambda clicked: None, value, name)


def _css(key: str) -> str:
    """The class of the element whose key this is."""
    return "st-key-" + "".join(c if c.isalnum() or c in "_-" else "-" for c in key)
