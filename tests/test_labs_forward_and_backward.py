from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go

from ui.charts import theme
from ui.labs.forward_and_backward.check import (
    check_panels,
    clicked_parameter,
    delta_of,
    error_by_h,
    on_errors,
    on_h,
    on_kinks,
)
from ui.labs.forward_and_backward.descent import by_step, down_the_slope, on_the_step, since_the_start
from ui.labs.forward_and_backward.network import network, parameters

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
    assert part(figure, "values")["text"][3] == '<span style="font-size:10px">h1_0</span><br>0.50'
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


def said(pairs: list) -> list[str]:
    return [sentence for claim, sentence in pairs if claim]


def test_sentences_on_the_check():
    (found,) = said(on_errors(51, 0, "b_1[0]", 2e-9, 0.5))
    assert found.startswith("The largest of 51 relative errors is **2.00e−09**")
    assert found.endswith(": under 10⁻⁶. Its gradient is 0.500.")
    assert said(on_errors(1, 50, "b", 2e-6, 0.5))[0].startswith("Off the kinks the largest of 1 relative error is")
    assert "not under 10⁻⁶" in said(on_errors(51, 0, "b", 2e-6, 0.5))[0]
    assert said(on_errors(0, 51, "b", 0, 0))[0].startswith("Every gradient sits on a kink")
    assert "too small, rounding" in said(on_h(1e-12, 1e-5, 0.01, 1e-9))[0]
    assert "too large, the difference leaves the tangent" in said(on_h(0.1, 1e-5, 0.01, 1e-9))[0]
    assert said(on_h(1e-5, 1e-5, 1e-9, 1e-9)) == ["No h of the curve is better than 1e-05."]
    assert said(on_kinks([], "relu")) == ["No kinks: no ± h carries a ReLU across its corner."]
    assert said(on_kinks([], "tanh")) == ["No kinks: tanh is smooth."]
    assert "**1 kink** at this h: b. Moved" in said(on_kinks(["b"], "relu"))[0]
    assert "so its error is no fault" in said(on_kinks(["b"], "relu"))[0]
    assert "b, b and 1 more. Moved" in said(on_kinks(["b"] * 9, "relu"))[0]


def test_sentences_on_the_way_down():
    step = SimpleNamespace(predicted_change=-0.8, actual_change=-0.4)
    usual = SimpleNamespace(predicted_change=-0.2, actual_change=-0.18)
    assert len(said(on_the_step(usual, 0.5, usual, 0.5))) == 1
    assert "4 times the learning rate promises 4 times the gain" in said(on_the_step(step, 2.0, usual, 0.5))[1]
    rising = SimpleNamespace(predicted_change=-0.8, actual_change=0.4)
    assert "brings **+0.40000**: the loss rises" in said(on_the_step(rising, 0.5, usual, 0.5))[0]
    claim, sentence = since_the_start(3, 0, (0.4, 0.1), ([None, [-0.5, 0.2]], [None, [0.1, 0.2]]))
    assert claim
    assert "from 0.400 to **0.100**" in sentence
    assert "from 0.500 to **0.200** in size" in sentence


def test_delta_comes_from_the_layer_above_or_from_the_loss():
    layers = [SimpleNamespace(W=np.ones((1, 1))), SimpleNamespace(W=np.array([[2.0, 3.0]]))]
    back = SimpleNamespace(
        deltas=(np.array([[0.35]]), np.array([[0.1, 0.5]])),
        d_activations=(np.array([[1.7]]),),
        slopes=(np.array([[0.2059]]),),
    )
    above = delta_of("h1_0", layers, back, np.array([[0.1, 0.5]]), [0], (0, 0, 0))
    assert r"2.000 \cdot 0.100 + 3.000 \cdot 0.500 = 1.700" in above[0]
    assert above[1].endswith(r"f'(z) = 1.700 \cdot 0.2059 = 0.350")
    (loss,) = delta_of("z_1", layers, back, np.array([[0.5, 0.5]]), [0], (1, 0, 1))
    assert loss.endswith(r"\frac{0.500 - 0}{1} = 0.500")


def test_a_click_on_a_matrix_is_a_parameter():
    places = parameters(SIZES)
    click = {"panel": 7, "row": 4, "column": 2}
    assert NAMES[clicked_parameter(click, places)] == "b_3[2]"
    assert clicked_parameter(click | {"row": 9}, places) is None
