from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest
from near import within

from engine.optimizers import (
    OPTIMIZERS,
    SGD,
    Adam,
    Momentum,
    Nesterov,
    descend,
    first_beyond,
    follow,
    stability_limit,
    sweep_learning_rates,
)
from engine.surfaces import SURFACES

BOWL = SURFACES["bowl"]  # x² + y²: along x, the f = x² of the bug reports


close = within(5e-7)


def along_x(optimizer, n_steps):
    return descend(BOWL, optimizer, (1, 0), n_steps).points[1:, 0]


def test_sixty_steps_agree_with_torch_optim(reference):
    cases = reference("optimizers")["cases"]
    assert {case["optimizer"] for case in cases} == set(OPTIMIZERS)
    for case in cases:
        surface = SURFACES[case["surface"]]
        trace = descend(surface, OPTIMIZERS[case["optimizer"]](**case["settings"]), case["points"][0], 60)
        close(trace.points, case["points"], 1e-10)


def test_at_the_limit_it_swings_and_beyond_it_runs_away():  # tensorflow/playground#3
    assert along_x(SGD(lr=1.0), 4).tolist() == [-1, 1, -1, 1]
    close(along_x(SGD(lr=1.1), 4), [-1.2, 1.44, -1.728, 2.0736], 1e-12)


def test_divergence_stops_inside_a_million_and_names_the_step():
    trace = descend(BOWL, SGD(lr=1.1), (1, 0), 200)
    taken = 75  # 1.2^75 = 868,147; 1.2^76 is beyond a million
    assert trace.diverged_at == taken + 1
    assert len(trace.points) == len(trace.values) == len(trace.grads) == len(trace.states) == taken + 1
    assert len(trace.updates) == taken
    close(trace.points[-1, 0] / -(1.2**taken), 1, 1e-12)


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("surface", SURFACES)
def test_absurd_learning_rates_end_at_a_finite_point(name, surface):
    for lr in (1e3, 1e308):
        trace = descend(SURFACES[surface], OPTIMIZERS[name](lr=lr), SURFACES[surface].start, 60)
        assert np.abs(trace.points).max() <= 1e6
        assert np.isfinite(trace.values).all()
        assert trace.diverged_at is not None or lr == 1e3


def test_a_trace_holds_together():
    trace = descend(SURFACES["himmelblau"], Adam(lr=0.1), (0, 0), 60)
    assert trace.diverged_at is None
    assert trace.points.shape == (61, 2)
    close(trace.points[1:], trace.points[:-1] + trace.updates, 0)
    close(trace.values, SURFACES["himmelblau"].function(trace.points), 1e-10)
    close(trace.grads, SURFACES["himmelblau"].gradient(trace.points), 1e-10)
    assert [state.step for state in trace.states] == list(range(61))
    for state, update in zip(trace.states[1:], trace.updates, strict=True):
        close(-state.rates * state.m_hat, update, 0)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_flat_spot_and_no_steps_change_nothing(name):
    optimizer = OPTIMIZERS[name](lr=0.1)
    assert descend(BOWL, optimizer, (0, 0), 5).points.tolist() == [[0, 0]] * 6
    still = descend(BOWL, optimizer, (1, 2), 0)
    assert (still.points.tolist(), still.updates.shape) == ([[1, 2]], (0, 2))


@pytest.mark.parametrize(
    "optimizer",
    [
        SGD(lr=0),
        SGD(lr=0, weight_decay=0.5),
        Momentum(lr=0),
        Momentum(lr=0, beta=0.5, form="average"),
        Momentum(lr=0, dampening=0.4),
        Momentum(lr=0, form="lr_inside"),
        Momentum(lr=0, weight_decay=3.0),
        Nesterov(lr=0, weight_decay=3.0),
        SGD(lr=0, weight_decay=3.0),
        Nesterov(lr=0),
        Nesterov(lr=0, beta=0.3),
    ],
)
def test_just_below_the_limit_it_arrives_and_just_above_it_leaves(optimizer):
    ravine = SURFACES["ravine"]
    limit = stability_limit(optimizer, ravine.hessian((0, 0)))
    below = descend(ravine, replace(optimizer, lr=0.99 * limit), ravine.start, 4000)
    above = descend(ravine, replace(optimizer, lr=1.01 * limit), ravine.start, 4000)
    assert below.values[-1] < 1e-10
    assert above.diverged_at is not None


def test_limits_by_hand():
    assert stability_limit(SGD(lr=0.1), [[2, 0], [0, 2]]) == 1
    assert stability_limit(Momentum(lr=0.1, beta=0.5), [[2, 0], [0, 1]]) == 1.5
    assert stability_limit(SGD(lr=0.1), [[-1, 0], [0, -2]]) is None
    assert stability_limit(Adam(lr=0.1), [[2, 0], [0, 2]]) is None
    assert stability_limit(Momentum(lr=0.1, dampening=1.0), [[2.0]]) is None


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("surface", ["rosenbrock", "plateau"])
def test_a_sweep_ends_where_each_descent_ends(name, surface):
    surface = SURFACES[surface]
    rates = np.geomspace(1e-4, 10, 7)
    sweep = sweep_learning_rates(surface, OPTIMIZERS[name](lr=0), surface.start, 60, rates)
    for row, lr in enumerate(rates):
        trace = descend(surface, OPTIMIZERS[name](lr=float(lr)), surface.start, 60)
        close(sweep.points[row], trace.points[-1], 1e-9)
        assert sweep.values[row] == pytest.approx(trace.values[-1], rel=1e-9)
        assert sweep.diverged[row] == (trace.diverged_at is not None)


