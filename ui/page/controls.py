"""Widgets bound to the link: each returns a plain value that is always usable.

Give every control a short name; its key and URL parameter is `<lab>.<name>`. Junk in the link falls back to the default
with a notice. A text that cannot be read leaves the last good value in use, with a sentence that says what is wrong.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import run
from ui.page import parse
from ui.run import Control
from ui.words import shown


def folded(label: str) -> DeltaGenerator:
    """A part of the panel that opens on a click, for what is edited rarely; a question shows what it changes of it."""
    return st.expander(label, run.current().asked is not None, icon=":material/edit:")


def slider(name: str, label: str, low, high, default, *, step=None, format: str | None = None, help: str | None = None):
    """A number from low to high; whole numbers when all three are. `format` is printf's, such as "%.2f".

    Keep low and high fixed: Streamlit takes a slider with other limits for a new one, reads the old link into it, and
    refuses a value that an earlier run left outside them; such a value is brought inside.
    """
    key = run.key(name)
    kind = int if all(isinstance(v, int) for v in (low, high, default)) else float
    if low == high:  # nothing to choose
        return _register(key, label, kind(low), kind(low), lambda v: kind(low))
    step = kind(step or (1 if kind is int else (high - low) / 100))
    _check_link(key, label, lambda text: parse.number(text, low, high))
    _follow(key, kind(default))
    memory, held = run.memory(key), st.session_state.get(key)
    if held is not None and (memory.get("limits") != (low, high) or not low <= held <= high):
        st.session_state[key] = kind(min(max(held, low), high))
    memory["limits"] = low, high
    value = st.slider(
        label, kind(low), kind(high), kind(default), step, format, key=key, help=help, bind="query-params"
    )
    value = value if math.isfinite(value) else kind(default)
    snap = lambda v: kind(round(min(max(low + round((v - low) / step) * step, low), high), 12))
    return _register(key, label, value, kind(default), lambda v: snap(float(v)))


def stops(
    name: str, label: str, options: Sequence, default, *, show: Callable[[Any], str] = str, help: str | None = None
):
    """One of a list of values along a slider, such as powers of ten; `show` writes it there and in the link."""
    key = run.key(name)
    named = {show(option): option for option in options}
    _check_link(key, label, lambda text: parse.one_of(text, named))
    if st.session_state.get(key, show(default)) not in named:
        st.session_state[key] = show(default)
    chosen = st.select_slider(label, list(named), show(default), key=key, help=help, bind="query-params")
    return named[
        _register(key, label, chosen if chosen in named else show(default), show(default), _nearest(named, show))
    ]


def index(name: str, label: str, n: int, default: int = 0, *, help: str | None = None) -> int:
    """Which of n rows, columns, layers, heads or steps of what is on screen: it ends where they end, as n changes.

    One at its default, or at the end short of it, stays so. Starting over sets the default itself: the n of that state
    may have room for it.
    """
    key = run.key(name)
    options, start = [str(i) for i in range(n)], str(min(default, n - 1))
    _follow(key, start)
    if n == 1:  # nothing to choose
        st.session_state[key] = chosen = "0"
    else:
        _check_link(key, label, lambda text: parse.number(text, 0, n - 1, whole=True))
        moved, held = run.memory(key).get("n", n) != n, st.session_state.get(key)
        if held is not None and (moved or held not in options):  # a new widget to Streamlit, which reads the old link
            st.session_state[key] = held if held in options else options[-1]
        chosen = st.select_slider(label, options, start, key=key, help=help, bind="query-params")
    run.memory(key)["n"] = n
    clicked = lambda v: str(max(round(float(v)), 0))  # perhaps beyond the end of now: a click may bring another matrix
    value = _register(key, label, chosen if chosen in options else start, start, clicked)
    run.current().controls[key] = run.current().controls[key]._replace(default=str(default))
    return int(value)


def choice(
    name: str,
    label: str,
    options: Sequence[str],
    default: str | None = None,
    *,
    help: str | None = None,
    wide: bool = False,
    silent: bool = False,
) -> str:
    """One of a few named options: buttons where they fit (always with `wide`), a menu where they do not.

    `silent` buttons name what they choose to screen readers only.
    """
    key = run.key(name)
    options = list(options)
    default = options[0] if default is None else default
    _check_link(key, label, lambda text: parse.one_of(text, options))
    _follow(key, default)
    if st.session_state.get(key, default) not in options:
        st.session_state[key] = default
    if wide or (len(options) <= 4 and sum(map(len, options)) <= 26):
        more: dict[str, Any] = {"label_visibility": "collapsed" if silent else "visible", "help": help}
        value = st.segmented_control(
            label, options, default=default, required=True, key=key, bind="query-params", **more
        )
    else:
        value = st.selectbox(label, options, options.index(default), key=key, help=help, bind="query-params")
    return _register(key, label, value if value in options else default, default, _option(options, str))


def which(
    name: str,
    label: str,
    options: Sequence[str],
    default: str | None = None,
    *,
    help: str | None = None,
    wide: bool = False,
) -> int:
    """Like `choice`, but which of the options it is: an index."""
    options = list(options)
    return options.index(choice(name, label, options, default, help=help, wide=wide))


def several(
    name: str, label: str, options: Sequence[str], default: Sequence[str] = (), *, help: str | None = None
) -> list[str]:
    """Any number of a few named options, in their order."""
    key = run.key(name)
    options = list(options)
    _check_link(key, label, lambda text: parse.one_of(text, ["", *options]), many=True)
    _follow(key, list(default))
    if not set(st.session_state.get(key) or ()) <= set(options):  # of another model
        st.session_state[key] = [option for option in options if option in st.session_state[key]]
    value = st.pills(
        label, options, selection_mode="multi", default=list(default), key=key, help=help, bind="query-params"
    )
    value = [option for option in options if option in (value or ())]
    flip = lambda clicked: [o for i, o in enumerate(options) if (o in value) != (i == clicked)]
    return _register(key, label, value, list(default), flip)


def toggle(name: str, label: str, default: bool = False, *, help: str | None = None) -> bool:
    """On or off."""
    key = run.key(name)
    _check_link(key, label, lambda text: parse.one_of(text.lower(), ("true", "false")))
    return _register(
        key, label, bool(st.toggle(label, default, key=key, help=help, bind="query-params")), default, bool
    )


def whole(name: str, label: str, low: int, high: int, default: int, *, help: str | None = None) -> int:
    """A whole number to type, where a slider would be too coarse."""
    key = run.key(name)
    _check_link(key, label, lambda text: parse.number(text, low, high, True))
    # as a float with no decimals: Streamlit's whole-number field breaks on a link that says 1e999
    value = st.number_input(
        label, float(low), float(high), float(default), 1.0, "%.0f", key=key, help=help, bind="query-params"
    )
    valid = value is not None and low <= value <= high
    return int(_register(key, label, float(round(value)) if valid else float(default), float(default), float))


def seed(name: str = "seed", label: str = "Seed", default: int = 0) -> int:
    """The number that makes random draws repeatable."""
    return slider(name, label, 0, 99, default, help="The same seed gives the same draws, on every machine.")


def text(
    name: str,
    label: str,
    default: str,
    read: Callable[[str], Any],
    *,
    height: int | None = None,
    limit: int = 2000,
    help: str | None = None,
    kept: bool = False,
) -> Any:
    """Free text read by `read`, which raises ValueError with a sentence; the last text it could read stays in use.

    One line without `height` (px), an area with it. Returns what `read` makes of the text. `kept`: it holds a visitor's
    work, which presets leave alone.
    """
    key = run.key(name)
    memory = run.memory(key)
    if memory.pop("junk", False):
        st.session_state[key] = default
    _follow(key, default)
    memory["junk"] = not _check_link(key, label, partial(_read, read=read, limit=limit))
    field = partial(st.text_area, height=height) if height else st.text_input
    written = field(label, default, max_chars=limit, key=key, help=help, bind="query-params") or ""
    try:
        value = _read(written, read, limit)
        memory["good"] = written
    except ValueError as error:
        value, used = _stand_in(read, memory.get("good", default), default)
        st.error(f"{error} {used}".strip(), icon=":material/edit_off:")
        if not used:
            raise run.RefusedError from error
    _register(key, label, written, default, str, kept)
    return value


def _stand_in(read: Callable[[str], Any], good: str, default: str) -> tuple[Any, str]:
    """What is used in place of a text that cannot be read, and the sentence for it: "" where nothing can be."""
    with suppress(ValueError):
        return read(good), "The last good value stays in use."
    with suppress(ValueError):  # that one was good for another model
        return read(default), "The default stands in for it."
    return None, ""


def words(
    name: str, label: str, default: list[str], *, least: int = 1, most: int = 12, help: str | None = None
) -> list[str]:
    """Names separated by spaces, such as tokens."""
    read, about = partial(parse.words, least=least, most=most), f"{least} to {most} words, separated by spaces."
    return text(name, label, " ".join(default), read, limit=20 * most, help=help or about)


def as_text(value: Any) -> Any:
    """A value as its control holds it: a matrix as text, all others as they are."""
    return parse.rows(value) if isinstance(value, np.ndarray) else value


def assign(values: dict[str, Any], opening: dict[str, Any] | None = None) -> None:
    """Set controls by key, for a callback: the widgets and the link follow. Those of `opening` stay untouched."""
    for key, value in ((opening or {}) | values).items():
        st.session_state[key] = as_text(value)
    for key in values:
        run.memory(key).pop("default", None)


def _follow(key: str, default: Any) -> None:
    """An untouched control goes along where its default changes with the model; one that was set stays."""
    memory = run.memory(key)
    if memory.get("default", default) != default and st.session_state.get(key) == memory["default"]:
        st.session_state[key] = default
    memory["default"] = default


def _register(key: str, label: str, value, default, convert: Callable[[Any], Any], kept: bool = False):
    many = value if isinstance(value, list) else [value]
    in_link = None if value == default else [parse.in_link(one) for one in many] or [""]

    def put(clicked):
        st.session_state[key] = convert(clicked)

    run.current().controls[key] = Control(default, in_link, put, value, label, kept)
    return value


def _option(options: list[str], show: Callable[[Any], str]) -> Callable[[Any], str]:
    def pick(clicked) -> str:
        return options[clicked] if isinstance(clicked, int) and 0 <= clicked < len(options) else show(clicked)

    return pick


def _nearest(named: dict[str, Any], show: Callable[[Any], str]) -> Callable[[Any], str]:
    """As `_option`; a place on an axis, a float, takes the number nearest to it."""
    pick = _option(list(named), show)
    return lambda clicked: (
        min(named, key=lambda name: abs(named[name] - clicked)) if isinstance(clicked, float) else pick(clicked)
    )


def _check_link(key: str, label: str, read: Callable[[str], Any], many: bool = False) -> bool:
    """Whether the link gives a control what it can use, or nothing; the rest is left out, with a notice."""
    given = run.from_link(key)
    given, left_out = given if many else given[-1:], 0
    for one in given:
        try:
            read(one)
        except ValueError as error:
            run.current().notice(f"The link's {label}, {shown(one)}, was left out: {str(error).rstrip('.?')}.")
            left_out += 1
    if left_out and left_out == len(given):
        run.leave_out(key)
    return not left_out


def _read(written: str, read: Callable[[str], Any], limit: int):
    if len(written) > limit:
        raise ValueError(f"At most {limit:,} characters; got {len(written):,}.")
    return read(written)
