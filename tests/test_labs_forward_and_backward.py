from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go

from ui.charts import theme
from ui.labs.forward_and_backward import (
    by_step,
    check_panels,
    down_the_slope,
    error_by_h,
    network,
    on_errors,
    on_h,
    on_kinks,
    parameters,
)

SIZES = [3, 4, 4, 3]
NAMES = list(parameters(SIZES))


def drawn(chosen=0, weight=1.0):
    columns = [np.full(n, 0.5) for n in SIZES]
    slopes = [None, *(np.full(n, -0.25) for n in SIZES[1:])]
    weights = [np.full((m, n), weight) for m, n in zip(SIZES, SIZES[1:], strict=False)]
    return network(columns, slopes, weights, np.full(3, 1 / 3), right=1, names=NAMES, chosen=chosen).to_dict()


def part(figure, name):
    return next(trace for trace in figure["data"] if trace.get("name") == name)


def test_every_parameter_has_a_dot_of_its_own():
    figure = drawn(chosen=NAMES.index("b_2[1]"))
    dots = part(figure, "parameters")
    assert len(NAMES) == 51 == len(dots["x"]) == len(set(zip(dots["x"], dots["y"], strict=True)))
    assert dots["customdata"] == NAMES
    at = NAMES.index("b_2[1]")
    assert (part(figure, "today")["x"], part(figure, "today")["y"]) == ([dots["x"][at]], [dots["y"][at]])
    assert len(part(figure, "values")["x"]) == sum(SIZES)
    others = [trace for trace in figure["data"] if trace is not dots]
    assert all(trace.get("hoverinfo") == "skip" for trace in others)  # only dots take clicks
    go.Figure(figure)


def test_an_edge_shows_sign_and_size():
    *_, chosen = negative = [trace for trace in drawn(weight=-1.5)["data"] if trace["mode"] == "lines"]
    assert sum(len(trace["x"]) // 3 for trace in negative) == 3 * 4 + 4 * 4 + 4 * 3
    assert {trace["line"]["color"] for trace in negative} == {theme.colour("today"), theme.DIVERGING[0][2]}
    assert chosen["x"] == [0, 1, None]
    strong, weak = (
        [t["line"] for t in drawn(chosen=15, weight=w)["data"] if t["mode"] == "lines"] for w in (99.0, 0.1)
    )
    assert {"color": theme.DIVERGING[0][7], "width": 6.0} in strong
    assert {"color": theme.DIVERGING[0][7], "width": 0.5} in weak


def test_words_say_gradients_and_the_right_class():
    figure = drawn()
    slopes, titles = (trace["text"] for trace in figure["data"] if trace["mode"] == "text")
    assert slopes == ["<b>−0.250</b>"] * 11  # every node but the inputs
    assert titles[0] == "<b>x</b>"
    notes = [note["text"] for note in figure["layout"]["annotations"]]
    assert notes == ["p = 0.33", "p = 0.33<br><b>right</b>", "p = 0.33"]


def test_check_panels_name_kinks():
    grid = [np.zeros((m + 1, n)) for m, n in zip(SIZES, SIZES[1:], strict=False)]
    kinks = [np.zeros(part.shape, dtype=bool) for part in grid]
    kinks[1][4, 2] = True
    panels = check_panels(grid, grid, [part + 2.5e-9 for part in grid], kinks, chosen=(1, 4, 2))
    error = panels[5]
    assert len(panels) == 9
    assert (error.gone, error.mark, error.rows[-1]) == ("kink", (4, 2), "b")
    assert error.words[4] == ["2.50e−09", "2.50e−09", "", "2.50e−09"]
    assert [panel.mark for panel in panels[:3] + panels[6:]] == [None] * 6


def test_a_step_ends_beside_its_promise():
    line = SimpleNamespace(learning_rates=[0.0, 1.0], tangent=[1.0, 0.5], losses=[1.0, 0.7])
    step = SimpleNamespace(backward=SimpleNamespace(loss=1.0), promised=0.5, loss=0.7)
    marks = down_the_slope(line, step, 1.0).to_dict()["data"][-1]
    assert (marks["x"], marks["y"], marks["text"]) == ([0, 1, 1], [1, 0.5, 0.7], ["before", "", "after"])


def test_the_steps_taken_are_drawn_with_their_promises():
    path = SimpleNamespace(losses=[3.0, 2.0, 1.0], promised=[1.5, 0.5])
    _, promised, so_far, today = by_step(path, 1).to_dict()["data"]
    assert (promised["x"], promised["y"]) == ([1], [1.5])
    assert (so_far["x"], so_far["y"]) == ([0, 1], [3, 2])
    assert (today["x"], today["y"], today["text"]) == ([1], [2], ["2.000"])


def test_the_error_of_today_is_marked():
    errors = SimpleNamespace(h=[0.1, 1e-5], largest=[1e-2, 1e-9], overall=[1e-3, 1e-10])
    figure = error_by_h(errors, 1).to_dict()
    assert figure["layout"]["title"]["text"] == "<b>Relative error at h = 1e-05: 1.00e−09</b>"
    assert (figure["data"][-1]["x"], figure["data"][-1]["y"]) == ([1e-5], [1e-9])


def test_sentences_on_the_check():
    assert on_errors(51, "b_1[0]", 2e-9, 0.5).endswith(
        "**2.00e−09**, at b\\_1\\[0\\]: under 10⁻⁶. Its gradient is 0.500."
    )
    assert "not under 10⁻⁶" in on_errors(51, "b_1[0]", 2e-6, 0.5)
    assert "rounding" in on_h(1e-12, 1e-5)
    assert "leaves the tangent" in on_h(0.1, 1e-5)
    assert on_kinks([], "relu") == "No kinks: no ± h carries a ReLU across its corner."
    assert "**6 kinks** at this h: b, b, b, b, b and more. Moved" in on_kinks(["b"] * 6, "relu")
