import numpy as np
import pytest
from near import close

from engine.positions import offset_curve, scores_by_offset, sinusoidal_table, spread_by_width
from engine.vectors import similarity_matrix


def test_scores_depend_on_the_offset_only():  # PapersReimplementations#9
    scores = sinusoidal_table(32, 8) @ sinusoidal_table(32, 8).T
    close([scores[3, 7], scores[20, 24]], 2.2666095, 5e-8)
    close(scores[0, [0, 1, 2, 5]], [4, 3.535256, 2.563718, 3.159983], 5e-7)  # not monotone
    assert scores_by_offset(scores).out < 1e-13


def test_an_odd_width_breaks_the_offsets():
    assert sinusoidal_table(5, 1).shape == (5, 1)
    table = sinusoidal_table(32, 15)
    close(table[:, 14], np.sin(np.arange(32) / 10_000 ** (14 / 15)), 1e-15)
    spread = scores_by_offset(table @ table.T)
    close(spread.out, table[31, 14] ** 2, 1e-13)  # the lone, slowest sine: 0 at the start, largest at the end
    assert spread.out > 3e-5
    close(table[:, :14], sinusoidal_table(32, 15, layout="halves")[:, [j // 2 + j % 2 * 8 for j in range(14)]], 0)


def test_curves_over_the_offset():
    trace = scores_by_offset([[1, 2, 3], [4, 5, 6], [7, 8, 10]])
    assert trace.offsets.tolist() == [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    assert trace.diagonals.tolist() == [-2, -1, 0, 1, 2]
    assert trace.spread.tolist() == [0, 4, 9, 4, 0]
    assert trace.out == 9


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: scores_by_offset([[1, 2]]), "square"),
        (lambda: scores_by_offset(np.empty((0, 0))), "square"),
        (lambda: scores_by_offset([[1e308, 0], [0, -1e308]]), "float64"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_all_starts_on_one_line(rng):
    scores = rng.normal(size=(5, 5))
    gap, curve = ((0, 0), (0, 1)), offset_curve(scores)
    assert curve.x.tolist() == np.pad(scores_by_offset(scores).offsets, gap).ravel().tolist()
    np.testing.assert_array_equal(curve.y, np.pad(scores, gap, constant_values=np.nan).ravel())
    with pytest.raises(ValueError, match="square"):
        offset_curve([[1, 2]])


@pytest.mark.parametrize("base", [10, 10_000])
def test_spread_at_every_width(base):
    tables = [similarity_matrix(sinusoidal_table(32, width, base=base), "dot") for width in range(2, 38)]
    assert spread_by_width(32, range(2, 38), base=base) == tuple(scores_by_offset(one).out for one in tables)
