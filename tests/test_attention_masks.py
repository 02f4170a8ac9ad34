import numpy as np
import pytest

from engine.attention import attention_mask, causal_mask, padding_mask, split_heads


def test_causal_mask_is_aligned_bottom_right():
    assert causal_mask(2, 4).tolist() == [[True, True, True, False], [True] * 4]
    assert causal_mask(3, 1).tolist() == [[False], [False], [True]]
    assert (causal_mask(5) == np.tri(5, dtype=bool)).all()


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
