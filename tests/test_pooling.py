import numpy as np
import pytest

from engine.pooling import (
    FILLS,
    METHODS,
    add_padding,
    drift,
    drift_by_method,
    drift_by_padding,
    last_by_count,
    padding_rows,
    pool,
    pool_zeroed,
)

LAST_IS_PADDING = [True, True, False]


def test_agrees_with_pytorch(reference):
    for case in reference("pooling")["cases"]:
        for method in METHODS:
            pooled = pool(case["hidden"], case["mask"], method=method)
            np.testing.assert_allclose(pooled, case["pooled"][method], rtol=0, atol=1e-15)


def test_mean_leaves_padding_out():  # CoursIA#15045
    hidden = [[1, 2], [3, 4], [9, 9]]
    assert pool(hidden, LAST_IS_PADDING, method="mean").tolist() == [2, 3]
    np.testing.assert_allclose(pool(hidden, method="mean"), [13 / 3, 5], rtol=1e-15)


def test_max_sees_no_zeros_in_place_of_padding():  # sentence-transformers#230
    assert pool([[-1, -2], [-3, -4], [0, 0]], LAST_IS_PADDING, method="max").tolist() == [-1, -2]


def test_cls_is_the_first_real_token():  # transformers#17463
    assert pool([[9, 9], [1, 2], [3, 4]], [False, True, True], method="cls").tolist() == [1, 2]


@pytest.mark.parametrize(("side", "slip"), [("right", [3, 4]), ("left", [1, 2])])
def test_last_is_the_last_real_token(side, slip):  # sentence-transformers#3208
    hidden, mask = add_padding([[1, 2], [3, 4]], [[9, 9]], side=side)
    assert pool(hidden, mask, method="last").tolist() == [3, 4]
    assert last_by_count(hidden, mask).tolist() == slip
    with pytest.raises(ValueError, match="every row is padding"):
        last_by_count(hidden, ~(mask | True))


@pytest.mark.parametrize("method", METHODS)
def test_nothing_to_pool(method):
    with pytest.raises(ValueError, match="real token to pool; every row is padding"):
        pool([[1, 2], [3, 4]], [False, False], method=method)
    for empty in (np.zeros((0, 2)), np.zeros((2, 0))):
        with pytest.raises(ValueError, match="hidden is empty"):
            pool(empty, method=method)


def test_huge_rows_and_equal_rows():
    assert pool([[1.5e308], [1.7e308]], method="mean")[0] == pytest.approx(1.6e308)
    assert pool([[0.1]] * 3, method="mean").tolist() == [0.1]


def test_drift_by_hand():
    trace = drift([[1, 0], [1, 0], [0, 2], [0, 2]], [True, True, False, False], method="mean")
    assert (trace.masked.tolist(), trace.unmasked.tolist()) == ([1, 0], [0.5, 1])
    assert trace.cosine == pytest.approx(0.5 / np.sqrt(1.25))
    assert trace.distance == pytest.approx(np.sqrt(1.25))


def test_every_method_by_name(rng):
    hidden, mask = rng.normal(size=(4, 3)), [True, True, False, False]
    drifts = drift_by_method(hidden, mask)
    assert tuple(drifts) == METHODS
    for method, trace in drifts.items():
        assert trace.masked.tolist() == pool(hidden, mask, method=method).tolist()
        assert trace.distance == drift(hidden, mask, method=method).distance


def test_cls_drifts_only_when_padding_comes_first(rng):
    rows, padding = rng.normal(size=(6, 4)), padding_rows(2, 4, fill="large", rng=rng)
    assert drift_by_padding(rows, padding, method="cls", side="right").distance.tolist() == [0, 0, 0]
    assert (drift_by_padding(rows, padding, method="cls", side="left").distance[1:] > 1).all()


def test_zeros_shorten_the_mean_but_do_not_turn_it(rng):
    curve = drift_by_padding(rng.normal(size=(6, 4)), np.zeros((8, 4)), method="mean", side="right")
    assert curve.n_padding.tolist() == list(range(9))
    np.testing.assert_allclose(curve.cosine, 1, rtol=0, atol=1e-14)
    assert (np.diff(curve.distance) > 0).all()


def test_padding_is_told_apart():
    right, left = (add_padding([[1], [2]], [[0]], side=side) for side in ("right", "left"))
    assert (right.hidden.tolist(), right.mask.tolist()) == ([[1], [2], [0]], [True, True, False])
    assert (left.hidden.tolist(), left.mask.tolist()) == ([[0], [1], [2]], [False, True, True])


@pytest.mark.parametrize("fill", FILLS)
def test_fewer_padding_rows_are_the_first_of_more(fill):
    few, many = (padding_rows(n, 3, fill=fill, rng=np.random.default_rng(1)) for n in (2, 5))
    assert few.tolist() == many[:2].tolist()
    assert np.abs(many).max() == {"zeros": 0, "noise": pytest.approx(0.1, abs=0.2), "large": 9}[fill]


def test_refuses_bad_input(rng):
    for mask in ([True], [1, 0], [[True, True]], "ab"):
        with pytest.raises(ValueError, match="mask must"):
            pool([[1], [2]], mask, method="mean")
    for hidden in (None, [1, 2], [[np.nan, 1]], [[1], [1, 2]]):
        with pytest.raises(ValueError, match="hidden"):
            pool(hidden, method="mean")
    for method in ("sum", None, 0):
        with pytest.raises(ValueError, match="method must be one of cls, mean, max, last"):
            pool([[1]], method=method)
    with pytest.raises(ValueError, match="padding must have shape"):
        add_padding([[1, 2]], [[0]], side="left")
    with pytest.raises(ValueError, match="side"):
        add_padding([[1]], [[0]], side="top")
    with pytest.raises(ValueError, match="fill"):
        padding_rows(1, 1, fill="ones", rng=rng)
    with pytest.raises(ValueError, match="n_padding"):
        padding_rows(-1, 1, fill="zeros", rng=rng)
    with pytest.raises(ValueError, match="Generator"):
        padding_rows(1, 1, fill="noise", rng=3)
    with pytest.raises(ValueError, match="inside float64"):
        drift([[1.5e308], [-1.5e308]], [False, True], method="cls")


def test_nan_is_refused_under_the_mask_too():
    with pytest.raises(ValueError, match="hidden needs a finite number"):
        pool([[1], [np.nan]], [True, False], method="mean")


def test_the_other_maximum_lets_zeros_in(rng):
    hidden, real = rng.normal(size=(6, 4)), np.array([True] * 4 + [False] * 2)
    assert (pool_zeroed(hidden, real) == pool(np.where(real[:, None], hidden, 0.0), method="max")).all()
    assert not pool_zeroed(hidden, ~real & real).any()
    with pytest.raises(ValueError, match="mask"):
        pool_zeroed(hidden, real[:2])
