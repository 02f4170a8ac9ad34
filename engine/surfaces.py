"""Surfaces to descend: a height over the plane, with its slope and its curvature worked out by hand."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine import checks
from engine.exact import eigenvalues

AXES: dict[str, tuple[int, ...]] = {"function": (), "gradient": (2,), "hessian": (2, 2)}  # of an answer for one point
_OWN: set[int] = set()  # ids of the functions of this file's surfaces, which check their points themselves
REACH = 1e6  # a coordinate beyond this counts as lost: every height and slope inside stays far from overflow


class Surface(NamedTuple):
    """A height f(x, y) with what a descent and a drawing need.

    function: points (…, 2) to heights (…); gradient: to (…, 2), (∂f/∂x, ∂f/∂y); hessian: to (…, 2, 2);
    bounds: ((x from, x to), (y from, y to)) worth drawing; start: (x, y) to set out from;
    minima: every (x, y) where the gradient is 0 and both curvatures are positive, the deepest first;
    formula: f in LaTeX; code: f in NumPy, of x and y. The three functions raise ValueError for points that do not end
    in an axis of 2, or that hold NaN or a coordinate beyond ±10⁶.
    """

    function: Callable[..., np.ndarray]
    gradient: Callable[..., np.ndarray]
    hessian: Callable[..., np.ndarray]
    bounds: tuple[tuple[float, float], tuple[float, float]]
    start: tuple[float, float]
    minima: tuple[tuple[float, float], ...]
    formula: str = ""
    code: str = ""

    def asked(self, name: str, points: np.ndarray) -> np.ndarray:
        """What its function, gradient or hessian says of points (…, 2): finite, of the right shape, else ValueError."""
        function = getattr(self, name)
        try:
            found = function(points)
        except Exception as fault:
            raise ValueError(f"surface.{name} must be a function of points; it raised {type(fault).__name__}") from None
        if id(function) in _OWN:
            return found  # at every step of a path: nothing can be wrong with it
        return checks.shape(f"surface.{name}", checks.array(f"surface.{name}", found), points.shape[:-1] + AXES[name])


class SurfaceGrid(NamedTuple):
    """x (n,) and y (n,) along the edges; heights (n, n), one row per y; relief: log(1 + height above the lowest)."""

    x: np.ndarray
    y: np.ndarray
    heights: np.ndarray
    relief: np.ndarray


def surface_grid(surface: Surface, n: int = 101) -> SurfaceGrid:
    """The heights over a surface's bounds, on n × n points, for a drawing.

    The relief log(1 + f − min f) keeps the floor of a steep valley visible beside its walls.
    Raises ValueError for n outside 2 … 1000, and for anything but a Surface.

    >>> surface_grid(SURFACES["bowl"], 3).heights.tolist()
    [[8.0, 4.0, 8.0], [4.0, 0.0, 4.0], [8.0, 4.0, 8.0]]
    """
    n = checks.integer("n", n, 2, 1000)
    check_surface(surface)
    x, y = (np.linspace(low, high, n) for low, high in checks.array("surface.bounds", surface.bounds).tolist())
    points = np.stack(np.meshgrid(x, y), axis=-1)
    heights = surface.asked("function", points)  # (n, n, 2) -> (n, n)
    with np.errstate(over="ignore"):
        relief = checks.in_range("the relief", np.log1p(heights - heights.min()))
    return SurfaceGrid(x, y, heights, relief)


def curvatures(surface: Surface, point) -> np.ndarray:
    """The two curvatures at one point, smaller first: the eigenvalues of the Hessian there.

    point (2,), returns (2,); both positive in a valley, one of each sign on a saddle. Raises ValueError as hessian.

    >>> curvatures(SURFACES["ravine"], (0, 0)).tolist()
    [1.0, 20.0]
    """
    check_surface(surface)
    place = checks.shape("point", checks.array("point", point), (2,), "(x, y)")
    return checks.in_range("the curvatures", eigenvalues(surface.asked("hessian", place)))


class Minimum(NamedTuple):
    """A minimum of a surface: where, how high, its larger curvature, and whether no other lies deeper."""

    point: tuple[float, float]
    value: float
    curvature: float
    deepest: bool


def minima_of(surface: Surface) -> tuple[Minimum, ...]:
    """Every minimum of a surface with its height and curvature; several may be deepest, up to rounding.

    curvature: the larger eigenvalue of the Hessian there, which sets how large a step descent may take.

    >>> [(round(m.curvature, 1), m.deepest) for m in minima_of(SURFACES["himmelblau"])]
    [(82.3, True), (80.6, True), (133.8, True), (105.4, True)]
    """
    check_surface(surface)
    minima = checks.array("surface.minima", surface.minima).copy()
    values = surface.asked("function", minima)
    level = values.min() + 1e-9 * (1 + abs(values.min()))
    return tuple(
        Minimum((x, y), float(value), float(curvatures(surface, (x, y))[-1]), bool(value <= level))
        for (x, y), value in zip(minima.tolist(), values, strict=True)
    )


def minimum_at(surface: Surface, point, *, reach: float = 0.25) -> Minimum | None:
    """The minimum that a point lies at, for the end of a path: the nearest one, if it is within `reach`.

    point (2,). None where no minimum is that near. Raises ValueError as hessian, and for a negative reach.

    >>> minimum_at(SURFACES["himmelblau"], (-3.7, -3.3)).point
    (-3.779310253377747, -3.283185991286169)
    """
    place = checks.shape("point", checks.array("point", point), (2,), "(x, y)")
    nearest = min(minima_of(surface), key=lambda minimum: float(np.hypot(*(place - minimum.point))))
    return nearest if np.hypot(*(place - nearest.point)) <= checks.number("reach", reach, 0) else None


def check_surface(surface) -> None:
    """Refuse what is no surface: three functions, bounds to draw, a start and 1 … 100 minima, all within ±10⁶.

    >>> check_surface(SURFACES["bowl"])
    """
    checks.instance("surface", surface, Surface, "a Surface, such as SURFACES['bowl']")
    if any(surface is one for one in SURFACES.values()):
        return
    for name in ("function", "gradient", "hessian"):
        if not callable(getattr(surface, name)):
            raise ValueError(f"surface.{name} must be a function of points; got {checks.shown(getattr(surface, name))}")
    bounds = checks.shape("surface.bounds", checks.array("surface.bounds", surface.bounds), (2, 2), "of x and of y")
    minima = checks.array("surface.minima", surface.minima, ndim=2)
    checks.shape("surface.minima", minima, (checks.integer("the minima", len(minima), 1, 100), 2), "an (x, y) each")
    start = checks.shape("surface.start", checks.array("surface.start", surface.start), (2,), "(x, y)")
    if max(np.abs(part).max() for part in (bounds, minima, start)) > REACH or (bounds[:, 0] >= bounds[:, 1]).any():
        raise ValueError(f"surface must have rising bounds, minima and a start within ±{REACH:g}; got others")


def _coordinates(point) -> tuple[np.ndarray, np.ndarray]:
    points = point if type(point) is np.ndarray and point.dtype == float else checks.array("point", point)
    if points.ndim == 0 or points.shape[-1] != 2:
        raise ValueError(f"point must end in an axis of 2, (x, y); got shape {points.shape}")
    if not (np.abs(points) <= REACH).all():
        checks.array("point", points)  # NaN and ∞ have words of their own
        raise ValueError(f"point must stay within ±{REACH:g}; got {np.abs(points).max():g}: choose one nearer")
    return points[..., 0], points[..., 1]


def _surface(height, slope, curvature, *, bounds, start, minima, formula, code) -> Surface:
    """Lift f, (f_x, f_y) and (f_xx, f_xy, f_yy), written in x and y, to points (…, 2)."""

    def function(point):
        return np.asarray(height(*_coordinates(point)))

    def gradient(point):
        x, y = _coordinates(point)
        slopes = np.empty((*x.shape, 2))
        slopes[..., 0], slopes[..., 1] = slope(x, y)
        return slopes

    def hessian(point):
        x, y = _coordinates(point)
        f_xx, f_xy, f_yy = (np.broadcast_to(part, x.shape) for part in curvature(x, y))
        return np.stack([np.stack([f_xx, f_xy], axis=-1), np.stack([f_xy, f_yy], axis=-1)], axis=-2)

    _OWN.update(map(id, (function, gradient, hessian)))
    return Surface(function, gradient, hessian, bounds, start, minima, formula, code)


_BEALE = ((1, 1.5), (2, 2.25), (3, 2.625))  # (k, c): the three terms (c − x + x·y^k)²


def _beale_slope(x, y):
    residuals = [c - x + x * y**k for k, c in _BEALE]
    return (
        sum(2 * r * (y**k - 1) for r, (k, _) in zip(residuals, _BEALE, strict=True)),
        sum(2 * r * k * x * y ** (k - 1) for r, (k, _) in zip(residuals, _BEALE, strict=True)),
    )


def _beale_curvature(x, y):
    f_xx, f_xy, f_yy = 0, 0, 0
    for k, c in _BEALE:
        r, r_x, r_y = c - x + x * y**k, y**k - 1, k * x * y ** (k - 1)
        r_yy = k * (k - 1) * x * y ** (k - 2) if k > 1 else 0
        f_xx, f_xy, f_yy = (
            f_xx + 2 * r_x**2,
            f_xy + 2 * (r_x * r_y + r * k * y ** (k - 1)),
            f_yy + 2 * (r_y**2 + r * r_yy),
        )
    return f_xx, f_xy, f_yy


def _bump(x, y):
    return np.exp(-(x**2 + y**2) / 2)


# Rosenbrock 1960; Himmelblau 1972; Beale 1958; Styblinski & Tang 1990. The others are textbook shapes.
# Minima without a closed form are given to the last digit of float64 (roots of the gradient).
SURFACES: dict[str, Surface] = {
    "bowl": _surface(
        lambda x, y: x**2 + y**2,
        lambda x, y: (2 * x, 2 * y),
        lambda x, y: (2, 0, 2),
        bounds=((-2, 2), (-2, 2)),
        start=(-1.5, 1.0),
        minima=((0.0, 0.0),),
        formula=r"x^2 + y^2",
        code="x**2 + y**2",
    ),
    "ravine": _surface(
        lambda x, y: (x**2 + 20 * y**2) / 2,
        lambda x, y: (x, 20 * y),
        lambda x, y: (1, 0, 20),
        bounds=((-4, 4), (-2, 2)),
        start=(-3.5, 1.0),
        minima=((0.0, 0.0),),
        formula=r"\tfrac{1}{2}\,(x^2 + 20\,y^2)",
        code="(x**2 + 20 * y**2) / 2",
    ),
    "saddle": _surface(
        lambda x, y: x**2 / 2 - y**2 / 2 + y**4 / 4,
        lambda x, y: (x + 0, y**3 - y),
        lambda x, y: (1, 0, 3 * y**2 - 1),
        bounds=((-2, 2), (-1.75, 1.75)),
        start=(-1.75, 0.01),
        minima=((0.0, 1.0), (0.0, -1.0)),
        formula=r"\tfrac{1}{2} x^2 - \tfrac{1}{2} y^2 + \tfrac{1}{4} y^4",
        code="x**2 / 2 - y**2 / 2 + y**4 / 4",
    ),
    "rosenbrock": _surface(
        lambda x, y: (1 - x) ** 2 + 100 * (y - x**2) ** 2,
        lambda x, y: (2 * (x - 1) - 400 * x * (y - x**2), 200 * (y - x**2)),
        lambda x, y: (2 - 400 * y + 1200 * x**2, -400 * x, 200),
        bounds=((-2, 2), (-1, 3)),
        start=(-1.2, 1.0),
        minima=((1.0, 1.0),),
        formula=r"(1 - x)^2 + 100\,(y - x^2)^2",
        code="(1 - x)**2 + 100 * (y - x**2)**2",
    ),
    "himmelblau": _surface(
        lambda x, y: (x**2 + y - 11) ** 2 + (x + y**2 - 7) ** 2,
        lambda x, y: (4 * x * (x**2 + y - 11) + 2 * (x + y**2 - 7), 2 * (x**2 + y - 11) + 4 * y * (x + y**2 - 7)),
        lambda x, y: (12 * x**2 + 4 * y - 42, 4 * (x + y), 12 * y**2 + 4 * x - 26),
        bounds=((-5, 5), (-5, 5)),
        start=(-0.5, -0.5),
        minima=(
            (3.0, 2.0),
            (-2.805118086952745, 3.131312518250573),
            (-3.779310253377747, -3.283185991286169),
            (3.584428340330492, -1.848126526964404),
        ),
        formula=r"(x^2 + y - 11)^2 + (x + y^2 - 7)^2",
        code="(x**2 + y - 11)**2 + (x + y**2 - 7)**2",
    ),
    "beale": _surface(
        lambda x, y: sum((c - x + x * y**k) ** 2 for k, c in _BEALE),
        _beale_slope,
        _beale_curvature,
        bounds=((-4.5, 4.5), (-4.5, 4.5)),
        start=(1.0, 1.5),
        minima=((3.0, 0.5),),
        formula=r"(1.5 - x + xy)^2 + (2.25 - x + xy^2)^2 + (2.625 - x + xy^3)^2",
        code="(1.5 - x + x * y)**2 + (2.25 - x + x * y**2)**2 + (2.625 - x + x * y**3)**2",
    ),
    "plateau": _surface(
        lambda x, y: 1 - _bump(x, y),
        lambda x, y: (x * _bump(x, y), y * _bump(x, y)),
        lambda x, y: ((1 - x**2) * _bump(x, y), -x * y * _bump(x, y), (1 - y**2) * _bump(x, y)),
        bounds=((-4, 4), (-4, 4)),
        start=(-2.5, 1.5),
        minima=((0.0, 0.0),),
        formula=r"1 - e^{-(x^2 + y^2)/2}",
        code="1 - np.exp(-(x**2 + y**2) / 2)",
    ),
    "styblinski_tang": _surface(
        lambda x, y: (x**4 - 16 * x**2 + 5 * x + y**4 - 16 * y**2 + 5 * y) / 2,
        lambda x, y: (2 * x**3 - 16 * x + 2.5, 2 * y**3 - 16 * y + 2.5),
        lambda x, y: (6 * x**2 - 16, 0, 6 * y**2 - 16),
        bounds=((-4, 4), (-4, 4)),
        start=(0.5, -0.25),
        minima=(
            (-2.903534027771177, -2.903534027771177),
            (-2.903534027771177, 2.7468027709908367),
            (2.7468027709908367, -2.903534027771177),
            (2.7468027709908367, 2.7468027709908367),
        ),
        formula=r"\tfrac{1}{2}\,(x^4 - 16x^2 + 5x + y^4 - 16y^2 + 5y)",
        code="(x**4 - 16 * x**2 + 5 * x + y**4 - 16 * y**2 + 5 * y) / 2",
    ),
}
