import numpy as np
import pytest

from engine.attention import attention_mask, causal_mask, padding_mask, sliding_window_mask, split_heads


def test_causal_mask_is_aligned_bottom_right():
    assert causal_mask(2, 4).tolist() == [[True, True, True, False], [True] * 4]
    assert causal_mask(3, 1).tolist() == [[False], [False], [True]]
    assert (causal_mask(5) == np.tri(5, dtype=bool)).all()


def test_the_other_alignment_is_pytorchs(reference):
    for case in reference("attention")["is_causal"]:
        assert causal_mask(*case["shape"], align="start").tolist() == case["mask"]
    assert causal_mask(2, 4)[0].sum() == 3
    assert causal_mask(2, 4, align="start")[0].sum() == 1
    with pytest.raises(ValueError, match="align"):
        causal_mask(2, 4, align="top")


def test_a_window_looks_back_so_far(reference):  # transformers#39408
    for case in reference("attention")["window"]:
        assert sliding_window_mask(case["n"], window=case["window"]).tolist() == case["mask"]
    assert np.flatnonzero(sliding_window_mask(6, window=3)[5]).tolist() == [3, 4, 5]
    assert np.flatnonzero(sliding_window_mask(1, 6, window=3)[0]).tolist() == [3, 4, 5]
    assert (attention_mask(6, n_padding=1, window=2) == sliding_window_mask(6, window=2) & padding_mask(6, 1)).all()
    for bad in (0, -1, 1.5, True, "3"):
        with pytest.raises(ValueError, match="window"):
            sliding_window_mask(3, window=bad)
    with pytest.raises(ValueError, match="window must be None without causal"):
        attention_mask(3, causal=False, window=2)


def test_padding_mask_on_either_side():
    assert padding_mask(4, 2).tolist() == [True, True, False, False]
    assert padding_mask(4, 1, side="left").tolist() == [False, True, True, True]
    assert padding_mask(2, 2).tolist() == [False, False]


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, None, "3", 10**9])
def test_refuses_bad_sizes(bad):
    with pytest.raises(ValueError, match="n_q"):
        causal_mask(bad)
    with pytest.raises(ValueError, match="n_tokens"):
        padding_mask(bad, 0)
    with pytest.raises(ValueError, match="n_heads"):
        split_heads(np.ones((2, 4)), 3 if bad == 10**9 else bad)


def test_padding_and_the_future_at_once():
    assert (attention_mask(6, n_padding=2) == padding_mask(6, 2) & causal_mask(6)).all()
    assert (attention_mask(6, causal=False, n_padding=2) == padding_mask(6, 2) & np.ones((6, 6), bool)).all()
    assert (attention_mask(4, 6, n_padding=1) == padding_mask(6, 1) & causal_mask(4, 6)).all()
    assert not attention_mask(6, n_padding=6).any()
    with pytest.raises(ValueError, match="causal"):
        attention_mask(6, causal=1)
    with pytest.raises(ValueError, match="n_padding"):
        attention_mask(6, n_padding=7)