def test_a_sweep_is_quick():
    start = perf_counter()
    sweep = sweep_learning_rates(SURFACES["beale"], Adam(lr=0), (1, 1.5), 60)
    assert perf_counter() - start < 2.5  # about 10 ms on a machine with nothing else to do
    assert sweep.learning_rates.shape == sweep.values.shape == (121,)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("bowl", SGD(lr=0.1), (1, 0), 5), "surface"),
        ((BOWL, "sgd", (1, 0), 5), "optimizer"),
        ((BOWL, SGD(lr=0.1), (1, 0, 0), 5), "start"),
        ((BOWL, SGD(lr=0.1), (np.nan, 0), 5), "start"),
        ((BOWL, SGD(lr=0.1), (2e6, 0), 5), "start"),
        ((BOWL, SGD(lr=0.1), (1, 0), -1), "n_steps"),
        ((BOWL, SGD(lr=0.1), (1, 0), 5.0), "n_steps"),
    ],
)
def test_refuses_bad_descents(arguments, match):
    for walk in (descend, sweep_learning_rates):
        with pytest.raises(ValueError, match=match):
            walk(*arguments)


@pytest.mark.parametrize("rates", [[], [-1.0], [np.nan], 0.1, [[0.1]], ["a"]])
def test_refuses_bad_sweeps(rates):
    with pytest.raises(ValueError, match="learning_rates"):
        sweep_learning_rates(BOWL, SGD(lr=0), (1, 0), 5, rates)


def test_heights_are_measured_from_the_deepest_minimum():
    for name, surface in SURFACES.items():
        trace = descend(surface, Adam(lr=0.1), surface.start, 60)
        sweep = sweep_learning_rates(surface, Adam(lr=0), surface.start, 60, [0.1])
        close(trace.above, trace.values - surface.function(surface.minima[0]), 1e-12)
        assert (trace.above >= 0).all(), name
        close(sweep.above[0], trace.above[-1], 1e-9)
        assert descend(surface, Adam(lr=0.1), surface.minima[0], 0).above.tolist() == [0]


def test_a_learning_rate_that_changes_tells_inside_from_outside():  # pytorch/pytorch#1099
    ends = {}
    for form in ("sum", "lr_inside"):
        steps = [Momentum(lr=lr, form=form) for lr in (0.1, 0.1, 0.01)]
        ends[form] = follow(BOWL, steps, (1, 0)).points[-1, 0]
    close(ends["sum"], 0.4202)
    close(ends["lr_inside"], 0.1448)
    same = follow(BOWL, [Momentum(lr=0.1)] * 5, (1, 0))
    close(same.points, descend(BOWL, Momentum(lr=0.1), (1, 0), 5).points, 0)


@pytest.mark.parametrize(
    "optimizers", [[], [SGD(lr=0.1), Adam(lr=0.1)], [Momentum(lr=1), Momentum(lr=1, form="average")]]
)
def test_refuses_to_hand_on_a_memory_of_another_kind(optimizers):
    with pytest.raises(ValueError, match="optimizers"):
        follow(BOWL, optimizers, (1, 0))


def test_the_place_that_is_too_curved():
    rosenbrock = SURFACES["rosenbrock"]
    lost = descend(rosenbrock, SGD(lr=0.01), rosenbrock.start, 60)
    beyond = first_beyond(rosenbrock, SGD(lr=0.01), lost.points)
    assert lost.diverged_at is not None
    assert beyond.step == 0
    assert beyond.limit == pytest.approx(2 / beyond.curvature)
    assert first_beyond(BOWL, SGD(lr=1.0), [(1, 0)]) is None  # on the limit it swings
    assert first_beyond(BOWL, Adam(lr=100), [(1, 0)]) is None


@pytest.mark.parametrize("hessian", [[[1, 2], [3, 4]], [[1, 2]], [1, 2], [[np.nan]], None, np.zeros((0, 0))])
def test_refuses_bad_hessians(hessian):
    with pytest.raises(ValueError, match="hessian"):
        stability_limit(SGD(lr=0.1), hessian)


def test_a_sweep_knows_what_was_reached_and_by_which_rate():
    for top, lost in ((1.1, False), (5.0, True)):
        sweep = sweep_learning_rates(
            BOWL, SGD(lr=0), (1, 0.5), 60, np.linspace(0.9, top, 9) if not lost else [top, 9.0]
        )
        assert sweep.diverged.all() == lost
        np.testing.assert_array_equal(sweep.reached, np.where(sweep.diverged, np.nan, sweep.above))
        best = sweep.learning_rates[np.where(sweep.diverged, np.inf, sweep.above).argmin()]
        assert sweep.best_rates == ([] if lost else [best])


def test_learning_rates_that_end_equally_low_tie():
    at_rest = sweep_learning_rates(BOWL, SGD(lr=0), (0, 0), 5, [0.1, 0.2, 0.3])
    assert at_rest.best_rates == [0.1, 0.2, 0.3]


def test_a_path_knows_how_far_it_led():
    assert descend(BOWL, SGD(lr=0.5), (3, 4), 1).moved == 5.0
    assert descend(BOWL, SGD(lr=0.5), (3, 4), 0).moved == 0.0
