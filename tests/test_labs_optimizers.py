import numpy as np
import pytest

from engine.optimizers import SGD, Adam, Momentum, descend, first_beyond, sweep_learning_rates
from engine.surfaces import SURFACES, surface_grid
from ui.labs.optimizers import best_rates, final_heights, heights, paths, remembered, what_became

RAVINE, START = SURFACES["ravine"], (1.0, 1.0)
RUNS = {
    "SGD": descend(RAVINE, SGD(lr=0.2), START, 60),
    "Momentum": descend(RAVINE, Momentum(lr=0.05), START, 60),
    "Adam": descend(RAVINE, Adam(lr=0.1), START, 60),
}


def test_the_player_moves_the_paths_and_the_heights_alike():
    figure = paths(surface_grid(RAVINE, 5), RUNS, RAVINE.minima, START, title="Ravine", steps=60, step=7).to_dict()
    play = figure["layout"]["meta"]["play"]
    assert [figure["data"][i]["name"] for i in play["traces"]] == list(RUNS)
    other = heights(RUNS, steps=60, step=7).to_dict()["layout"]["meta"]["play"]
    assert other == play | {"traces": [0, 1, 2], "follow": True}


def test_a_limit_is_an_upright_line_and_today_a_dot():
    rates = [0.05, 0.2]
    sweeps = {"SGD": sweep_learning_rates(RAVINE, SGD(lr=0), START, 60, rates)}
    figure = final_heights(rates, sweeps, {"SGD": 0.1, "Adam": None}, {"SGD": (0.05, 0.5)}).to_dict()
    assert [shape["x0"] for shape in figure["layout"]["shapes"]] == [0.1]
    assert figure["data"][0]["y"][1] is None
    assert (figure["data"][-1]["x"], figure["data"][-1]["y"]) == ([0.05], [0.5])


def test_nothing_is_remembered_before_the_first_step():
    assert remembered("SGD", RUNS["SGD"], 0, "sum") == []


@pytest.mark.parametrize(("key", "n"), [("SGD", 2), ("Momentum", 2), ("Adam", 3)])
def test_a_step_is_written_out_with_its_memory(key, n):
    formulas = remembered(key, RUNS[key], 1, "sum")
    assert len(formulas) == n
    assert formulas[0].startswith(rf"\textbf{{{key}, step 1}}")
    assert formulas[0].count(r"\quad") == {"SGD": 1, "Momentum": 2, "Adam": 3}[key]
    assert formulas[-1].startswith(r"\theta_{1} = \theta_{0}")


def test_a_run_that_was_lost_shows_its_last_memory():
    lost = RUNS["SGD"]
    assert remembered("SGD", lost, 60, "sum") == remembered("SGD", lost, lost.diverged_at - 1, "sum")


def test_an_end_is_told_with_its_reason():
    ground = first_beyond(RAVINE, SGD(lr=0.2), RUNS["SGD"].points)
    lost = what_became("SGD", RUNS["SGD"], ground, "2/c", 0.2)
    assert lost.startswith(f"**SGD is lost**: step {RUNS['SGD'].diverged_at} would leave")
    assert lost.endswith("c = 20.000, where learning rates below 2/c = 0.1 converge; here it is 0.2.")
    assert what_became("Adam", RUNS["Adam"], None, "", 0.2).startswith("**Adam** ends at (")
    higher = RUNS["Adam"]._replace(above=np.array([1.0, 2.0]))
    assert what_became("Adam", higher, None, "", 0.2) == (
        "**Adam** ends higher than it began, 2.000 above the deepest minimum."
    )


def test_decay_stands_in_the_formula_of_each():
    for key, term in (("SGD", r"(g + \lambda\theta)"), ("Adam", r"- \eta\lambda\theta")):
        assert term in remembered(key, RUNS[key], 1, "sum", 0.1)[-1]
        assert "lambda" not in remembered(key, RUNS[key], 1, "sum")[-1]
    assert r"\lambda\theta + \beta v" in remembered("Momentum", RUNS["Momentum"], 1, "Nesterov", 0.1)[-1]


def test_learning_rates_that_tie_are_told_as_ties():
    one = sweep_learning_rates(RAVINE, SGD(lr=0), START, 60, [0.05, 0.2])
    at_rest = sweep_learning_rates(RAVINE, SGD(lr=0), (0, 0), 60, [0.05, 0.2])
    lost = sweep_learning_rates(RAVINE, SGD(lr=0), START, 60, [5.0, 9.0])
    (said,) = best_rates({"A": one, "B": at_rest, "C": lost})
    assert said.endswith("A: 0.05; B: 2 that tie, from 0.05 to 0.2; C: none, all are lost.")
