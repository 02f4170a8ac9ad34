"""One matrix of a figure, and what the browser calls it."""

import math
from typing import Any, NamedTuple

import numpy as np

from ui.words import literal


class Panel(NamedTuple):
    """One matrix of a figure. `kind` is "signed" (blue–paper–vermilion around 0, ±limit) or "probability" (0 … limit).

    `masked` (True = masked out) cells are drawn hatched with −∞; `mark` = (row, column), either may be None, outlines
    today's choice; `colour` is a meaning of `theme` for the title; `bands` = ((first column, end column, meaning), …)
    outlines columns and colours their names, `row_bands` does the same for rows. NaN cells stay empty. `gone` is
    what stands in masked cells. `margins` = (rows, columns) at the end stand outside the brackets, such as means.
    `width` is how many of the neighbours' columns it is as wide as (its own number of columns where None).
    `words` stand in the cells in place of their numbers. `axes` = (what a row is, what a column is), such as
    ("query", "key"). `sign` stands between the matrix and its neighbour on the left, such as an arrow. `right` are
    cells with an outline in ink: the right answers. `name` is what links call it. `held` is the control that holds
    these very numbers as text: they are then changed in the picture too; `own` = (first row, end row) where only some
    rows are the control's.
    """

    values: Any
    title: str
    rows: list[str] | None = None
    columns: list[str] | None = None
    kind: str = "signed"
    limit: float = 1.0
    masked: Any = None
    mark: tuple[int | None, int | None] | None = None
    colour: str = "ink"
    bands: tuple[tuple[int, int, str], ...] = ()
    digits: int = 3
    row_bands: tuple[tuple[int, int, str], ...] = ()
    gone: str = "−∞"
    margins: tuple[int, int] = (0, 0)
    width: float | None = None
    words: list[list[str]] | None = None
    axes: tuple[str, str] | None = None
    sign: str = ""
    right: tuple[tuple[int, int], ...] = ()
    name: str = ""
    held: str = ""
    own: tuple[int, int] | None = None


def called(panel: Panel) -> dict[str, Any]:
    """What the browser calls a matrix; each px of a drag is about a hundredth of what its colours span."""
    called: dict[str, Any] = {"title": literal(panel.title)} | ({"name": panel.name} if panel.name else {})
    n_rows, n_columns = np.subtract(np.shape(panel.values), panel.margins).tolist()
    if any(panel.margins):
        called["inner"] = [n_rows, n_columns]
    if panel.held:
        own = [*(panel.own or (0, n_rows)), n_columns]
        called |= {"held": panel.held, "own": own, "step": 10.0 ** math.floor(math.log10(panel.limit / 100))}
    return called
