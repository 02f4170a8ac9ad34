import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near import close

from engine.positions import (
    example_contents,
    ntk_base,
    rope,
    rope_angles,
    rope_columns,
    rope_pairs,
    rope_scores,
    rope_trail,
    scores_by_offset,
    wavelengths,
)


def test_rope_agrees_with_transformers(reference):
    for case in reference("positions")["rope"]:
        for layout in ("pairs", "halves"):  # GPT-J's rotate_every_two, Llama's rotate_half
            close(rope(case["x"], case["positions"], base=case["base"], layout=layout), case[layout], 1e-12)


def test_part_of_a_head_agrees_with_transformers(reference):  # torchtune#1183
    for case in reference("positions")["partial"]:
        for layout in ("pairs", "halves"):  # GPT-J and GPT-NeoX
            turned = rope(case["x"], case["positions"], layout=layout, rotary_dim=case["rotary_dim"])
            close(turned, case[layout], 1e-12)
            close(turned[:, case["rotary_dim"] :], np.array(case["x"])[:, case["rotary_dim"] :], 0)


def test_stretched_positions_agree_with_transformers(reference):
    scaled = reference("positions")["scaled"]
    for factor, frequencies in scaled["linear"].items():
        close(rope_angles(1, 16, factor=float(factor)), frequencies, 1e-7)
    for factor, frequencies in scaled["ntk"].items():
        close(rope_angles(1, 16, base=ntk_base(float(factor), 16)), frequencies, 1e-7)


def test_what_ntk_scaling_keeps_and_what_it_slows():
    usual, stretched = rope_angles(1, 128), rope_angles(1, 128, base=ntk_base(8, 128))
    assert stretched[0] == usual[0] == 1
    close(stretched[-1], usual[-1] / 8, 1e-15)
    close(rope_angles(9, 128, factor=8), rope_angles(9 / 8, 128), 1e-15)
    assert ntk_base(1, 4) == 10_000
    for bad in (0.5, None, np.nan):
        with pytest.raises(ValueError, match="factor"):
            ntk_base(bad, 8)
    for bad in (2, 5, 4.0):
        with pytest.raises(ValueError, match="d must be"):
            ntk_base(2, bad)


def test_partial_and_squeezed_scores_and_trails(rng):
    q, k, places = rng.normal(size=8), rng.normal(size=8), np.arange(6)
    trace = rope_scores(q, k, places, places, rotary_dim=4, factor=2)
    assert trace.q_angles.shape == (6, 2)
    assert scores_by_offset(trace.out).out < 1e-12
    close(trace.out[0, 4], rope_scores(q, k, [0], [2], rotary_dim=4).out[0, 0], 1e-14)
    trail = rope_trail(q, 4, 1, rotary_dim=4, factor=2)
    close(trail[-1], rope_pairs(trace.q_rotated[4, :4])[1], 1e-14)
    for bad in (0, 3, 10, 4.0):
        with pytest.raises(ValueError, match="rotary_dim"):
            rope(q, 1, rotary_dim=bad)
    with pytest.raises(ValueError, match="factor"):
        rope(q, 1, factor=0)


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


def test_arguments_stay_as_they_were(rng):
    x, places = rng.normal(size=(3, 4)), np.arange(3.0)
    kept = x.copy()
    rope(x, places)
    rope_scores(x[0], x[1], places, places)
    close(x, kept, 0)
    assert places.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
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
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("layout", ["pairs", "halves"])
def test_the_way_of_a_pair_and_its_columns(rng, layout):
    x, waves = rng.normal(size=4), wavelengths(4, base=100)
    for place in (0, 3, 90):
        for pair in range(2):
            trail = np.linspace(max(0, place - waves[pair]), place, 49)
            turned = rope(np.tile(x, (49, 1)), trail, base=100, layout=layout)
            ours = rope_trail(x, place, pair, base=100, layout=layout)
            assert (ours == rope_pairs(turned, layout=layout)[:, pair]).all()
    assert (rope_columns(4, layout=layout) == rope_pairs(np.arange(4.0), layout=layout).astype(int)).all()
    with pytest.raises(ValueError, match="pair must"):
        rope_trail(x, 1, 2)


def test_contents_are_drawn_alike_at_every_width():
    drawn = np.random.default_rng(3).normal(size=(2, 32))
    for d in (2, 16, 32):
        assert (example_contents(d, np.random.default_rng(3)) == drawn[:, :d]).all()
        assert (example_contents(d) == 0.5**0.5).all()
    for bad in (0, 33):
        with pytest.raises(ValueError, match="d must"):
            example_contents(bad)
