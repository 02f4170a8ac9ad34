import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near import close

from engine.positions import (
    alibi_bias,
    alibi_scores,
    alibi_slopes,
    alibi_slopes_geometric,
    rope,
    rope_angles,
    rope_pairs,
    rope_scores,
    scores_by_offset,
    sinusoidal_table,
    wavelengths,
)


def test_rope_agrees_with_transformers(reference):
    for case in reference("positions")["rope"]:
        for layout in ("pairs", "halves"):  # GPT-J's rotate_every_two, Llama's rotate_half
            close(rope(case["x"], case["positions"], base=case["base"], layout=layout), case[layout], 1e-12)


def test_alibi_slopes_agree_with_transformers(reference):
    for n_heads, slopes in reference("positions")["alibi_slopes"].items():
        np.testing.assert_allclose(alibi_slopes(int(n_heads)), slopes, rtol=1e-6)  # theirs are float32


def test_table_agrees_with_transformers(reference):
    close(sinusoidal_table(12, 8, layout="halves"), reference("positions")["sinusoidal_halves"], 1e-6)


# The sinusoidal table
def test_a_pair_shares_one_frequency():  # DeepCTR#379: the exponent 2i for every column gives 0.84147 0.99995 0.0001 1
    close(sinusoidal_table(2, 4)[1], [0.84147, 0.54030, 0.01000, 0.99995])


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


# RoPE
def test_two_layouts_of_the_same_weights():  # transformers#25199, flash-attention#288
    x, swap = np.array([1.0, 2, 3, 4]), [0, 2, 1, 3]
    close(rope(x, 1), [-1.14264, 1.92208, 2.95985, 4.02980])
    close(rope(x, 1, layout="halves"), [-1.98411, 1.95990, 2.46238, 4.01980])
    close(rope(x[swap], 1, layout="halves")[swap], rope(x, 1), 1e-15)


def test_position_zero_turns_nothing_and_lengths_stay(rng):
    x = rng.normal(size=(2, 5, 6))  # two heads
    out = rope(x, np.arange(5))
    close(out[:, 0], x[:, 0], 0)
    close(np.linalg.norm(rope_pairs(out), axis=-1), np.linalg.norm(rope_pairs(x), axis=-1), 1e-14)
    close(rope(out, -np.arange(5)), x, 1e-14)  # turning back
    close(out[1], rope(x[1], np.arange(5)), 0)


def test_pairs_are_turned_by_the_angles():
    x = np.array([1.0, 0, 1, 0])
    turned = rope_pairs(rope(x, 3.5))
    close(np.arctan2(turned[:, 1], turned[:, 0]), [3.5 - 2 * np.pi, 0.035], 1e-14)
    close(rope_angles(3.5, 4), [3.5, 0.035], 1e-15)


@settings(max_examples=30, deadline=None)
@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(-500, 500), st.sampled_from(["pairs", "halves"]))
def test_moving_both_positions_keeps_the_score(m, n, shift, layout):
    q, k = np.arange(1.0, 9), np.arange(8.0, 0, -1)
    at, moved = (rope_scores(q, k, [m + s], [n + s], layout=layout).out for s in (0, shift))
    close(at, moved, 1e-10)


def test_rope_scores_at_every_pair_of_positions(rng):
    q, k, places = rng.normal(size=16), rng.normal(size=16), np.arange(32)
    trace = rope_scores(q, k, places, places)
    assert trace.out.shape == (32, 32)
    assert trace.q_angles.shape == (32, 8)
    assert scores_by_offset(trace.out).out < 1e-13
    close(trace.out[5, 5], q @ k / 4, 1e-14)
    close(trace.out[7, 3], rope(q, 7) @ rope(k, 3) / 4, 1e-14)
    assert abs(trace.out[7, 3] - trace.out[7, 4]) > 1e-3  # moving one changes it


