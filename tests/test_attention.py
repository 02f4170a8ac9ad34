import numpy as np
import pytest
from near import close

from engine.attention import (
    causal_mask,
    entropy_limits,
    join_heads,
    merge_heads,
    multi_head,
    padding_mask,
    reshape_without_split,
    scaled_dot_product,
    split_heads,
    value_shares,
)
from engine.softmax import entropy
from engine.weights import load_weights

EYE = np.eye(2)


def given(array):
    return None if array is None else np.array(array)


def projections(rng, d_model=8, width=8):
    return (*(rng.normal(size=(d_model, width)) for _ in range(3)), rng.normal(size=(width, d_model)))


def test_one_head_agrees_with_pytorch(reference):
    for case in reference("attention")["single"]:
        options = {"mask": given(case["mask"]), "bias": given(case["bias"]), "scale": case["scale"]}
        trace = scaled_dot_product(case["q"], case["k"], case["v"], **options)
        close(trace.weights, case["weights"], 1e-14)
        close(trace.out, case["out"], 1e-14)


def test_several_heads_agree_with_pytorch(reference):
    for case in reference("attention")["several"]:
        matrices = (case[name] for name in ("W_Q", "W_K", "W_V", "W_O"))
        trace = multi_head(case["x"], *matrices, n_heads=case["n_heads"], mask=given(case["mask"]))
        close([head.weights for head in trace.heads], case["weights"], 1e-14)
        close(trace.out, case["out"], 1e-13)


def test_deep_dive_example():
    trace = scaled_dot_product([[1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1]], [[1, 0], [0, 1]])
    assert trace.scores.tolist() == [[0, 2], [1, 0]]
    close(trace.scaled, [[0, 1.155], [0.577, 0]], 5e-4)
    close(trace.weights, [[0.240, 0.760], [0.640, 0.360]], 5e-4)
    close(trace.out, trace.weights, 0)


def test_deep_dive_practice_question_without_its_slip():
    close(scaled_dot_product([[1, 0]], [[1, 1], [0, 1]], EYE).weights, [[0.6698, 0.3302]], 5e-5)


def test_head_1_of_the_document():
    weights = load_weights()
    x, head = weights.W_E + weights.W_P, weights.layers[0].heads[0]
    rows = scaled_dot_product(x @ head.W_Q, x @ head.W_K, x @ head.W_V, mask=causal_mask(5)).weights
    close(rows[4], [0.205, 0.152, 0.204, 0.244, 0.195], 5e-4)
    close(rows[1], [0.588, 0.412, 0, 0, 0], 5e-4)


def test_illustrative_heads_do_what_they_illustrate():
    weights = load_weights()
    x = weights.W_E + weights.W_P
    trace = multi_head(x, *join_heads(weights.layers[0].heads), weights.layers[0].W_O, n_heads=3, mask=causal_mask(5))
    before, own = trace.heads[1].weights, trace.heads[2].weights
    close([before[1, 0], before[3, 2], before[4, 3]], [0.95, 0.95, 0.94], 5e-3)
    assert before[2].argmax() == 0
    assert own.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]


def test_causal_mask_is_aligned_bottom_right():
    assert causal_mask(2, 4).tolist() == [[True, True, True, False], [True] * 4]
    assert causal_mask(3, 1).tolist() == [[False], [False], [True]]
    assert (causal_mask(5) == np.tri(5, dtype=bool)).all()


def test_padding_mask_on_either_side():
    assert padding_mask(4, 2).tolist() == [True, True, False, False]
    assert padding_mask(4, 1, side="left").tolist() == [False, True, True, True]
    assert padding_mask(2, 2).tolist() == [False, False]


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


def test_multi_head_scales_by_the_head_width():  # vit-pytorch#65
    trace = multi_head(np.eye(4), *[np.eye(4)] * 4, n_heads=4)
    assert (trace.heads[0].scaled == trace.heads[0].scores).all()


def test_bias_is_added_after_scaling_and_may_forbid():
    trace = scaled_dot_product(EYE, EYE, EYE, bias=[[0, -np.inf], [-1, 0]])
    close(trace.masked, [[np.sqrt(0.5), -np.inf], [-1, np.sqrt(0.5)]], 1e-15)
    assert trace.weights[0].tolist() == [1, 0]


def test_bias_per_head(rng):
    x, matrices, bias = rng.normal(size=(3, 8)), projections(rng), rng.normal(size=(2, 3, 3))
    trace = multi_head(x, *matrices, n_heads=2, bias=bias)
    close(trace.heads[1].masked - trace.heads[1].scaled, bias[1], 1e-14)
    shared = multi_head(x, *matrices, n_heads=2, bias=bias[0])
    close(shared.heads[1].masked - shared.heads[1].scaled, bias[0], 1e-14)


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


def test_split_and_merge(rng):
    x = rng.normal(size=(5, 8))
    for n_heads in (1, 2, 4, 8):
        assert (merge_heads(split_heads(x, n_heads)) == x).all()
        assert (split_heads(x, n_heads)[-1] == x[:, -8 // n_heads :]).all()
    assert (reshape_without_split(x, 2) != split_heads(x, 2)).any()


def test_head_owns_its_columns(rng):  # nanoGPT#629
    x, (W_Q, W_K, W_V, W_O) = rng.normal(size=(4, 4)), projections(rng, 4, 4)
    trace = multi_head(x, W_Q, W_K, W_V, W_O, n_heads=2)
    close(trace.q[1], x @ W_Q[:, 2:], 1e-14)
    assert W_Q.size + W_K.size + W_V.size == 48


def test_contributions_sum_to_the_output(rng):
    x, matrices = rng.normal(size=(6, 8)), projections(rng, 8, 12)
    trace = multi_head(x, *matrices, n_heads=4, mask=causal_mask(6))
    close(trace.contributions.sum(axis=0), trace.out, 1e-14)
    close(trace.concat @ matrices[3], trace.out, 1e-13)


def test_silent_head_contributes_nothing(rng):
    x, matrices = rng.normal(size=(6, 8)), projections(rng)
    full = multi_head(x, *matrices, n_heads=2)
    one = multi_head(x, *matrices, n_heads=2, active=np.array([False, True]))
    assert not one.contributions[0].any()
    assert not one.concat[:, :4].any()
    close(one.out, full.out - full.contributions[0], 1e-13)
    assert (one.heads[0].weights == full.heads[0].weights).all()


def test_join_heads_puts_columns_side_by_side():
    heads = load_weights().layers[0].heads
    W_Q, _, W_V = join_heads(heads)
    assert W_Q[:, 2:4].tolist() == heads[1].W_Q.tolist()
    assert W_V[:, 4:].tolist() == heads[2].W_V.tolist()


def test_inputs_are_not_touched(rng):
    x, matrices = rng.normal(size=(3, 8)), projections(rng)
    copies = [a.copy() for a in (x, *matrices)]
    multi_head(x, *matrices, n_heads=2, mask=causal_mask(3), active=[False, True])
    assert all((a == b).all() for a, b in zip((x, *matrices), copies, strict=True))
