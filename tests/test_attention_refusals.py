import numpy as np
import pytest

from engine.attention import (
    causal_mask,
    join_heads,
    merge_heads,
    multi_head,
    padding_mask,
    scaled_dot_product,
    split_heads,
    value_shares,
)
from engine.weights import load_weights

EYE = np.eye(2)
BAD = [None, "abc", 3, [], [[]], [1, 2], [[1, np.nan], [0, 1]], [[np.inf, 0], [0, 1]], [[1], [1, 2]], [[[1.0]]]]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_refuses_what_is_not_a_filled_matrix(name, bad):
    with pytest.raises(ValueError, match=rf"^{name} "):
        scaled_dot_product(**({"q": EYE, "k": EYE, "v": EYE} | {name: bad}))


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["x", "W_Q", "W_K", "W_V", "W_O"])
def test_refuses_bad_projections(name, bad):
    good = {"x": EYE, "W_Q": EYE, "W_K": EYE, "W_V": EYE, "W_O": EYE}
    with pytest.raises(ValueError, match=rf"^{name} "):
        multi_head(**(good | {name: bad}), n_heads=2)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"k": np.ones((2, 3))}, "k must have shape"),
        ({"v": np.ones((3, 2))}, "v must have shape .* one row per key"),
        ({"mask": [[1, 0], [1, 1]]}, "mask must be boolean"),
        ({"mask": [True]}, "mask must have shape"),
        ({"mask": np.ones((2, 2, 2), bool)}, "mask must have shape"),
        ({"bias": [0, 0]}, "bias must have shape"),
        ({"bias": [[np.inf, 0], [0, 0]]}, "bias"),
        ({"bias": [[np.nan, 0], [0, 0]], "mask": np.zeros((2, 2), bool)}, "bias"),
        ({"scale": np.inf}, "scale"),
        ({"scale": "1"}, "scale"),
        ({"q": EYE * 1e200, "k": EYE * 1e200}, "scores .* overflow at"),
        ({"q": EYE * 1e300, "scale": 1e10}, "scaled scores"),
        ({"q": EYE * 1e308, "k": -EYE, "bias": -1.7e308 * np.ones((2, 2))}, "bias"),
    ],
)
def test_refuses_what_does_not_fit(options, match):
    with pytest.raises(ValueError, match=match):
        scaled_dot_product(**({"q": EYE, "k": EYE, "v": EYE} | options))


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"n_heads": 3}, "n_heads must divide the 2 columns of W_Q; got 3"),
        ({"n_heads": 0}, "n_heads"),
        ({"n_heads": True}, "n_heads"),
        ({"n_heads": 2.0}, "n_heads"),
        ({"active": [True]}, "active must have shape"),
        ({"active": [1, 0]}, "active must be boolean"),
        ({"bias": np.zeros((3, 2, 2))}, "bias must have shape"),
        ({"bias": 0.5}, "bias must have shape"),
        ({"W_Q": np.ones((3, 2))}, "W_Q must have shape"),
        ({"W_O": np.ones((2, 3))}, "W_O must have shape"),
        ({"x": EYE * 1e300, "W_V": EYE * 1e300}, "x @ W_V"),
    ],
)
def test_multi_head_refuses_what_does_not_fit(options, match):
    good = {"x": EYE, "W_Q": EYE, "W_K": EYE, "W_V": EYE, "W_O": EYE, "n_heads": 2}
    with pytest.raises(ValueError, match=match):
        multi_head(**(good | options))


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, None, "3", 10**9])
def test_refuses_bad_sizes(bad):
    with pytest.raises(ValueError, match="n_q"):
        causal_mask(bad)
    with pytest.raises(ValueError, match="n_tokens"):
        padding_mask(bad, 0)
    with pytest.raises(ValueError, match="n_heads"):
        split_heads(np.ones((2, 4)), 3 if bad == 10**9 else bad)


def test_refuses_other_misfits():
    with pytest.raises(ValueError, match="n_padding"):
        padding_mask(3, 4)
    with pytest.raises(ValueError, match="side"):
        padding_mask(3, 1, side="top")
    with pytest.raises(ValueError, match="three|3 axes"):
        merge_heads(EYE)
    with pytest.raises(ValueError, match="v must have shape"):
        value_shares(EYE, np.ones((3, 1)))
    for bad in (None, [], 3, [1], ["a"]):
        with pytest.raises(ValueError, match="heads must be"):
            join_heads(bad)
    one, other, _ = load_weights().layers[0].heads
    with pytest.raises(ValueError, match=r"heads\[1\].W_K must have shape \(3, 2\)"):
        join_heads([one, other._replace(W_K=np.ones((3, 1)))])
