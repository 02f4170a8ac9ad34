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

from ui import parse, visit
from ui.visit import Control
from ui.worked import plain

_BOUND = {"bind": "query-params"}


def slider(name: str, label: str, low, high, default, *, step=None, format: str | None = None, help: str | None = None):
    """A number from low to high; whole numbers when all three are. `format` is printf's, such as "%.2f".

    Keep low and high fixed: Streamlit takes a slider with other limits for a new one, reads the old link into it, and
    refuses a value that an earlier run left outside them; such a value is brought inside.
    """
    key = visit.key(name)
    kind = int if all(isinstance(v, int) for v in (low, high, default)) else float
    if low == high:  # nothing to choose
        return _register(key, kind(low), kind(low), lambda v: kind(low))
    step = kind(step or (1 if kind is int else (high - low) / 100))
    _check_link(key, label, lambda text: parse.number(text, low, high))
    moved = st.session_state.get(f"{key}:limits") != (low, high)
    st.session_state[f"{key}:limits"] = low, high
    if key in st.session_state and (moved or not low <= st.session_state[key] <= high):
        st.session_state[key] = kind(min(max(st.session_state[key], low), high))
    value = st.slider(label, kind(low), kind(high), kind(default), step, format, key=key, help=help, **_BOUND)
    value = value if math.isfinite(value) else kind(default)
    snap = lambda v: kind(round(min(max(low + round((v - low) / step) * step, low), high), 12))
    return _register(key, value, kind(default), lambda v: snap(float(v)))


def steps(
    name: str, label: str, options: Sequence, default, *, show: Callable[[Any], str] = str, help: str | None = None
):
    """One of a list of values along a slider, such as powers of ten; `show` writes a value on the slider and in the link."""
    key = visit.key(name)
    named = {show(option): option for option in options}
    _check_link(key, label, lambda text: parse.one_of(text, named))
    if st.session_state.get(key, show(default)) not in named:
        st.session_state[key] = show(default)
    chosen = st.select_slider(label, list(named), show(default), key=key, help=help, **_BOUND)
    return named[_register(key, chosen if chosen in named else show(default), show(default), _nearest(named, show))]


def choice(
    name: str, label: str, options: Sequence[str], default: str | None = None, *, help: str | None = None, wide: bool = False,
) -> str:  # fmt: skip
    """One of a few named options: buttons where they fit (always with `wide`), a menu where they do not."""
    key = visit.key(name)
    options = list(options)
    default = options[0] if default is None else default
    _check_link(key, label, lambda text: parse.one_of(text, options))
    if st.session_state.get(key, default) not in options:
        st.session_state[key] = default
    if wide or (len(options) <= 4 and sum(map(len, options)) <= 26):
        value = st.segmented_control(label, options, default=default, required=True, key=key, help=help, **_BOUND)
    else:
        value = st.selectbox(label, options, options.index(default), key=key, help=help, **_BOUND)
    return _register(key, value if value in options else default, default, _option(options, str))


def several(
    name: str, label: str, options: Sequence[str], default: Sequence[str] = (), *, help: str | None = None
) -> list[str]:
    """Any number of a few named options, in their order."""
    key = visit.key(name)
    options = list(options)
    _check_link(key, label, lambda text: parse.one_of(text, ["", *options]))
    value = st.pills(label, options, selection_mode="multi", default=list(default), key=key, help=help, **_BOUND)
    value = [option for option in options if option in (value or ())]
    flip = lambda clicked: [o for i, o in enumerate(options) if (o in value) != (i == clicked)]
    return _register(key, value, list(default), flip)


def toggle(name: str, label: str, default: bool = False, *, help: str | None = None) -> bool:
    """On or off."""
    key = visit.key(name)
    _check_link(key, label, lambda text: parse.one_of(text.lower(), ("true", "false")))
    return _register(key, bool(st.toggle(label, default, key=key, help=help, **_BOUND)), default, bool)


def whole(name: str, label: str, low: int, high: int, default: int, *, help: str | None = None) -> int:
    """A whole number to type, where a slider would be too coarse."""
    key = visit.key(name)
    _check_link(key, label, lambda text: parse.number(text, low, high, True))
    # as a float with no decimals: Streamlit's whole-number field breaks on a link that says 1e999
    value = st.number_input(label, float(low), float(high), float(default), 1.0, "%d", key=key, help=help, **_BOUND)
    valid = value is not None and low <= value <= high
    return int(_register(key, float(round(value)) if valid else float(default), float(default), float))


def seed(name: str = "seed", label: str = "Seed", default: int = 0) -> int:
    """The number that makes random draws repeatable."""
    return slider(name, label, 0, 99, default, help="The same seed gives the same draws, on every machine.")


