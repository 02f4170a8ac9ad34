import numpy as np
import pytest
from near import close

from engine.attention import (
    causal_mask,
    join_heads,
    key_head_of_each,
    merge_heads,
    multi_head,
    pool_key_heads,
    reshape_origins,
    reshape_without_split,
    scaled_dot_product,
    split_heads,
)
from engine.weights import load_weights


def given(array):
    return None if array is None else np.array(array)


def projections(rng, d_model=8, width=8):
    return (*(rng.normal(size=(d_model, width)) for _ in range(3)), rng.normal(size=(width, d_model)))


EYE = np.eye(2)
BAD = [None, "abc", 3, [], [[]], [1, 2], [[1, np.nan], [0, 1]], [[np.inf, 0], [0, 1]], [[1], [1, 2]], [[[1.0]]]]


def test_several_heads_agree_with_pytorch(reference):
    for case in reference("attention")["several"]:
        matrices = (case[name] for name in ("W_Q", "W_K", "W_V", "W_O"))
        trace = multi_head(case["x"], *matrices, n_heads=case["n_heads"], mask=given(case["mask"]))
        close([head.weights for head in trace.heads], case["weights"], 1e-14)
        close(trace.out, case["out"], 1e-13)


def test_grouped_heads_agree_with_pytorch(reference):  # onnx#7274
    for case in reference("attention")["grouped"]:
        matrices = [case[name] for name in ("W_Q", "W_K", "W_V", "W_O")]
        heads = {"n_heads": case["n_heads"], "n_kv_heads": case["n_kv_heads"]}
        trace = multi_head(case["x"], *matrices, mask=causal_mask(len(case["x"])), **heads)
        close(trace.out, case["out"], 1e-12)
        assert trace.k.shape[0] == trace.v.shape[0] == case["n_kv_heads"]
        slip = multi_head(case["x"], *matrices, mask=causal_mask(len(case["x"])), interleaved=True, **heads)
        assert np.allclose(slip.out, case["out"]) == (case["n_kv_heads"] == 1)


def test_who_shares_keys_with_whom():
    assert key_head_of_each(4, 2).tolist() == [0, 0, 1, 1]
    assert key_head_of_each(4, 2, interleaved=True).tolist() == [0, 1, 0, 1]
    assert key_head_of_each(4, 4).tolist() == key_head_of_each(4, 4, interleaved=True).tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="divide"):
        key_head_of_each(4, 3)
    for bad in (0, 5, 1.5, None):
        with pytest.raises(ValueError, match="n_kv_heads"):
            key_head_of_each(4, bad)
    with pytest.raises(ValueError, match=r"W_K must have shape \(8, 4\), 2 heads as wide as those of W_Q"):
        multi_head(np.ones((2, 8)), *[np.ones((8, 8))] * 4, n_heads=4, n_kv_heads=2)


def test_pooled_keys_are_means_of_those_that_share_one(rng):
    W = rng.normal(size=(8, 8))
    assert pool_key_heads(W, 4, 4).tolist() == W.tolist()
    close(pool_key_heads(W, 4, 2), np.hstack([(W[:, :2] + W[:, 2:4]) / 2, (W[:, 4:6] + W[:, 6:]) / 2]), 1e-15)
    repeated = np.hstack([W[:, :2]] * 4)
    matrices = rng.normal(size=(8, 8)), repeated, repeated, rng.normal(size=(8, 8))
    few = multi_head(np.eye(8), matrices[0], W[:, :2], W[:, :2], matrices[3], n_heads=4, n_kv_heads=1)
    close(few.out, multi_head(np.eye(8), *matrices, n_heads=4).out, 1e-14)


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


def test_multi_head_scales_by_the_head_width():  # vit-pytorch#65
    trace = multi_head(np.eye(4), *[np.eye(4)] * 4, n_heads=4)
    assert (trace.heads[0].scaled == trace.heads[0].scores).all()


def test_bias_per_head(rng):
    x, matrices, bias = rng.normal(size=(3, 8)), projections(rng), rng.normal(size=(2, 3, 3))
    trace = multi_head(x, *matrices, n_heads=2, bias=bias)
    close(trace.heads[1].masked - trace.heads[1].scaled, bias[1], 1e-14)
    shared = multi_head(x, *matrices, n_heads=2, bias=bias[0])
    close(shared.heads[1].masked - shared.heads[1].scaled, bias[0], 1e-14)


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


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["x", "W_Q", "W_K", "W_V", "W_O"])
def test_refuses_bad_projections(name, bad):
    good = {"x": EYE, "W_Q": EYE, "W_K": EYE, "W_V": EYE, "W_O": EYE}
    with pytest.raises(ValueError, match=rf"^{name} "):
        multi_head(**(good | {name: bad}), n_heads=2)


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


def test_maps_and_largest_shares(rng):
    trace = multi_head(rng.normal(size=(5, 8)), *projections(rng), n_heads=4)
    assert (trace.maps == np.stack([head.weights for head in trace.heads])).all()
    assert (trace.largest_shares == abs(trace.contributions).max(axis=(1, 2))).all()


@pytest.mark.parametrize("n_heads", [1, 2, 4, 8])
def test_whose_numbers_the_wrong_reshape_holds(n_heads):
    cells = reshape_without_split(np.arange(48).reshape(6, 8), n_heads)[:, :, 0].astype(int)
    origins = reshape_origins(6, 8, n_heads)
    assert (origins.token == cells // 8).all()
    assert (origins.column == cells % 8).all()
    assert origins.strangers.tolist() == [(row // 8 != np.arange(6)).sum() for row in cells]
    with pytest.raises(ValueError, match="divide"):
        reshape_origins(6, 8, 3)
