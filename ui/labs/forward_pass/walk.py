"""What is clicked on the way through the forward pass: the step, the cell whose sum is written out, the next word."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import charts, run
from ui.labs.forward_pass import gradients, stages, way
from ui.labs.forward_pass.gradients import Slopes
from ui.labs.forward_pass.stages import Cells
from ui.labs.forward_pass.view import View
from ui.page import controls, lab
from ui.words import Words, counted

CELL = 24  # px high
WHERE = ("step", "head", "layer", "matrix", "row", "column")  # the controls that say which number is outlined
PER_ROW = {"Q K V": 4, "Predict": 2}  # matrices beside each other; three in all other steps


def choose(steps: list[str], n_heads: int, n_layers: int) -> tuple[str, int, int, DeltaGenerator]:
    """The controls around the matrices: which step, which head and which layer, and the place of the pictures.

    The last two are in sight only where they matter.
    """
    step = controls.choice("step", "Step", steps, "Attend", wide=True, silent=True)
    of_head = step in ("Q K V", "Attend")
    of_layer = n_layers > 1 and step not in ("Embed", "Final norm", "Predict")
    pictures = st.container()
    first, second = lab.columns(2)
    with first, lab.group("head_shown", of_head):
        head = controls.which("head", "Head shown", [f"head {h}" for h in range(n_heads)])
    with second if of_head else first, lab.group("layer_shown", of_layer):
        layer = controls.index("layer", "Layer shown", n_layers)
    return step, head, layer, pictures


def walk(view: View, cells: Cells, slopes: Slopes, *, step: str, place: DeltaGenerator) -> None:
    """Draw the matrices of a step in `place` with a cell outlined, the controls that choose it, where it came from.

    `slopes` are the gradients that stand under them, or none.
    """
    titles = [panel.title for panel, _ in cells]
    first, second, third, fourth = lab.columns(4)
    with first:
        about = "A click on a cell sets all three; a click on the outlined one goes where it comes from."
        chosen = controls.which("matrix", "Cell: which matrix", titles, titles[-1], help=about)
    panel, how = cells[chosen]
    n_rows, n_columns = np.shape(panel.values)
    with second:
        row = controls.index("row", f"Row, 0 to {n_rows - 1}", n_rows)
    with third:
        column = controls.index("column", f"Column, 0 to {n_columns - 1}", n_columns)
    marked = [one._replace(mark=(row, column)) if i == chosen else one for i, (one, _) in enumerate(cells)]
    outlined = f"The cell {row}, {column} of {panel.title} is outlined."
    alt = f"The matrices of the step {step}: {', '.join(titles)}. {outlined}"
    under = gradients.panels(marked, slopes) if slopes else []
    per_row, links = PER_ROW.get(step, 3), way.of_step(view, step)
    figure = charts.matrices(marked, per_row=per_row, cell=CELL, under=under, links=links)
    if under:
        alt += (
            f" Under each stands the gradient of −log p of the right next token, at most {gradients.largest(slopes)}."
        )
    spot = way.back(view, step, panel.name, row, column)
    goal = {} if run.current().asked or not spot else _controls_of(view, spot)
    outlined_one = lambda at: (at["panel"], at["row"], at["column"]) == (chosen, row, column)
    clicked = lambda at: {"matrix": at["panel"] % len(cells), "row": at["row"], "column": at["column"]}
    pressed = lambda at: goal if goal and outlined_one(at) else clicked(at)
    picks: dict[str, Any] = {name: lambda at, name=name: pressed(at).get(name) for name in WHERE}
    with place:
        charts.show("step", figure, alt, **picks)
    if not run.current().asked:
        with fourth:
            _back(goal, spot)
    lab.write_out(how(row, column), *(slopes[chosen][1](row, column) if slopes else ()))


def _controls_of(view: View, spot: way.Spot) -> dict[str, str]:
    """What outlines a cell of the way."""
    cells = stages.cells(view._replace(at=spot.place.layer, head=spot.head), spot.place.step)
    titles = {panel.name: panel.title for panel, _ in cells}
    numbers = {"layer": spot.place.layer, "row": spot.row, "column": spot.column}
    chosen = {"step": spot.place.step, "matrix": titles[spot.place.matrix], "head": f"head {spot.head}"}
    return chosen | {name: str(number) for name, number in numbers.items()}


def _back(goal: dict[str, str], spot: way.Spot | None) -> None:
    """The button that goes where the outlined number comes from."""
    st.button(
        "Where it comes from",
        key=run.key("back"),
        icon=":material/arrow_back:",
        disabled=not spot,
        help=f"{spot.what.capitalize()}: step {goal['step']}, {goal['matrix']}."
        if spot
        else "Nothing made it: a parameter of the model, or the 0 of a silent head.",
        on_click=controls.assign,
        args=({run.key(name): value for name, value in goal.items()},),
    )


def to_the_end(n_tokens: int) -> dict[str, Any]:
    """What a click on the bar of a next word chooses: its probability in the last step."""
    end = {"step": "Predict", "matrix": stages.LAST, "row": n_tokens - 1}
    return {name: lambda at, value=value: value for name, value in end.items()} | {"column": "point"}


def append(place: DeltaGenerator, tokens: Sequence[str], word: Words, most: int) -> None:
    """The button in `place` that puts the next word behind the others, `most` at the most."""
    full = len(tokens) >= most
    place.button(
        f"{counted(most, 'position', 'positions')}, all used" if full else f"Append “{word}”",
        key=run.key("append"),
        icon=":material/add:",
        type="primary",
        disabled=full,
        on_click=controls.assign,
        args=({run.key("tokens"): " ".join([*tokens, word])},),
    )
