"""How numbers of a product are written, and what is said of it and of other products of the same matrices."""

from typing import Any

import numpy as np

from ui.words import agree, counted, listed

A = [[1, 2, 0, -1, 3, 1], [2, -1, 1, 3, 1, -2], [0, 3, -2, 1, -1, 2],
          [-1, 1, 2, 3, 0, 1], [3, 0, 1, -2, 2, -1], [1, -2, 0, 2, 1, 3]]  # fmt: skip
B = [[3, -1, 1, 0, 2, 1], [1, 2, 0, -2, 1, 3], [-2, 1, 3, 1, 0, -1], [2, 0, -1, 2, 3, 1],
          [1, 3, 2, -1, 0, 2], [0, -2, 1, 3, -1, 1], [2, 1, -1, 0, 1, -2]]  # fmt: skip
Said = tuple[Any, str]
NEAR = 1e-9  # cells closer than that are one and the same


def decimals(*arrays: Any) -> int:
    """How many decimals write all these numbers exactly, three at the most.

    >>> decimals([1, 2]), decimals([1.5], [[0.25]]), decimals([1 / 3])
    (0, 2, 3)
    """
    values = np.concatenate([np.ravel(array) for array in arrays])
    return next((d for d in range(3) if np.allclose(values, values.round(d), rtol=0, atol=NEAR)), 3)


def of_the_other_order(m: int, k: int, b_rows: int, n: int, AB: Any, BA: Any) -> list[Said]:
    """Whether BA exists, and whether it is AB; both None where they do not exist."""
    exists = f"The other order, BA, exists: the columns of B are as many as the rows of A, {n}. "
    both = AB is not None and BA is not None and np.shape(AB) == np.shape(BA)
    changed = int((abs(AB - BA) > NEAR).sum()) if both else 0
    columns, rows = counted(n, "column", "columns"), counted(m, "row", "rows")
    return [
        (BA is None, f"The other order, BA, does not exist: B has {columns}, A has {rows}."),
        (BA is not None and AB is None, f"{exists}It is {b_rows} × {k}; AB does not exist."),
        (
            BA is not None and AB is not None and not both,
            f"{exists}It is {b_rows} × {k}, AB is {m} × {n}.",
        ),
        (
            both and changed > 0,
            f"Both orders exist; BA differs from AB in {changed} of {counted(m * n, 'cell', 'cells')}.",
        ),
        (both and not changed, "Both orders exist, and here BA is AB."),
    ]


def of_single_ones(A: Any, AB: Any) -> list[Said]:
    """Which rows of B come out, where each row of A has a single 1."""
    single = ((A == 1).sum(axis=1) == 1) & ((A != 0).sum(axis=1) == 1)
    chosen = A.argmax(axis=1).tolist()
    each = agree(len(A), "The one row of A has a single 1: AB is", "Each row of A has a single 1: the rows of AB are")
    return [(AB is not None and single.all(), f"{each} {agree(len(A), 'row', 'rows')} {listed(chosen)} of B.")]


def by_numpy(A: Any, B: Any, star: Any, AB: Any, row: int, column: int) -> str:
    """What A * B is in NumPy, `star`, or that it is refused."""
    shapes = f"{len(A)} × {A.shape[1]} and {len(B)} × {B.shape[1]}"
    if star is None:
        return f"NumPy: cell by cell, and {shapes} do not fit"
    value = listed([float(star[row, column])])
    if A.shape == B.shape:
        return f"NumPy: cell by cell, {value:{decimals(star)}}"
    same = AB is not None and AB.shape == star.shape and np.allclose(AB, star, rtol=0, atol=NEAR)
    repeated = (
        f"NumPy: cell by cell, single rows and columns repeated: {len(star)} × {star.shape[1]} without an error, "
    )
    return repeated + ("exactly AB" if same else f"{value:{decimals(star)}} in [{row}, {column}]")
