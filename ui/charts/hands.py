"""What can be taken hold of in a picture: numbers in matrices, arrow tips, points, the line of now on a curve."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from ui import run
from ui.run import Edit

MOST = 500  # what one message may set: every cell of a page has room

Of = str | Callable[[dict], Any]


class Handle(NamedTuple):
    """A place that is dragged: where it stands on the axes of a panel, and the controls it sets.

    Where `x` or `y` is None it is a line across the panel and moves along the other axis. Each control takes "x", "y",
    "angle" (degrees, from the x axis), "length" (from 0) or what a function makes of {"x": …, "y": …}; (control, row,
    column) is one number of a control that holds many. `only` is the one axis, "x" or "y", that a point keeps to.
    One with a `name` is a thing of the picture itself: it takes the keyboard, and shows only where it is reached for.
    """

    sets: Mapping[str | tuple[str, int, int], Of]
    x: float | None = None
    y: float | None = None
    panel: int = 0
    only: str = ""
    name: str = ""

    def told(self) -> dict[str, Any]:
        """As the browser reads it."""
        along = "x" if self.y is None else "y" if self.x is None else "xy"
        more = {"panel": self.panel, "only": self.only, "name": self.name}
        return {"x": self.x, "y": self.y, "along": along} | {name: value for name, value in more.items() if value}


def handles_of(picks: Mapping[str, Of]) -> list[Handle]:
    """The handle of a chart on which a click sets a control to its place on an axis: where that control stands."""
    by: dict[str, list[str]] = {axis: [name for name, of in picks.items() if of == axis] for axis in "xy"}
    if max(map(len, by.values())) != 1:
        return []
    place: dict[str, float] = {}
    for axis, names in by.items():
        for name in names:
            with suppress(TypeError, ValueError):
                place[axis] = float(run.current().controls[run.key(name)].value)
    if len(place) < sum(map(len, by.values())):
        return []
    return [Handle({name: axis for axis, names in by.items() for name in names}, place.get("x"), place.get("y"))]


def hold(handles: Sequence[Handle], edits: Mapping[str, Edit]) -> dict[str, Any]:
    """What the browser needs to know of it."""
    cells = {name: {"limit": edit.limit} for name, edit in edits.items()}
    return ({"handles": [handle.told() for handle in handles]} if handles else {}) | ({"cells": cells} if cells else {})


def setters(handles: Sequence[Handle]) -> list[list[tuple]]:
    """For each handle, how its controls are set and with what."""
    return [[(_setter(control), of) for control, of in handle.sets.items()] for handle in handles]


def held(key: str, pulls: Sequence[list[tuple]], edits: Mapping[str, Edit]) -> None:
    """For a callback: set what a hand has moved; junk from the wire, or of an earlier picture, sets nothing."""
    said = st.session_state[key].get("held")
    for one in said[:MOST] if isinstance(said, list) else ():
        with suppress(LookupError, TypeError, ValueError, AttributeError, OverflowError):
            if "handle" in one:
                _pulled(one, pulls[int(one["handle"])])
            else:
                edits[one["control"]].put(int(one["row"]), int(one["column"]), _finite(one["value"]))


def _pulled(said: dict, pulls: list[tuple]) -> None:
    place = {axis: _finite(said[axis]) for axis in "xy" if said.get(axis) is not None}
    if len(place) == 2:
        angle = math.degrees(math.atan2(place["y"], place["x"])) % 360
        place |= {"angle": angle, "length": math.hypot(*place.values())}
    for setter, of in pulls:
        value = of(place) if callable(of) else place[of]
        if value is not None:
            setter(value)


def _setter(control: str | tuple[str, int, int]) -> Callable[[Any], None]:
    if isinstance(control, str):
        return run.setter(control)
    name, row, column = control
    return partial(run.current().edits()[name].put, row, column)


def _finite(value: Any) -> float:
    if not math.isfinite(number := float(value)):
        raise ValueError("no number")
    return number
