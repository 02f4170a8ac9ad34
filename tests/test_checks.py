import numpy as np
import pytest

from engine import checks


@pytest.mark.parametrize("bad", [["1"], [True], [1j], [10**400], [[1, 2], [3]], None, object(), "ab", [None]])
def test_array_takes_numbers_only(bad):
    with pytest.raises(ValueError, match="x (must hold|needs)"):
        checks.array("x", bad)


def test_array_names_the_cell():
    with pytest.raises(ValueError, match=r"finite number in every cell; got nan at \[1, 0\]"):
        checks.array("x", [[1, 2], [np.nan, 3]])
    assert checks.array("x", [-np.inf], allow_neg_inf=True)[0] == -np.inf
    assert checks.array("x", []).size == 0


@pytest.mark.parametrize("bad", [10**400, np.nan, np.inf, "1", None, True, 1j, np.complex128(1), [1.0]])
def test_number_takes_one_finite_number(bad):
    with pytest.raises(ValueError, match="p must be a number"):
        checks.number("p", bad)


def test_number_at_its_limits():
    assert checks.number("p", 1, 0, 1) == 1
    with pytest.raises(ValueError, match=r"\(0, 1\]"):
        checks.number("p", 0, 0, 1, open_low=True)


def test_in_range_sees_a_lone_infinity():
    with pytest.raises(ValueError, match="inside float64"):
        checks.in_range("x", np.array(np.inf))


@pytest.mark.parametrize("bad", [1.0, True, -1, 5, "3", None])
def test_integer_takes_whole_numbers_in_its_range(bad):
    with pytest.raises(ValueError, match="n must be a whole number from 0 to 4"):
        checks.integer("n", bad, 0, 4)


@pytest.mark.parametrize("bad", [[0.0, 1.0], [[0]], [3], [-1], ["a"], 0])
def test_classes_exist(bad):
    with pytest.raises(ValueError, match="targets must be"):
        checks.classes("targets", bad, 3)
