import numpy as np
import pytest
from near import within

from engine.vectors import entrywise, matmul, matmul_cell

close = within(1e-14, relative=True)


def test_cells_make_up_the_product(rng):
    A, B = rng.normal(size=(3, 4)), rng.normal(size=(4, 2))
    cells = [[matmul_cell(A, B, i, j).out for j in range(2)] for i in range(3)]
    close(cells, matmul(A, B).out)
    assert matmul(A, B).flops == 2 * 3 * 4 * 2
    cell = matmul_cell(A, B, 1, 0)
    cell.a_row[:] = 0
    assert (A[1] != 0).all()
    close(cell.products, A[1] * B[:, 0], 0)


def test_refuses_products_that_do_not_exist():
    with pytest.raises(ValueError, match=r"columns of A .* rows of B; got A \(1, 2\) and B \(1, 2\): give B 2 rows"):
        matmul([[1, 2]], [[1, 2]])
    for row, column in ((1, 0), (-1, 0), (0, 2), (0, 1.0), (True, 0), (None, 0)):
        with pytest.raises(ValueError, match="row|column"):
            matmul_cell([[1, 2]], [[1, 2], [3, 4]], row, column)


def test_a_sum_of_one_term_needs_no_addition():
    column, row = np.ones((6, 1)), np.ones((1, 6))
    assert (matmul(column, row).flops, matmul(column, row).exact_flops) == (72, 36)
    assert matmul(np.ones((2, 5)), np.ones((5, 3))).exact_flops == 2 * 3 * (5 + 4)


def test_entry_by_entry_is_the_star_of_numpy(rng):
    A, B = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
    for other in (B, B[:1], B[:, :1], B[:1, :1]):
        assert (entrywise(A, other) == A * other).all()
    assert (entrywise(A[:1], B[:, :1]) == A[:1] * B[:, :1]).all()
    for bad in (B.T, B[:2], B[:, :3], B[0], [[1e308] * 4] * 3):
        with pytest.raises(ValueError, match="[AB]"):
            entrywise([[1e308] * 4] * 3, bad)
