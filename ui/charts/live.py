"""Draws a figure in the browser and changes it in place; stock sliders then follow while they are dragged.

The browser half is live.js and its parts. It uses the plotly.js that Streamlit ships; where that cannot be
found, here or by the browser, `st.plotly_chart` draws instead, and everything works but clicks and players.
"""

import json
import re
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from plotly.io.json import to_json_plotly

from ui import glossary, run
from ui.charts import theme
from ui.charts.cover import cover
from ui.charts.figure import parts, to_json
from ui.charts.ghosts import behind, changes
from ui.charts.hands import Handle, handles_of, held, hold, setters

CHUNK = next((p.name for p in (Path(st.__file__).parent / "static/static/js").glob("PlotlyChart.*.js")), None)

EVERY = 350  # ms between two steps of a control that is played
PACK_FROM = 3_000  # characters; a larger figure travels compressed, in a third of the bytes

_PARTS = (
    "live",
    "player",
    "sliders",
    "history",
    "room",
    "keys",
    "hold",
    "cells",
    "handles",
    "points",
    "follow",
    "words",
    "table",
    "place",
    "fit",
    "tell",
    "stage",
)
_SCRIPT = "".join((Path(__file__).parent / f"{name}.js").read_text("utf-8") for name in _PARTS)
_SCRIPT = re.sub(r"^\s*(//.*\n)?", "", _SCRIPT, flags=re.M)  # without indents and comments
_HTML = (
    '<figure></figure>\n<div class="lab-player" hidden><button type="button">Play</button>'
    '<input type="range" min="0" aria-label="Step"><output></output></div>'
)
_CSS = (Path(__file__).parent / "live.css").read_text("utf-8")
_HAND_ON = """export default (mounted) => {
  const charts = (window.labCharts ??= []);
  charts.push(mounted);
  if (!charts.facts) setTimeout(() => window.labCharts.facts || mounted.setTriggerValue("missed", true), 2000);
  return () => window.labCharts.drop?.(mounted);
}"""
_boot = st.components.v2.component("lab_boot", html="<i></i>", js=_SCRIPT, isolate_styles=False)
_SET_ADDRESS = """export default ({ data }) => {
  const app = document.querySelector("[data-testid=stApp]");
  const ended = () => app.dataset.testScriptState === "notRunning";
  let later;
  const set = () => window.labAddress ? window.labAddress(data) : (later = setTimeout(set, 50));  // still on its way
  const watch = new MutationObserver(() => ended() && (watch.disconnect(), set()));  // as this run ends
  if (ended()) set();
  else watch.observe(app, { attributeFilter: ["data-test-script-state"] });
  return () => (watch.disconnect(), clearTimeout(later));
}"""
_address = st.components.v2.component("lab_address", html="<i></i>", js=_SET_ADDRESS, isolate_styles=False)
_chart = st.components.v2.component("lab_chart", html=_HTML, js=_HAND_ON, isolate_styles=False)


def start(stage: dict[str, Any], css: str = "") -> None:
    """Bring the browser half to the page: the frame calls this once a run, and the first run of a session carries it.

    A chart that misses it, because that run was overtaken on its way, asks for it again. `stage` is for stage.js, `css`
    what the pages look like: the browser keeps it for the visit.
    """
    if not CHUNK:
        return
    if sent():
        st.empty()
    else:
        _boot(key="lab_boot", data=_facts() | {"stage": stage, "css": css + _CSS})


def sent() -> bool:
    """Whether the browser has it all."""
    return bool(CHUNK and st.session_state.get("live.sent"))


def _facts() -> dict[str, Any]:
    """What the browser half needs to know, once a visit."""
    words = [{"forms": [one.word, *one.also], "meaning": one.meaning} for one in glossary.ENTRIES]
    return {"chunk": CHUNK, "dark": theme.DARK, "template": theme.TEMPLATE, "words": words}


