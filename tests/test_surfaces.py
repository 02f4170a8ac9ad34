import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near import within

from engine.surfaces import SURFACES, curvatures, minima_of, minimum_at, surface_grid

close = within(5e-6, relative=True)


def central(function, point, h):
    """One column per coordinate moved: (f(p + h) − f(p − h)) / 2h."""
    return np.stack([(function(point + d) - function(point - d)) / (2 * h) for d in h * np.eye(2)], axis=-1)


ALL = pytest.mark.parametrize("name", SURFACES)


def test_the_menu_holds_the_surfaces_the_lab_names():
    assert {"bowl", "ravine", "saddle", "rosenbrock", "himmelblau", "beale", "plateau"} <= set(SURFACES)


@ALL
@settings(max_examples=30, deadline=None)
@given(u=st.floats(0, 1), v=st.floats(0, 1))
def test_gradient_and_hessian_are_the_central_differences(
    name, u, v
):  # lilipads/gradient_descent_viz: 1e-12 is too small
    surface = SURFACES[name]
    (left, right), (bottom, top) = surface.bounds
    point = np.array([left + u * (right - left), bottom + v * (top - bottom)])
    scale = 1 + np.abs(surface.function(point))
    close(surface.gradient(point) / scale, central(surface.function, point, 1e-5) / scale, 1e-7)
    close(surface.hessian(point) / scale, central(surface.gradient, point, 1e-5) / scale, 1e-7)


@ALL
def test_minima_are_flat_curved_upwards_and_the_deepest_comes_first(name):
    surface = SURFACES[name]
    for minimum in surface.minima:
        close(surface.gradient(minimum), 0, 1e-12)
        assert curvatures(surface, minimum)[0] > 0
    heights = [float(surface.function(minimum)) for minimum in surface.minima]
    assert heights[0] <= min(heights) + 1e-12
    assert surface_grid(surface, 201).heights.min() >= heights[0] - 1e-12


@ALL
def test_start_and_minima_can_be_seen_and_the_start_is_no_minimum(name):
    surface = SURFACES[name]
    low, high = np.array(surface.bounds).T
    for point in (surface.start, *surface.minima):
        assert ((low <= point) & (point <= high)).all()
    assert np.linalg.norm(surface.gradient(surface.start)) > 1e-3


@ALL
def test_points_may_have_any_number_of_axes_in_front(name, rng):
    surface = SURFACES[name]
    points = rng.uniform(-1, 1, size=(3, 4, 2))
    assert surface.function(points).shape == (3, 4)
    assert surface.gradient(points).shape == (3, 4, 2)
    assert surface.hessian(points).shape == (3, 4, 2, 2)
    for part in (surface.function, surface.gradient, surface.hessian):
        close(part(points)[1, 2], part(points[1, 2]), 1e-14)


@ALL
def test_everywhere_within_reach_is_finite(name):
    surface = SURFACES[name]
    for part in (surface.function, surface.gradient, surface.hessian):
        assert np.isfinite(part([[1e6, -1e6], [-1e6, 1e6], [1e6, 1e6]])).all()


@ALL
def test_the_code_is_the_function(name, rng):
    x, y = rng.uniform(-3, 3, size=(2, 20))
    heights = eval(SURFACES[name].code, {"np": np, "x": x, "y": y})
    close(heights, SURFACES[name].function(np.stack([x, y], axis=-1)), 1e-13)


def test_known_heights():
    assert SURFACES["rosenbrock"].function((-1.2, 1)) == pytest.approx(24.2)
    assert SURFACES["himmelblau"].function((0, 0)) == 170
    assert SURFACES["beale"].function((0, 0)) == pytest.approx(1.5**2 + 2.25**2 + 2.625**2)
    assert SURFACES["styblinski_tang"].function((-2.903534, -2.903534)) == pytest.approx(-78.33233)
    assert curvatures(SURFACES["saddle"], (0, 0)).tolist() == [-1, 1]


def test_grid_rows_are_y_and_the_relief_starts_at_zero():
    grid = surface_grid(SURFACES["ravine"], 5)
    assert grid.x.tolist() == [-4, -2, 0, 2, 4]
    assert grid.heights[0, 2] == SURFACES["ravine"].function((0, -2)) == 40
    assert grid.relief.min() == 0
    close(grid.relief, np.log(1 + grid.heights), 1e-14)


@pytest.mark.parametrize("bad", [1.0, [1, 2, 3], [np.nan, 0], [np.inf, 0], [2e6, 0], ["a", "b"], None, []])
def test_refuses_bad_points(bad):
    for part in (SURFACES["bowl"].function, SURFACES["bowl"].gradient, SURFACES["bowl"].hessian):
        with pytest.raises(ValueError, match="point"):
            part(bad)
    with pytest.raises(ValueError, match="point"):
        curvatures(SURFACES["bowl"], bad)


@pytest.mark.parametrize("n", [1, 1001, 5.0, True, None])
def test_refuses_bad_grid_sizes(n):
    with pytest.raises(ValueError, match="n must"):
        surface_grid(SURFACES["bowl"], n)


def test_four_minima_equally_deep():
    found = minima_of(SURFACES["himmelblau"])
    assert [round(minimum.curvature, 1) for minimum in found] == [82.3, 80.6, 133.8, 105.4]
    assert all(minimum.deepest for minimum in found)
    assert [minimum.deepest for minimum in minima_of(SURFACES["styblinski_tang"])] == [True, False, False, False]
    assert [minimum.deepest for minimum in minima_of(SURFACES["saddle"])] == [True, True]


def test_which_minimum_a_path_ends_at():
    surface = SURFACES["himmelblau"]
    for point in surface.minima:
        assert minimum_at(surface, np.add(point, 0.1)).point == point
    assert minimum_at(surface, (0, 0)) is None
    assert round(2 / minimum_at(surface, (-3.78, -3.28)).curvature, 4) == 0.0149
    for bad in ((1, 2, 3), None, (np.nan, 0)):
        with pytest.raises(ValueError, match="point"):
            minimum_at(surface, bad)
