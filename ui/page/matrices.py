"""Matrices to edit: a text a matrix, read with care, and how a hand in the picture changes one number of it."""

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from ui import run
from ui.page import controls, parse
from ui.run import Edit
from ui.words import plain


def matrices(
    label: str,
    /,
    *,
    rows: list[str] | None = None,
    columns: list[str] | None = None,
    limit: float = 1000.0,
    **edited: tuple,
) -> tuple[np.ndarray, ...]:
    """Matrices under one fold to edit: `q, k, v = matrices("Edit Q and K", Q=(…), K=(…))`.

    Each symbol comes with (label, default) or (label, default, options), the options those of `matrix`, where they
    differ from `rows`, `columns` and `limit` for all. Its control is the symbol in small letters unless the options
    have a "name".
    """
    given = {symbol: (*parts, {})[:3] for symbol, parts in edited.items()}
    common = {"rows": rows, "columns": columns, "limit": limit}
    with controls.folded(label):
        return tuple(
            matrix(**{"name": symbol.lower(), "label": title, "default": default, **common, **options})
            for symbol, (title, default, options) in given.items()
        )


def matrix(
    name: str,
    label: str,
    default,
    *,
    rows: list[str] | None = None,
    columns: list[str] | None = None,
    shape: tuple | None = None,
    limit: float = 1000.0,
    most: tuple[int, int] = (12, 12),
    limits: Sequence[tuple] = (),
    least: int = 1,
    help: str | None = None,
) -> np.ndarray:
    """An editable matrix, a row a line. `shape` fixes rows and columns (None: free, from `least` rows up to `most`).

    `limits` are those of each column in place of one `limit`, with True behind them where numbers are whole.
    """
    default = np.atleast_2d(np.asarray(default, dtype=float))
    hint = f"One row a line, numbers separated by spaces{': ' + ', '.join(map(plain, columns)) if columns else ''}."
    read = partial(
        parse.matrix,
        shape=shape or default.shape,
        limit=limit,
        most=most,
        rows=rows,
        columns=columns,
        limits=limits,
        least=least,
    )
    height = 28 * min(len(default), 8) + 44
    about = f"{help or ''} {hint} A picture of them can be taken hold of.".strip()
    values = controls.text(name, label, parse.rows(default), read, height=height, limit=3000, help=about)
    key = run.key(name)
    control = run.current().controls[key]
    run.current().controls[key] = control._replace(edit=Edit(limit, partial(_put, key, read, parse.rows(values))))
    return values


def _put(key: str, read: Callable[[str], np.ndarray], last: str, row: int, column: int, value: float) -> None:
    """For a callback: one number of the text, or of the `last` that could be read."""
    try:
        values = read(st.session_state.get(key, last))
    except ValueError:
        values = read(last)
    if min(row, column) < 0:
        raise IndexError
    values[row, column] = value
    st.session_state[key] = parse.rows(values)


def shown_as(name: str, scale: float | np.ndarray = 1.0, shift: float = 0.0) -> str:
    """What `Panel.held` says where a picture shows scale · numbers + shift: what a hand sets is turned back.

    `scale` is one for all or one for each row; "" where one of them is 0, which nothing can be turned back from.
    """
    key = run.key(name)
    control = run.current().controls[key]
    factors = np.ravel(np.asarray(scale, float))
    if not control.edit or not factors.all():
        return ""
    limit, put = control.edit

    def back(row: int, column: int, value: float) -> None:
        typed = (value - shift) / factors[row if len(factors) > 1 else 0]
        put(row, column, float(f"{min(limit, max(-limit, typed)):.12g}"))

    far = float(f"{limit * abs(factors).max() + abs(shift):.12g}")
    run.current().controls[key] = control._replace(edit=Edit(far, back))
    return name


def filled_matrix(name: str, label: str, default, by: Hashable, **options: Any) -> np.ndarray:
    """An editable matrix that is filled anew as `by`, the choices its default was made by, changes.

    What comes with that change, from the link of a step back, stays.
    """
    key = run.key(name)
    memory = run.memory(key)
    before, text = memory.get("filled", (by, None))
    if before != by and st.session_state.get(key) == text:
        st.session_state[key] = parse.rows(default)
    values = matrix(name, label, default, **options)
    memory["filled"] = by, run.current().controls[key].value
    return values


def sized_matrix(
    name: str, label: str, full, shape: tuple[int, int], *, limit: float = 1000.0, help: str | None = None
):
    """An editable matrix whose text follows `shape`: what no longer fits is cut off, new cells come from `full`."""
    key = run.key(name)
    default = np.asarray(full, dtype=float)[: shape[0], : shape[1]]
    memory = run.memory(key)
    if key in st.session_state and memory.get("shape") != shape:
        for texts, name_in in ((st.session_state, key), (memory, "good")):
            with suppress(ValueError):
                old = parse.matrix(texts.get(name_in, ""), limit=limit)[: shape[0], : shape[1]]
                new = default.copy()
                new[: old.shape[0], : old.shape[1]] = old
                texts[name_in] = parse.rows(new)
    memory["shape"] = shape
    return matrix(name, label, default, limit=limit, help=help)
