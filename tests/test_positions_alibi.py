import numpy as np
import pytest
from near import close

from engine.positions import alibi_bias, alibi_scores, alibi_slopes, alibi_slopes_geometric, scores_by_offset


def test_alibi_slopes_agree_with_transformers(reference):
    for n_heads, slopes in reference("positions")["alibi_slopes"].items():
        np.testing.assert_allclose(alibi_slopes(int(n_heads)), slopes, rtol=1e-6)  # theirs are float32


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alibi_slopes(0), "n_heads"),
        (lambda: alibi_slopes_geometric("8"), "n_heads"),
        (lambda: alibi_bias(0, 1, 0.5), "n_q"),
        (lambda: alibi_bias(1, 1, -0.5), "slope"),
        (lambda: alibi_bias(1, 1, [0.5]), "slope"),
        (lambda: alibi_scores([1], [1], 2, 0.5, scale="1"), "scale"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
