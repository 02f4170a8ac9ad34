"""Matrices to edit: a text a matrix, read with care, and a nudge of one cell for lectures."""

from contextlib import suppress
from functools import partial

import numpy as np
import streamlit as st

from ui import run
from ui.page import controls, parse
from ui.words import plain


def matrices(
    label: str,
    /,
    *,
    reach: float = 2.0,
    rows: list[str] | None = None,
    columns: list[str] | None = None,
    limit: float = 1000.0,
    **edited: tuple,
) -> tuple[np.ndarray, ...]:
    """Matrices under one fold to edit, then one cell of any of them to nudge: `q, k, v = matrices("Edit", Q=(…), …)`.

    Each symbol comes with (label, default) or (label, default, options), the options those of `matrix`, where they
    differ from `rows`, `columns` and `limit` for all. Its control is the symbol in small letters unless the options
    have a "name". The nudge goes from −reach to reach.
    """
    given = {symbol: (*parts, {})[:3] for symbol, parts in edited.items()}
    common = {"rows": rows, "columns": columns, "limit": limit}
    with controls.folded(label):
        read = {
            symbol: matrix(**{"name": symbol.lower(), "label": title, "default": default, **common, **options})
            for symbol, (title, default, options) in given.items()
        }
    return nudge(reach, **read)


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
    help: str | None = None,
) -> np.ndarray:
    """An editable matrix, a row a line. `shape` fixes rows and columns (None: free, up to `most`)."""
    default = np.atleast_2d(np.asarray(default, dtype=float))
    hint = f"One row a line, numbers separated by spaces{': ' + ', '.join(map(plain, columns)) if columns else ''}."
    read = partial(parse.matrix, shape=shape or default.shape, limit=limit, most=most, rows=rows, columns=columns)
    height = 28 * min(len(default), 8) + 44
    return controls.text(
        name, label, parse.rows(default), read, height=height, limit=3000, help=f"{help or ''} {hint}".strip()
    )


def sized_matrix(
    name: str, label: str, full, shape: tuple[int, int], *, limit: float = 1000.0, help: str | None = None
):
    """An editable matrix whose text follows `shape`: what no longer fits is cut off, new cells come from `full`."""
    key = run.key(name)
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


def nudge(limit: float = 2.0, **matrices) -> tuple[np.ndarray, ...]:
    """A slider that moves one cell of the given matrices, for lectures; returns the matrices, that cell moved.

    nudge(Q=q, K=k) offers Q[0, 0] … K[5, 3], and names its controls `cell` and `nudge`.
    """
    cells = [f"{name}[{r}, {c}]" for name, m in matrices.items() for r in range(len(m)) for c in range(m.shape[1])]
    cell = controls.choice(
        "cell", "Nudge a cell", cells, help="The slider below is added to this cell; the text keeps its number."
    )
    by = controls.slider("nudge", "Nudge by", -float(limit), float(limit), 0.0, step=limit / 40, format="%+.2f")
    return _moved(matrices, cell, by)


def without_nudge(**matrices: np.ndarray) -> tuple[np.ndarray, ...]:
    """The matrices that `nudge` or `matrices` gave, as they were before the nudge: for what it has changed."""
    cell, by = (run.current().controls[run.key(name)].value for name in ("cell", "nudge"))
    return _moved(matrices, cell, -by)


def _moved(matrices: dict[str, np.ndarray], cell: str, by: float) -> tuple[np.ndarray, ...]:
    """Copies of the matrices with one cell, such as "K[5, 3]", moved."""
    moved = {name: m.copy() for name, m in matrices.items()}
    name, place = cell.rstrip("]").split("[")
    row, column = map(int, place.split(","))
    moved[name][row, column] += by
    return tuple(moved.values())
