"""What no argument should be, and where to put it: every kind of value the property tests hand to the engine."""

from fractions import Fraction

import numpy as np


def beyond(*_):
    """A function that no argument should be."""
    raise TypeError("not called like this")


JUNK = [  # whatever the argument is
    None,
    True,
    False,
    0,
    1,
    -1,
    2.5,
    1e308,
    -1e308,
    5e-324,
    1e-309,
    10**9,
    10**400,
    10**5000,
    -(10**5000),
    1j,
    float("nan"),
    float("inf"),
    np.float32(0.5),
    np.float64("inf"),
    np.uint8(200),
    np.int64(-3),
    np.bool_(True),
    np.timedelta64(3),
    np.timedelta64(3, "s"),
    np.datetime64("2000-01-01"),
    Fraction(10**5000, 3),
    Fraction(1, 3),
    "",
    "junk",
    "1.5",
    "10" * 40,
    "\ud800",
    b"1",
    object(),
    object,
    len,
    beyond,
    {},
    {"a": 1},
    {1: "a"},
    set(),
    {1, 2},
    [],
    (),
    [[]],
    [None],
    ["1.5"],
    [b"1"],
    [1j],
    [[1.0], [1.0, 2.0]],
    [[True, 1.0]],
    [True, 2],
    [10**5000],
    [[10**5000]],
    [1e308, -1e308],
    [[1e308, -1e308], [-1e308, 1e308]],
    [5e-324, 0.0],
    [1, 2, 3],
    [[1, 2], [3, 4]],
    range(3),
    [[[[1.0]]]],
    ("a", "b"),
    [("a", "b"), ("c",)],
    [("a", 1)],
    {"a": (1, 2)},
    {"a": "b"},
    {"hug": 10**5000},
    Ellipsis,
    NotImplemented,
    np.array(["1.5", "2"], object),
    np.array([None]),
    np.array([1.0, None]),
    np.array([10**5000]),
    np.zeros(0),
    np.zeros((0, 3)),
    np.zeros((2, 2, 2, 2)),
    np.array(1.0),
    np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    np.array("text"),
    np.random.default_rng(0),
    np.random,
]


def numeric(value):
    """The array behind an argument that is one, else None."""
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    return array if array.ndim and array.size and array.dtype.kind in "biuf" else None


def other_forms(value):
    """The same numbers in other clothes, and numbers like them, where the argument is an array."""
    array = numeric(value)
    if array is None:
        return
    holed = np.ma.masked_array(array, mask=np.arange(array.size).reshape(array.shape) == 0)
    yield from (np.ma.masked_array(array), holed, array.tolist(), array.astype(object), array.astype(str))
    yield from (array.astype(complex), array.astype(bool), array.astype(int), array.astype("m8[s]"), array[::-1])
    yield from (np.stack([array, array], -1)[..., 0], np.asfortranarray(array), array.T, array[:1], array[..., :0])
    yield (x for x in array.tolist())
    if array.ndim == 2:
        yield array.view(np.matrix)
    if array.dtype.kind == "f":
        yield from (array * scale for scale in (0, 1e-310, 1e-160, 1e120, 1e155, 5e307 / max(1.0, abs(array).max())))
        yield from (array.astype(kind) for kind in ("f4", ">f8", np.longdouble))
        yield from (np.where(array == array.flat[0], odd, array) for odd in (np.nan, np.inf, -np.inf, 1e308, 5e-324))


def same_numbers(value):
    """The very numbers of an argument that is an array, as other kinds of array and as a list."""
    array = numeric(value)
    if array is not None and array.dtype.kind in "iuf":
        yield from (array.tolist(), array.astype(object), np.ma.masked_array(array), np.asfortranarray(array))
        yield np.stack([array, array], -1)[..., 0]
        yield from (array.view(np.matrix),) if array.ndim == 2 else ()
        yield from (array.astype(kind) for kind in (">f8", np.longdouble)) if array.dtype.kind == "f" else ()


def leaves(value, depth=2):
    """Every place inside an argument: (path, what stands there), the argument itself first."""
    yield (), value
    if depth and isinstance(value, tuple | list):
        for i, part in enumerate(value):
            yield from (((i, *path), leaf) for path, leaf in leaves(part, depth - 1))


def put(value, path, junk):
    """The argument with junk at one place inside."""
    if not path:
        return junk
    parts = list(value)
    parts[path[0]] = put(parts[path[0]], path[1:], junk)
    return type(value)._make(parts) if hasattr(value, "_fields") else type(value)(parts)
