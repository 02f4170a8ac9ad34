"""Where the numbers of a step come from: the links of its matrices, and the way back to the embeddings."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ui.charts import links
from ui.charts.links import Link
from ui.labs.forward_pass import stages
from ui.labs.forward_pass.view import View

SAME, PART, ALONE = "the same number", "the largest part of its sum", "what it is made from"


class Place(NamedTuple):
    """A matrix of a step, by its name there, and in which layer."""

    step: str
    matrix: str
    layer: int


class Spot(NamedTuple):
    """A cell of it, in which head, and what it is to the one that came from it."""

    place: Place
    head: int
    row: int
    column: int
    what: str


def of_step(view: View, step: str) -> tuple[Link, ...]:
    """How the matrices of a step are made from others of it."""
    if step != "Attend":
        return _LINKS[step]
    scaled = links.divided("Z", "S", view.block.attention.q.shape[2] ** 0.5)
    return scaled if view.settings["scale"] else links.copied("Z", "S"), *_LINKS[step]


def back(view: View, step: str, matrix: str, row: int, column: int) -> Spot | None:
    """Where a cell comes from: the same number where it was made, or the largest part of it; None for parameters."""
    head = view.head
    if made := _MADE.get((step, matrix)):
        return Spot(made(view), head, row, column, SAME)
    if matrix == "contexts":
        head, column = divmod(column, view.block.attention.q.shape[2])
        active = view.settings["active_heads"]
        silent = active is not None and not active[head]
        return None if silent else Spot(Place("Attend", "C", view.at), head, row, column, SAME)
    if matrix == "S":
        q, k = view.block.attention.q[head], view.block.attention.k[head]
        return Spot(Place("Q K V", "Q", view.at), head, row, _largest(q[row] * k[column]), PART)
    link = next((link for link in of_step(view, step) if link.of == matrix), None)
    if link is None:
        return None
    values = {panel.name: np.asarray(panel.values, float) for panel, _ in stages.cells(view, step)}
    names = [name for name, _, _ in link.sources]
    if link.op == "dot":
        left, right = names[:2]
        at = _largest(values[left][row] * values[right][:, column])
        found = (left, row, at) if right.startswith("W_") else (right, at, column)
    else:
        found = (names[_largest(np.array([values[name][row, column] for name in names]))], row, column)
    return Spot(Place(step, found[0], view.at), head, *found[1:], PART if link.op in ("dot", "sum") else ALONE)


def _largest(parts: np.ndarray) -> int:
    return int(np.abs(parts).argmax())


def _here(step: str, matrix: str) -> Callable[[View], Place]:
    return lambda view: Place(step, matrix, view.at)


def _out(view: View, at: int) -> Place:
    return Place("Norm 2", "N", at) if view.placement == "post" else Place("Add 2", "R", at)


def _last(view: View) -> Place:
    return _out(view, len(view.layers) - 1)


def _x(view: View) -> Place:
    return _out(view, view.at - 1) if view.at else Place("Embed", "x", 0)


def _read(view: View) -> Place:
    return Place("Norm 1", "N", view.at) if view.placement == "pre" else _x(view)


def _middle(view: View) -> Place:
    return Place("Norm 1", "N", view.at) if view.placement == "post" else Place("Add 1", "R", view.at)


def _wide(view: View) -> Place:
    return Place("Norm 2", "N", view.at) if view.placement == "pre" else _middle(view)


_MADE: dict[tuple[str, str], Callable[[View], Place]] = {  # what an earlier step has made, and where
    ("Q K V", "x"): _read,
    ("Attend", "V"): _here("Q K V", "V"),
    ("Add 1", "x"): _x,
    ("Add 1", "O"): _here("Mix heads", "O"),
    ("Norm 1", "before"): lambda view: Place("Add 1", "R", view.at) if view.placement == "post" else _x(view),
    ("Feed forward", "y"): _wide,
    ("Add 2", "y"): _middle,
    ("Add 2", "F"): _here("Feed forward", "F"),
    ("Norm 2", "before"): lambda view: Place("Add 2", "R", view.at) if view.placement == "post" else _middle(view),
    ("Final norm", "before"): _last,
    ("Predict", "y"): lambda view: Place("Final norm", "N", view.at) if view.trace.final_norm else _last(view),
}
_LINKS: dict[str, tuple[Link, ...]] = {  # how the others are made
    "Embed": (links.added("x", "W_E", "W_P"),),
    "Q K V": tuple(links.product(name, "x", f"W_{name}") for name in "QKV"),
    "Attend": (links.copied("M", "Z"), links.softmax("A", "M"), links.product("C", "A", "V")),
    "Mix heads": (links.product("O", "contexts", "W_O"),),
    "Add 1": (links.added("R", "x", "O"),),
    "Norm 1": (links.by_row("N", "before"),),
    "Feed forward": (
        links.product("H", "y", "W_1", plus="b_1"),
        links.copied("a", "H"),
        links.product("F", "a", "W_2", plus="b_2"),
    ),
    "Add 2": (links.added("R", "y", "F"),),
    "Norm 2": (links.by_row("N", "before"),),
    "Final norm": (links.by_row("N", "before"),),
    "Predict": (links.product("L", "y", "W_LM_head"), links.softmax("P", "L")),
}
