import numpy as np
import pytest
from near import close

from engine.attention import (
    attend_alike,
    attend_to_scores,
    attend_with_zeros,
    causal_mask,
    entropy_limits,
    join_heads,
    merge_heads,
    multi_head,
    padding_mask,
    scaled_dot_product,
    value_shares,
)
from engine.softmax import entropy, softmax
from engine.weights import load_weights

EYE = np.eye(2)


def given(array):
    return None if array is None else np.array(array)


def projections(rng, d_model=8, width=8):
    return (*(rng.normal(size=(d_model, width)) for _ in range(3)), rng.normal(size=(width, d_model)))


BAD = [None, "abc", 3, [], [[]], [1, 2], [[1, np.nan], [0, 1]], [[np.inf, 0], [0, 1]], [[1], [1, 2]], [[[1.0]]]]


def test_one_head_agrees_with_pytorch(reference):
    for case in reference("attention")["single"]:
        options = {"mask": given(case["mask"]), "bias": given(case["bias"]), "scale": case["scale"]}
        trace = scaled_dot_product(case["q"], case["k"], case["v"], **options)
        close(trace.weights, case["weights"], 1e-14)
        close(trace.out, case["out"], 1e-14)


def test_deep_dive_example():
    trace = scaled_dot_product([[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]])
    assert trace.scores.tolist() == [[0, 2], [1, 0]]
    close(trace.scaled, [[0, 1.155], [0.577, 0]], 5e-4)
    close(trace.weights, [[0.240, 0.760], [0.640, 0.360]], 5e-4)
    close(trace.out, trace.weights, 0)


def test_deep_dive_practice_question_without_its_slip():
    close(scaled_dot_product([[1, 0]], [[1, 1], [0, 1]], EYE).weights, [[0.6698, 0.3302]], 5e-5)


def test_nothing_to_attend_to_is_zeros():  # pytorch#41508, iree#24175
    mask = np.array([[True, True], [False, False]])
    trace = scaled_dot_product(EYE, EYE, [[1, 2], [3, 4]], mask=mask)
    assert trace.masked[1].tolist() == [-np.inf, -np.inf]
    assert trace.weights[1].tolist() == [0, 0]
    assert trace.out[1].tolist() == [0, 0]
    early = scaled_dot_product(np.ones((3, 2)), np.ones((1, 2)), [[5]], mask=causal_mask(3, 1))
    assert early.out.tolist() == [[0], [0], [5]]


def test_weights_and_output_come_from_one_computation(rng):  # pytorch#160064
    v = rng.normal(size=(4, 3))
    trace = scaled_dot_product(rng.normal(size=(4, 2)), rng.normal(size=(4, 2)), v, mask=padding_mask(4, 4))
    assert not trace.weights.any()
    assert not trace.out.any()


def test_masked_value_of_any_size_leaves_no_trace():  # pytorch#101967
    trace = scaled_dot_product([[1.0]], [[1], [2], [800]], [[1], [1], [1e308]], mask=padding_mask(3, 1), scale=1)
    close(trace.weights, [[0.26894, 0.73106, 0]])
    close(trace.out, [[1]], 1e-15)


def test_padding_under_a_causal_mask(rng):  # openai/CLIP#183
    x = rng.normal(size=(5, 4))
    causal = causal_mask(5)
    alone = scaled_dot_product(x[:3], x[:3], x[:3], mask=causal_mask(3)).out
    close(scaled_dot_product(x, x, x, mask=causal).out[:3], alone, 1e-15)
    left = np.concatenate([x[3:], x[:3]])
    assert np.abs(scaled_dot_product(left, left, left, mask=causal).out[2:] - alone).max() > 0.1
    both = causal & padding_mask(5, 2, side="left")
    close(scaled_dot_product(left, left, left, mask=both).out[2:], alone, 1e-15)


