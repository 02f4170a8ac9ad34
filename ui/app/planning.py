"""Plans on Home: the built-in ones, and a teacher's own, arranged here and handed on as a link."""

from html import escape

import streamlit as st

from ui.app import corner, plans
from ui.app.plans import MOST_MINUTES, Plan
from ui.catalogue import Lab
from ui.words import counted, plain


def show(by_slug: dict[str, Lab]) -> None:
    """The plans beside each other, each lab with its minutes and a link; below them the own one, where
    the address has none: that stands first on Home."""
    st.caption(
        "Each lab has three to five prepared states, mostly questions. → and ← walk them, Space shows an answer, F "
        "fills the screen with one picture for a projector, ↓ goes to the next row where a lab has rows."
    )
    for column, (code, labs) in zip(st.columns(len(plans.MINUTES)), plans.MINUTES.items(), strict=True):
        with column.container(border=True):
            st.markdown(f"**{code} minutes**")
            for slug, share in labs.items():
                if slug in by_slug:
                    lab = by_slug[slug]
                    st.page_link(lab.file, label=f"{lab.title} · {share} min", icon=lab.icon)
            walked = plans.built_in(code)
            left, right = st.columns(2)
            with left:
                _begin(walked, code)
            right.button(
                "Arrange it your way", key=f"plan.from.{code}", type="tertiary", on_click=corner.put, args=(walked,)
            )
    if corner.current() is None:
        own()


def _begin(plan: Plan, code: str, key: str = "") -> None:
    """The button that opens the first state of a plan on the stage; → does so too where `key` says it."""
    go = escape(f"{corner.way(plan, code, 1)}&view=stage")
    st.html(f'<div class="lab-corner"><button data-go="{go}" {key}>▶ Walk it</button></div>')


def own() -> None:
    """The plan in the address, to arrange."""
    st.subheader("Your own plan", anchor=False)
    place, code, plan = corner.current() or (0, "", Plan("My plan"))
    if not plan.states:
        st.caption("“Add to plan” in the corner of every lab puts its state here; a link pasted below does too.")
    if fault := st.session_state.pop("plan.said", ""):
        st.warning(fault, icon=":material/link_off:")
    for key, value in {"plan.name": plan.name, "plan.paste": ""}.items():
        st.session_state[key] = value
    left, right = st.columns(2)
    left.text_input("Name of the plan", key="plan.name", max_chars=plans.LONGEST_NAME, on_change=_rename, args=(plan,))
    hint = "https://…/softmax?softmax.ask=2"
    right.text_input("Paste a lab's link", key="plan.paste", placeholder=hint, on_change=_paste, args=(plan,))
    if not plan.states:
        return
    for i, state in enumerate(plan.states):
        minutes, title, up, out = st.columns([1, 7, 1, 1], vertical_alignment="center")
        key = f"plan.minutes.{i}"
        st.session_state[key] = state.minutes
        label = f"Minutes for state {i + 1}"
        minutes.number_input(
            label, 0, MOST_MINUTES, key=key, label_visibility="collapsed", on_change=_time, args=(plan, i)
        )
        title.markdown(f"{i + 1} · {plain(state.title)}")
        up.button("↑", key=f"plan.up.{i}", disabled=not i, on_click=_move, args=(plan, i), help="Earlier")
        out.button("✕", key=f"plan.out.{i}", on_click=_leave_out, args=(plan, i), help="Leave out")
    size = f"{counted(len(plan.states), 'state', 'states')}, {counted(plan.minutes, 'minute', 'minutes')}"
    st.caption(f"{plain(plan.name)}: {size}. Its link, for whoever teaches it:")
    base = (st.context.url or "/").split("?")[0]
    st.code(f"{base}?plan=1.{code}", language=None, wrap_lines=True)
    _begin(plan, code, 'data-step="1"')


def _put(plan: Plan) -> None:
    """For a callback: the plan as arranged, or a sentence why not."""
    try:
        corner.put(plan)
    except ValueError as error:
        st.session_state["plan.said"] = str(error)


def _rename(plan: Plan) -> None:
    _put(plan._replace(name=st.session_state["plan.name"]))


def _paste(plan: Plan) -> None:
    try:
        _put(plan._replace(states=(*plan.states, plans.prepared(st.session_state["plan.paste"]))))
    except ValueError as error:
        st.session_state["plan.said"] = str(error)


def _time(plan: Plan, i: int) -> None:
    minutes = st.session_state[f"plan.minutes.{i}"]
    _put(plan._replace(states=tuple(s._replace(minutes=minutes) if j == i else s for j, s in enumerate(plan.states))))


def _move(plan: Plan, i: int) -> None:
    states = list(plan.states)
    states.insert(i - 1, states.pop(i))
    _put(plan._replace(states=tuple(states)))


def _leave_out(plan: Plan, i: int) -> None:
    _put(plan._replace(states=plan.states[:i] + plan.states[i + 1 :]))