def text(
    name: str, label: str, default: str, read: Callable[[str], Any], *, height: int | None = None, limit: int = 2000,
    help: str | None = None,
) -> Any:  # fmt: skip
    """Free text read by `read`, which raises ValueError with a sentence; the last text it could read stays in use.

    One line without `height` (px), an area with it. Returns what `read` makes of the text.
    """
    key = visit.key(name)
    junk, good, before = f"{key}:junk", f"{key}:good", f"{key}:default"
    untouched = st.session_state.get(key) == st.session_state.get(before, default) != default  # so it follows
    if st.session_state.pop(junk, False) or untouched:
        st.session_state[key] = default
    st.session_state[before] = default
    st.session_state[junk] = not _check_link(key, label, partial(_read, read=read, limit=limit))
    field = partial(st.text_area, height=height) if height else st.text_input
    written = field(label, default, max_chars=limit, key=key, help=help, **_BOUND) or ""
    try:
        value = _read(written, read, limit)
        st.session_state[good] = written
    except ValueError as error:
        try:
            value, used = read(st.session_state.get(good, default)), "The last good value stays in use."
        except ValueError:  # it was good for another model
            value, used = read(default), "The default stands in for it."
        st.error(f"{error} {used}", icon=":material/edit_off:")
    _register(key, written, default, str)
    return value


def matrix(
    name: str, label: str, default, *, rows: list[str] | None = None, columns: list[str] | None = None,
    shape: tuple | None = None, limit: float = 1000.0, most: tuple[int, int] = (12, 12), help: str | None = None,
) -> np.ndarray:  # fmt: skip
    """An editable matrix, a row a line. `shape` fixes rows and columns (None in it leaves that one free, up to `most`)."""
    default = np.atleast_2d(np.asarray(default, dtype=float))
    hint = f"One row a line, numbers separated by spaces{': ' + ', '.join(map(plain, columns)) if columns else ''}."
    read = partial(parse.matrix, shape=shape or default.shape, limit=limit, most=most, rows=rows, columns=columns)
    height = 28 * min(len(default), 8) + 44
    return text(name, label, parse.rows(default), read, height=height, limit=3000, help=f"{help or ''} {hint}".strip())


def sized_matrix(
    name: str, label: str, full, shape: tuple[int, int], *, limit: float = 1000.0, help: str | None = None
):
    """An editable matrix whose text follows `shape`: what no longer fits is cut off, new cells come from `full`."""
    key = visit.key(name)
    default = np.asarray(full, dtype=float)[: shape[0], : shape[1]]
    if key in st.session_state and st.session_state.get(f"{key}:shape") != shape:
        for text_key in (key, f"{key}:good"):
            with suppress(ValueError):
                old = parse.matrix(st.session_state.get(text_key, ""), limit=limit)[: shape[0], : shape[1]]
                new = default.copy()
                new[: old.shape[0], : old.shape[1]] = old
                st.session_state[text_key] = parse.rows(new)
    st.session_state[f"{key}:shape"] = shape
    return matrix(name, label, default, limit=limit, help=help)


def words(
    name: str, label: str, default: list[str], *, least: int = 1, most: int = 12, help: str | None = None
) -> list[str]:
    """Names separated by spaces, such as tokens."""
    read, about = partial(parse.words, least=least, most=most), f"{least} to {most} words, separated by spaces."
    return text(name, label, " ".join(default), read, limit=20 * most, help=help or about)


def nudge(limit: float = 2.0, **matrices) -> tuple[np.ndarray, ...]:
    """A slider that moves one cell of the given matrices, for lectures; returns the matrices, that cell moved.

    nudge(Q=q, K=k) offers Q[0, 0] … K[5, 3], and names its controls `cell` and `nudge`.
    """
    cells = [f"{name}[{r}, {c}]" for name, m in matrices.items() for r in range(len(m)) for c in range(m.shape[1])]
    cell = choice(
        "cell", "Nudge a cell", cells, help="The slider below is added to this cell; the text keeps its number."
    )
    by = slider("nudge", "by", -float(limit), float(limit), 0.0, step=limit / 40, format="%+.2f")
    moved = []
    for name, m in matrices.items():
        m = m.copy()
        if cell.startswith(f"{name}["):
            r, c = map(int, cell[len(name) + 1 : -1].split(","))
            m[r, c] += by
        moved.append(m)
    return tuple(moved)


def assign(values: dict[str, Any]) -> None:
    """Set controls by key, for a callback: the widgets and the link follow."""
    for key, value in values.items():
        st.session_state[key] = parse.rows(value) if isinstance(value, np.ndarray) else value


def setter(name: str) -> Callable[[Any], None]:
    """How a click sets a control of this page: a function of what was clicked."""
    return visit.controls()[visit.key(name)].set


def _register(key: str, value, default, convert: Callable[[Any], Any]):
    many = value if isinstance(value, list) else [value]
    in_link = None if value == default else [parse.in_link(one) for one in many] or [""]

    def put(clicked):
        st.session_state[key] = convert(clicked)

    visit.controls()[key] = Control(default, in_link, put)
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


def _check_link(key: str, label: str, read: Callable[[str], Any]) -> bool:
    raw = visit.from_link(key)
    if raw is None:
        return True
    try:
        read(raw)
    except ValueError as error:
        visit.notice(f"The link's {label}, {visit.shown(raw)}, was left out: {str(error).rstrip('.?')}.")
        del st.query_params[key]
        return False
    return True


def _read(written: str, read: Callable[[str], Any], limit: int):
    if len(written) > limit:
        raise ValueError(f"At most {limit:,} characters; got {len(written):,}.")
    return read(written)
