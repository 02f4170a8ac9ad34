import numpy as np
import pytest

from engine.position_variants import one_frequency_per_column, wavelengths_to_the_base
from engine.positions import scores_by_offset, sinusoidal_table, wavelengths


def test_the_slip_shows_in_the_scores():  # DeepCTR#379, PapersReimplementations#9
    wrong, right = one_frequency_per_column(32, 8), sinusoidal_table(32, 8)
    np.testing.assert_allclose(wrong[:, 0], right[:, 0], atol=0)  # the first column is still right
    np.testing.assert_allclose(wrong[9, [3, 6]], [np.cos(9 * 10_000 ** (-6 / 8)), np.sin(9 * 10_000 ** (-12 / 8))])
    scores = wrong @ wrong.T
    assert abs(scores[3, 7] - scores[20, 24]) > 1
    assert scores_by_offset(scores).out > 1 > 1e-13 > scores_by_offset(right @ right.T).out


def test_both_spacings_start_at_a_full_turn():
    ours, theirs = wavelengths(16), wavelengths_to_the_base(16)
    assert ours[0] == theirs[0] == 2 * np.pi
    np.testing.assert_allclose(theirs[-1], 2 * np.pi * 10_000)
    assert (theirs[1:] > ours[1:]).all()
    np.testing.assert_allclose(theirs[1:] / theirs[:-1], theirs[1] / theirs[0])


def test_narrow_odd_and_extreme():
    assert wavelengths_to_the_base(1).tolist() == wavelengths_to_the_base(2).tolist() == [2 * np.pi]
    assert wavelengths_to_the_base(15).shape == (8,)
    assert np.isfinite(wavelengths_to_the_base(999, base=1e299)).all()
    assert one_frequency_per_column(3, 1).shape == (3, 1)
    assert np.isfinite(one_frequency_per_column(4, 9, base=1e300)).all()


@pytest.mark.parametrize(
    "function", [lambda **k: one_frequency_per_column(4, 4, **k), lambda **k: wavelengths_to_the_base(4, **k)]
)
def test_refusals(function):
    with pytest.raises(ValueError, match="base must be"):
        function(base=0.5)
    with pytest.raises(ValueError, match="base must be"):
        function(base=float("nan"))


@pytest.mark.parametrize("width", [0, -1, 2.5])
def test_refused_widths(width):
    with pytest.raises(ValueError, match="d_model must be"):
        one_frequency_per_column(4, width)
    with pytest.raises(ValueError, match="d_model must be"):
        wavelengths_to_the_base(width)
