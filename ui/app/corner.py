"""The corner of every page: to the stage and back, along a plan, and this state into a plan.

What the frame itself keeps in the address, `view=stage` and `plan=3.45`, goes along from page to page and never into
the link to a state.
"""

from contextlib import suppress
from html import escape
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ui import run
from ui.app import plans
from ui.app.plans import Plan

VIEWS = ["page", "stage"]


def begin() -> None:
    """Read what the address says of the view and the plan; both are bound, so that they stay in it."""
    if "view" in st.query_params or st.session_state.get("view") == "stage":
        st.segmented_control("View", VIEWS, default="page", required=True, key="view", bind="query-params")
    said = st.session_state.get("plan") or st.query_params.get("plan", "")
    if said and "plan" not in st.session_state:
        try:
            plans.at(said)
        except ValueError as error:
            st.session_state["plan.fault"] = f"The plan in the link was left out: {error}"
            with suppress(StreamlitAPIException):
                del st.query_params["plan"]
            return
    if said:
        st.text_input("Plan", key="plan", bind="query-params")


def tell_trouble() -> None:
    """Say on the page what was wrong with the plan of the link."""
    if fault := st.session_state.pop("plan.fault", ""):
        run.current().notice(fault)


def current() -> tuple[int, str, Plan] | None:
    """The place, the code and the plan that the address names."""
    said = st.session_state.get("plan")
    try:
        return plans.at(said) if said else None
    except ValueError:
        return None


def query() -> str:
    """What the address says of the frame's own."""
    kept = {"view": st.session_state.get("view"), "plan": st.session_state.get("plan")}
    return urlencode({name: value for name, value in kept.items() if value and value != "page"}, quote_via=quote)


def show() -> None:
    """Draw the corner of a lab, when everything on its page is known."""
    now, plan = run.current(), current()
    asked = ""
    if now.asked:  # the picture that answers first, unless all of it is covered
        look = now.asked.look
        asked = next((name for name in look if now.asked.hides(name) != ()), look[0] if look else "")
    place, code, walked = plan or (0, "", Plan(""))
    html = f'<div class="lab-corner" data-look="{escape(asked)}" data-plan="{escape(code)}">'
    if plan:
        html += _step(-1, "←", "Back in the plan", place - 1, code, walked)
        about = walked.states[place - 1].title if place else walked.name
        html += f'<span title="{escape(about)}">{place} of {len(walked.states)} ·</span>'
        html += f"<span><output></output> of {walked.minutes} min</span>"
        html += _step(1, "→", "On in the plan", place + 1, code, walked)
        go = escape(f"./?plan={place}.{quote(code)}")
        html += f'<button data-go="{go}" class="of-page" title="The plan on Home">Arrange</button>'
    html += '<button data-view="stage" class="of-page" title="For a projector. Key: F">Stage</button>'
    html += '<button data-view="page" class="of-stage" aria-label="Leave the stage" title="Keys: F, Escape">✕</button>'
    st.html(f"{html}</div>")
    link = f"{now.slug}?{run.query()}" if run.query() else now.slug
    about = "Beside those of the plan in the address" if plan else "Begins a plan, which you arrange on Home"
    st.button("Add to plan", key="add_to_plan", type="tertiary", on_click=add, args=(link,), help=f"{about}.")


def _step(by: int, sign: str, label: str, place: int, code: str, plan: Plan) -> str:
    if not 1 <= place <= len(plan.states):
        return f'<button disabled aria-label="{label}">{sign}</button>'
    return f'<button data-go="{escape(way(plan, code, place))}" data-step="{by}" aria-label="{label}">{sign}</button>'


def way(plan: Plan, code: str, place: int) -> str:
    """The link of a state of a plan, which goes along in it."""
    link = plans.whole(plan.states[place - 1])
    return f"{link}{'&' if '?' in link else '?'}plan={place}.{quote(code)}"


def add(link: str) -> None:
    """For a callback: one more state at the end of the plan in the address; of a new plan where there is none."""
    place, _, plan = current() or (0, "", Plan("My plan"))
    try:
        put(plan._replace(states=(*plan.states, plans.prepared(link))), place or 1)
    except ValueError as error:
        st.toast(f"Not added: {error}", icon=":material/block:")


def put(plan: Plan, place: int = 1) -> None:
    """For a callback: the address names this plan from now on."""
    st.session_state["plan"] = f"{place}.{plans.code_of(plan)}"
    run.renew_address()