def started() -> None:
    """The run that brought it has come to its end: it need not be sent again."""
    st.session_state["live.sent"] = True


def set_address(query: str) -> None:
    """Make the browser's address say `query` once this run has ended."""
    _address(key="lab_address", data={"query": query, "at": time.time_ns()})  # the same query is set again


def show(
    name: str,
    figure: go.Figure,
    alt: str,
    *,
    drags: Sequence[Handle] = (),
    plays: tuple[str, int, int] | None = None,
    **picks: str | Callable[[dict], Any],
) -> None:
    """Draw `figure` under a name of its own; the one place that hands a figure to Streamlit.

    `alt` says in a sentence what the picture shows. `picks` are the controls that a click sets, each with what it
    takes from the click: query="row" sets the control `query` to the row of the clicked cell. What a click has:
    "row", "column" (of a heatmap), "panel" (which of several), "point" (of a line or bar), "x", "y" (on the axes),
    "curve". A function of all that makes the value itself, or None to leave the control alone.
    `drags` are what can be taken hold of besides the cells of matrices; a control that a click sets to a place on an
    axis has a handle there by itself. `plays` = (control, first, last) puts a player under the picture that steps a
    control of whole numbers.
    "step" is where a player came to rest. A figure has one if its layout's meta holds {"play": {"traces": [which of its
    traces grow], "steps": the last step, "step": today's, "follow": True to leave the bar to another figure}}.
    """
    key, now = run.key(f"chart.{name}"), run.current()
    if now.asked and now.asked.look and name not in now.asked.look:
        return
    now.figures[name] = parts(figure)
    if now.pin and name in now.pin.figures:
        now.changes += changes(figure, now.pin.figures[name])
        figure = behind(figure, now.pin.figures[name])
    if now.asked and (hidden := now.asked.hides(name)) is not None:
        figure, alt = cover(figure, hidden), "A picture that is covered until you answer."
    if not CHUNK or st.session_state.get("live.stock"):
        figure = go.Figure(figure).update_layout(template=theme.TEMPLATE)
        if st.context.theme.type == "dark":
            figure = go.Figure(json.loads(theme.in_dark(to_json_plotly(figure))))
        st.plotly_chart(figure, key=key, theme=None)
        return
    chosen = [(of, run.setter(control)) for control, of in picks.items()]
    handles = () if now.asked else (*handles_of(picks), *drags)
    edits = {} if now.asked else now.edits()
    held_there = hold(handles, edits)
    if now.asked and now.asked.open and now.asked.click:
        answers = name == now.asked.click
        chosen, held_there = [(dict, now.asked.answer)] if answers else [], {"answers": answers}
    spec = to_json(figure)
    packed = len(spec) > PACK_FROM
    drawing = {"packed": b64encode(zlib.compress(spec.encode(), 1)).decode()} if packed else {"spec": spec}
    data = drawing | {"alt": alt, "clickable": bool(chosen), "hold": held_there}
    if plays and not now.asked:
        control, first, last = plays
        data["play"] = {
            "first": first,
            "steps": last,
            "step": int(now.controls[run.key(control)].value),
            "every": EVERY,
        }
        chosen.append(("step", run.setter(control)))
    _chart(
        key=key,
        data=data,
        on_clicked_change=lambda: _picked(key, chosen),
        on_held_change=partial(held, key, setters(handles), edits),
        on_missed_change=_missed,
        on_stock_change=_stock,
    )


def _picked(key: str, setters: list[tuple]) -> None:
    clicked = st.session_state[key].get("clicked") or {}
    for of, setter in setters if clicked else ():
        with suppress(LookupError, TypeError, ValueError):  # a click on a larger chart, which an earlier run drew
            value = of(clicked) if callable(of) else clicked.get(of)
            if value is not None:
                setter(float(value) if of in ("x", "y") else value)


def _missed() -> None:
    st.session_state["live.sent"] = False


def _stock() -> None:
    st.session_state["live.stock"] = True