# ALiBi
def test_slopes_off_the_powers_of_two():  # transformers#28380, mlx#3071
    assert alibi_slopes(3).tolist() == [0.0625, 0.00390625, 0.25]
    close(alibi_slopes(6), [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125], 0)
    close(alibi_slopes_geometric(3), [0.15749, 0.02480, 0.00391])
    for n_heads in (1, 2, 4, 8):
        close(alibi_slopes(n_heads), alibi_slopes_geometric(n_heads), 0)
    assert len(set(alibi_slopes(12))) == 12


def test_slopes_start_at_a_half_for_eight_heads():  # aprender#2143: an exponent from 0 starts at 1
    assert alibi_slopes(8).tolist() == [2.0**-h for h in range(1, 9)]


def test_bias_is_aligned_to_the_last_keys():
    assert alibi_bias(1, 4, 0.25).tolist() == [[-0.75, -0.5, -0.25, 0]]
    assert alibi_bias(2, 1, 1).tolist() == [[-1], [0]]
    assert not np.signbit(alibi_bias(2, 2, 0)).any()
    assert np.isfinite(alibi_bias(3, 3, 1e300)).all()


def test_alibi_scores_fall_with_distance():
    scores = alibi_scores(np.ones(4), np.ones(4), 32, 0.5)
    close(scores[10, [10, 11, 8]], [2, 1.5, 1], 0)
    assert scores_by_offset(scores).out == 0


def test_curves_over_the_offset():
    trace = scores_by_offset([[1, 2, 3], [4, 5, 6], [7, 8, 10]])
    assert trace.offsets.tolist() == [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    assert trace.diagonals.tolist() == [-2, -1, 0, 1, 2]
    assert trace.spread.tolist() == [0, 4, 9, 4, 0]
    assert trace.out == 9


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
        (lambda: rope_angles([0], 3), "even"),
        (lambda: rope_angles([[0]], 4), "positions"),
        (lambda: rope([1, 2, 3], 0), "even"),
        (lambda: rope(np.ones((2, 0)), [0, 1]), "even"),
        (lambda: rope(np.ones((2, 4)), [0, 1, 2]), "one per row"),
        (lambda: rope(np.ones(4), [0]), "one per row"),
        (lambda: rope(np.ones((2, 4)), [0, np.inf]), "positions"),
        (lambda: rope(None, 0), "x"),
        (lambda: rope(3.0, 0), "x"),
        (lambda: rope([1.7e308, 1.7e308], 1), "float64"),
        (lambda: rope_pairs([1, 2], layout=2), "layout"),
        (lambda: rope_scores([1, 2], [1, 2, 3, 4], [0], [0]), "k must"),
        (lambda: rope_scores([], [], [0], [0]), "q needs"),
        (lambda: rope_scores([1, 2], [1, 2], 0, [0]), "positions"),
        (lambda: rope_scores([1e200, 0], [1e200, 0], [0], [0]), "float64"),
        (lambda: alibi_slopes(0), "n_heads"),
        (lambda: alibi_slopes_geometric("8"), "n_heads"),
        (lambda: alibi_bias(0, 1, 0.5), "n_q"),
        (lambda: alibi_bias(1, 1, -0.5), "slope"),
        (lambda: alibi_bias(1, 1, [0.5]), "slope"),
        (lambda: alibi_scores([1], [1], 2, 0.5, scale="1"), "scale"),
        (lambda: scores_by_offset([[1, 2]]), "square"),
        (lambda: scores_by_offset(np.empty((0, 0))), "square"),
        (lambda: scores_by_offset([[1e308, 0], [0, -1e308]]), "float64"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_arguments_stay_as_they_were(rng):
    x, places = rng.normal(size=(3, 4)), np.arange(3.0)
    kept = x.copy()
    rope(x, places)
    rope_scores(x[0], x[1], places, places)
    close(x, kept, 0)
    assert places.tolist() == [0, 1, 2]
