"""Row against column: the dot product, one cell of a matrix product, and the whole product with its cost."""

from typing import NamedTuple

import numpy as np

from engine import checks


class CellTrace(NamedTuple):
    """One cell of A·B: a_row (k,), b_column (k,), their products (k,), and the sum."""

    a_row: np.ndarray
    b_column: np.ndarray
    products: np.ndarray
    out: float


class MatmulTrace(NamedTuple):
    """A whole product: its floating-point operations by the usual count, those it really takes, the product (m, n)."""

    flops: int  # 2·m·k·n: a multiplication and an addition for every term
    exact_flops: int  # m·n·(2·k − 1): k terms need k − 1 additions
    out: np.ndarray


def dot(a, b) -> float:
    """Multiply two vectors entry by entry and add up: a·b = Σ_i a_i·b_i (Strang 2016, §1.2).

    Shapes: a, b (d,), returns a float. Raises ValueError for two lengths, an empty vector, or a sum beyond float64.

    >>> dot([1, 2, 3], [4, 5, 6])
    32.0
    """
    a, b = as_pair(a, b)
    return matmul_cell(a[None, :], b[:, None], 0, 0).out


def matmul_cell(A, B, row: int, column: int) -> CellTrace:
    """One cell of a matrix product: a row of A against a column of B, (A·B)_ij = Σ_k A_ik·B_kj (Strang 2016, §2.4).

    Shapes: A (m, k), B (k, n), row 0 … m − 1, column 0 … n − 1. Raises ValueError if the inner sizes differ, the cell
    does not exist, or the sum leaves float64.

    >>> matmul_cell([[1, 2], [3, 4]], [[5, 6], [7, 8]], 0, 1)
    CellTrace(a_row=array([1., 2.]), b_column=array([6., 8.]), products=array([ 6., 16.]), out=22.0)
    """
    A, B = _factors(A, B)
    a_row = A[checks.integer("row", row, 0, A.shape[0] - 1)].copy()  # (k,)
    b_column = B[:, checks.integer("column", column, 0, B.shape[1] - 1)].copy()  # (k,)
    with np.errstate(over="ignore", invalid="ignore"):
        products = checks.in_range("the products", a_row * b_column)
        return CellTrace(a_row, b_column, products, float(checks.in_range("the sum", products.sum(keepdims=True))[0]))


def matmul(A, B) -> MatmulTrace:
    """The whole product, every cell as in `matmul_cell`, and what it costs: 2·m·k·n FLOPs.

    A multiplication and an addition for each of the k terms of each of the m·n cells, the count in use (Golub & Van
    Loan 2013, chapter 1); exactly it is one addition less a cell, m·n·(2·k − 1). Shapes: A (m, k), B (k, n), out (m,
    n), m·k·n at most 2²⁹ and m·n at most 2²². Raises ValueError as `matmul_cell`.

    >>> matmul([[1, 2], [3, 4]], [[5], [7]])
    MatmulTrace(flops=8, exact_flops=6, out=array([[19.],
           [43.]]))
    """
    A, B = _factors(A, B)
    checks.within("the products", checks.MAX_PRODUCTS, m=len(A), k=A.shape[1], n=B.shape[1])
    checks.within("A·B", checks.MAX_NUMBERS, m=len(A), n=B.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        products = A.size * B.shape[1]
        return MatmulTrace(2 * products, 2 * products - len(A) * B.shape[1], checks.in_range("A·B", A @ B))  # (m, n)


def entrywise(A, B) -> np.ndarray:
    """Multiply two matrices entry by entry, as * does in NumPy: a single row or column is repeated to fit the other's.

    Shapes: A (m, k) and B (p, n), m and p alike or one of them 1, k and n too; returns (max(m, p), max(k, n)). For one
    shape this is the Hadamard product (Golub & Van Loan 2013, §1.1); a row times a column is their outer product.
    Raises ValueError for shapes that do not fit and entries beyond float64.

    >>> entrywise([[1, 2], [3, 4]], [[5, 6], [7, 8]]).tolist(), entrywise([[1, 2]], [[3], [4]]).tolist()
    ([[5.0, 12.0], [21.0, 32.0]], [[3.0, 6.0], [4.0, 8.0]])
    """
    A, B = as_matrix("A", A), as_matrix("B", B)
    if any(1 not in pair and pair[0] != pair[1] for pair in zip(A.shape, B.shape, strict=True)):
        raise ValueError(
            f"A and B must have the same rows and columns, or a single one; got A {A.shape} and B {B.shape}"
        )
    checks.within("A∘B", checks.MAX_NUMBERS, rows=max(len(A), len(B)), columns=max(A.shape[1], B.shape[1]))
    with np.errstate(over="ignore"):
        return checks.in_range("A∘B", A * B)


def _factors(A, B) -> tuple[np.ndarray, np.ndarray]:
    A, B = as_matrix("A", A), as_matrix("B", B)
    if A.shape[1] != B.shape[0]:
        raise ValueError(
            f"the columns of A must be as many as the rows of B; got A {A.shape} and B {B.shape}: "
            f"give B {A.shape[1]} row{'' if A.shape[1] == 1 else 's'}"
        )
    return A, B


def as_vector(name: str, value) -> np.ndarray:
    """A vector of at least one finite number, or a ValueError that names it.

    >>> as_vector("a", [1, 2]).tolist()
    [1.0, 2.0]
    """
    return _filled(name, checks.array(name, value, ndim=1))


def as_matrix(name: str, value) -> np.ndarray:
    """A matrix of at least one finite number, or a ValueError that names it.

    >>> as_matrix("A", [[1, 2]]).shape
    (1, 2)
    """
    return _filled(name, checks.array(name, value, ndim=2))


def _filled(name: str, value: np.ndarray) -> np.ndarray:
    if value.size == 0:
        raise ValueError(f"{name} needs at least one number; got shape {value.shape}")
    return value


def as_pair(a, b) -> tuple[np.ndarray, np.ndarray]:
    """Two vectors of one length, (d,) each, or a ValueError.

    >>> as_pair([1], [2])[1].tolist()
    [2.0]
    """
    a = as_vector("a", a)
    return a, checks.shape("b", as_vector("b", b), a.shape, "as long as a")
