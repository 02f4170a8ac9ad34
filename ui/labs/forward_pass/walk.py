"""Matrices side by side, and the sum behind the one cell that is chosen: by a click, or by three controls."""

import numpy as np
import streamlit as st

from ui import charts
from ui.labs.forward_pass.stages import Cells
from ui.page import controls, lab


def walk(cells: Cells, *, step: str, per_row: int = 3, most: tuple[int, int] = (12, 12)) -> None:
    """Draw the matrices of a step with a cell outlined, the controls that choose it, and where it came from.

    `most` is how far the controls for row and column go; beyond a matrix's end its last row or column is taken.
    """
    titles = [panel.title for panel, _ in cells]
    chart = st.container()
    first, second, third = lab.columns(3)
    with first:
        chosen = titles.index(
            controls.choice(
                "matrix", "Cell: which matrix", titles, titles[-1], help="A click on a cell sets all three."
            )
        )
    panel, how = cells[chosen]
    n_rows, n_columns = np.shape(panel.values)
    with second:
        row = min(controls.slider("row", f"Row, 0 to {n_rows - 1}", 0, most[0] - 1, 0), n_rows - 1)
    with third:
        column = min(controls.slider("column", f"Column, 0 to {n_columns - 1}", 0, most[1] - 1, 0), n_columns - 1)
    with chart:
        marked = [p._replace(mark=(row, column)) if i == chosen else p for i, (p, _) in enumerate(cells)]
        charts.show(
            "step",
            charts.matrices(marked, per_row=per_row, cell=34),
            f"The matrices of the step {step}: {', '.join(titles)}. The cell {row}, {column} of {panel.title} is outlined.",
            matrix="panel",
            row="row",
            column="column",
        )
    lab.write_out(how(row, column))