@pytest.mark.parametrize(
    ("scale", "expected"),
    [(None, [0.86681, 0.11731, 0.01588]), (0.25, [0.66524, 0.24473, 0.09003]), (1, [0.98169, 0.01798, 0.00033])],
)
def test_scale_is_the_head_width(scale, expected):  # vit-pytorch#65, perceiver-io#9
    k = [[8, 0, 0, 0], [4, 0, 0, 0], [0, 0, 0, 0]]
    close(scaled_dot_product([[1, 0, 0, 0]], k, np.eye(3), scale=scale).weights, [expected])


def test_bias_is_added_after_scaling_and_may_forbid():
    trace = scaled_dot_product(EYE, EYE, EYE, bias=[[0, -np.inf], [-1, 0]])
    close(trace.masked, [[np.sqrt(0.5), -np.inf], [-1, np.sqrt(0.5)]], 1e-15)
    assert trace.weights[0].tolist() == [1, 0]


def test_weights_are_a_distribution(rng):
    trace = scaled_dot_product(rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), rng.normal(size=(7, 2)))
    close(trace.weights.sum(axis=1), 1, 1e-15)
    assert trace.out.shape == (5, 2)


def test_shares_sum_to_the_output(rng):
    v = rng.normal(size=(4, 3))
    trace = scaled_dot_product(rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), v)
    close(value_shares(trace.weights, v).sum(axis=1), trace.out, 1e-15)


def test_entropy_reaches_its_limit_on_equal_scores():
    trace = scaled_dot_product(np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 2)), mask=causal_mask(3))
    close(entropy_limits(trace.masked), np.log([1, 2, 3]), 1e-15)
    close(entropy(trace.weights), entropy_limits(trace.masked), 1e-15)


def test_inputs_are_not_touched(rng):
    x, matrices = rng.normal(size=(3, 8)), projections(rng)
    copies = [a.copy() for a in (x, *matrices)]
    multi_head(x, *matrices, n_heads=2, mask=causal_mask(3), active=[False, True])
    assert all((a == b).all() for a, b in zip((x, *matrices), copies, strict=True))


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_refuses_what_is_not_a_filled_matrix(name, bad):
    with pytest.raises(ValueError, match=rf"^{name} "):
        scaled_dot_product(**({"q": EYE, "k": EYE, "v": EYE} | {name: bad}))


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


def test_from_the_scores_on(rng):
    scores, mask = rng.normal(size=(4, 5)), causal_mask(4, 5)
    keys = np.eye(5)
    for ours, theirs in zip(
        attend_to_scores(scores, mask=mask), scaled_dot_product(scores, keys, keys, scale=1.0, mask=mask), strict=True
    ):
        assert (ours == theirs).all()
    with pytest.raises(ValueError, match="scaled"):
        attend_to_scores([1, 2])


def test_the_same_query_and_key_everywhere(rng):
    q, k = rng.normal(size=(2, 4))
    loud, bias = np.array([[1.0], [3.0]] + [[1.0]] * 6), rng.normal(size=(8, 8))
    theirs = scaled_dot_product(np.tile(q, (8, 1)), k * loud, np.eye(8), mask=causal_mask(8), bias=bias)
    for ours, one in zip(attend_alike(q, k, loud[:, 0], mask=causal_mask(8), bias=bias), theirs, strict=True):
        assert (ours == one).all()
    with pytest.raises(ValueError, match="loudness"):
        attend_alike(q, k, [[1]])


def test_zeros_in_place_of_minus_infinity_let_the_future_in(rng):
    scaled, mask = rng.normal(size=(3, 4)), causal_mask(3, 4)
    slip = attend_with_zeros(scaled, mask)
    close(slip.weights, softmax(np.where(mask, scaled, 0.0)), 1e-15)
    assert (slip.weights[~mask] > 0).all()
    with pytest.raises(ValueError, match="mask"):
        attend_with_zeros(scaled, mask[:2])
