import numpy as np
import pytest
from near import close

from engine.positions import (
    column_kinds,
    library_table,
    one_frequency_per_column,
    rope,
    row_gaps,
    scores_by_offset,
    sinusoidal_table,
    wavelengths,
    wavelengths_to_the_base,
)


def test_table_agrees_with_transformers(reference):
    close(sinusoidal_table(12, 8, layout="halves"), reference("positions")["sinusoidal_halves"], 1e-6)


def test_fairseq_spaces_the_waves_otherwise(reference):
    frozen = reference("positions")["fairseq"]
    for width, table in frozen.items():
        close(library_table(31, int(width), library="fairseq"), table, 1e-5)
    table = library_table(31, 32, library="fairseq")
    close([table[7, 4], table[7] @ table[30]], [0.565, 10.344], 5e-4)
    paper = sinusoidal_table(31, 32, layout="halves")
    close([paper[7, 4], paper[7] @ paper[30]], [0.644, 9.600], 5e-4)
    close(np.prod(library_table(14, 16, library="fairseq")[[8, 13]], axis=0).sum(), 6.442, 5e-4)
    close(library_table(2, 4, library="fairseq")[1, 1], 0.0001, 1e-8)
    assert not library_table(9, 5, library="fairseq")[:, 4].any()


def test_tensor2tensor_at_widths_where_fairseq_divides_by_zero():
    same = (library_table(9, 8, library=name) for name in ("fairseq", "tensor2tensor"))
    close(*same, 0)
    close(library_table(2, 3, library="tensor2tensor", base=50)[1], [np.sin(1), np.cos(1), 0], 1e-15)
    for width in (2, 3):
        with pytest.raises(ValueError, match="d_model"):
            library_table(4, width, library="fairseq")
    with pytest.raises(ValueError, match="base"):
        library_table(4, 8, library="fairseq", base=100)
    with pytest.raises(ValueError, match="library"):
        library_table(4, 8, library="torch")


# The sinusoidal table
def test_a_pair_shares_one_frequency():  # DeepCTR#379: the exponent 2i for every column gives 0.84147 0.99995 0.0001 1
    close(sinusoidal_table(2, 4)[1], [0.84147, 0.54030, 0.01000, 0.99995])


def test_interleaved_or_side_by_side_scores_alike():  # tensorflow#37191
    pairs, halves = (sinusoidal_table(9, 6, layout=layout) for layout in ("pairs", "halves"))
    assert abs(pairs - halves).max() > 0.1
    close(pairs @ pairs.T, halves @ halves.T, 1e-14)


def test_a_row_per_position():  # mlx#147
    assert sinusoidal_table(7, 4).shape == (7, 4)
    close(sinusoidal_table(1, 4), [[0, 1, 0, 1]], 0)


def test_wavelengths_bring_a_column_back():
    waves = wavelengths(8)
    close(waves[[0, 1]], [2 * np.pi, 20 * np.pi], 1e-13)
    close(rope([1.0, 0.0] * 4, waves[2])[4:6], [1, 0], 1e-13)
    close(wavelengths(3, base=1.0), [2 * np.pi] * 2, 0)
    assert np.isfinite(wavelengths(999, base=1e300)).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sinusoidal_table(0, 4), "n_positions"),
        (lambda: sinusoidal_table(4, 0), "d_model"),
        (lambda: sinusoidal_table(True, 4), "n_positions"),
        (lambda: sinusoidal_table(4, 2.0), "d_model"),
        (lambda: sinusoidal_table(4, 4, base=0), "base"),
        (lambda: sinusoidal_table(4, 4, base=np.nan), "base"),
        (lambda: sinusoidal_table(4, 4, layout="both"), "layout"),
        (lambda: wavelengths("4"), "d_model"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()


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
    assert wavelengths_to_the_base(3).tolist() == wavelengths_to_the_base(2).tolist() == [2 * np.pi]
    assert wavelengths_to_the_base(15).shape == (7,)
    assert np.isfinite(wavelengths_to_the_base(999, base=1e299)).all()
    assert one_frequency_per_column(3, 1).shape == (3, 1)
    assert np.isfinite(one_frequency_per_column(4, 9, base=1e300)).all()


@pytest.mark.parametrize(
    "function", [lambda **k: one_frequency_per_column(4, 4, **k), lambda **k: wavelengths_to_the_base(4, **k)]
)
def test_a_base_below_one_is_refused(function):
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


def test_kinds_of_columns_and_gaps_of_rows():
    for d in (1, 7, 8):
        for layout in ("pairs", "halves"):
            kinds, table = column_kinds(d, layout=layout), sinusoidal_table(9, d, layout=layout)
            right = sinusoidal_table(9, d)
            for column, (pair, name) in enumerate(kinds):
                assert (table[:, column] == right[:, 2 * pair + (name == "cos")]).all()
    gaps = row_gaps(table, 2, 5)
    assert (gaps.gaps == abs(table[2] - table[5])).all()
    assert (gaps.close, gaps.widest) == ((gaps.gaps < 0.1).sum(), gaps.gaps.argmax())
    with pytest.raises(ValueError, match="q must"):
        row_gaps(table, 0, 9)
