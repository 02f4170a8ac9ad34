import numpy as np
import pytest

from engine.optimizers import SGD
from engine.training import backward, central_difference, flatten, gradient_check, init_weights, train
from engine.weights import load_weights, matrices

NEXT = [0, 1, 4, 1], [1, 4, 1, 2]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"norm_placement": "pre", "activation": "gelu", "causal": False, "final_norm": True},
        {"norm_placement": "none", "activation": "silu", "active_heads": [True, False, True], "scale": False},
        {"n_layers": 3, "activation": "tanh"},
    ],
)
def test_every_parameter_is_a_central_difference(options):
    checked = gradient_check(load_weights(), *NEXT, mask=[True, True, False, True], **options)
    assert checked.worst < 2e-5
    assert checked.kinks == ()
    assert np.abs(flatten(checked.analytic) - flatten(checked.numeric)).max() < 1e-9
    assert [part.shape for part in matrices(checked.numeric).values()] == [
        part.shape for part in matrices(load_weights()).values()
    ]


def test_numeric_is_one_parameter_moved_at_a_time():
    weights, h = load_weights(), 1e-3
    moved = []
    for shift in (h, -h):
        W_1 = weights.layers[0].W_1.copy()
        W_1[2, 3] += shift
        moved.append(backward(weights._replace(layers=(weights.layers[0]._replace(W_1=W_1),)), *NEXT).loss)
    checked = gradient_check(weights, *NEXT, h=h)
    assert checked.numeric.layers[0].W_1[2, 3] == pytest.approx((moved[0] - moved[1]) / (2 * h), rel=1e-12)


def test_only_kinks_may_differ():
    checked = gradient_check(load_weights(), *NEXT, h=0.5)
    assert checked.kinks
    assert all(name.partition("[")[0] in ("layers", "W_E", "W_P") for name in checked.kinks)
    kink = np.concatenate([part.ravel() for part in matrices(checked.kink).values()])
    assert len(checked.kinks) == kink.sum() < kink.size
    assert not checked.kink.W_LM_head.any()  # nothing after the last ReLU can move one
    assert flatten(checked.relative_error)[kink].max() > checked.worst


@pytest.mark.parametrize(("h", "said"), [(0, "h must be a number in"), (2, "h must be a number in"), ("x", "h must")])
def test_faults_are_named(h, said):
    with pytest.raises(ValueError, match=said):
        gradient_check(load_weights(), *NEXT, h=h)


def test_a_check_that_would_take_too_long_is_refused():
    big = init_weights(
        ["a", "b"], d_model=32, n_heads=2, d_k=8, d_ff=16, n_layers=2, n_positions=4, rng=np.random.default_rng(0)
    )
    with pytest.raises(ValueError, match="parameters × blocks must be at most 4,000"):
        gradient_check(big, [0], [1])


@pytest.mark.parametrize("name", ["W_E", "layers[0].heads[2].W_K", "layers[0].b_1", "W_LM_head"])
def test_one_central_difference_is_the_slope_of_a_whole_corpus(name):
    lines, options = [[0, 1, 4, 1], [3, 0]], {"norm_placement": "pre", "activation": "silu"}
    gradient = matrices(train(load_weights(), lines, SGD(lr=0.0), 0, **options).gradient_at(0))[name]
    cell = tuple(0 for _ in gradient.shape)
    found = central_difference(load_weights(), lines, name, cell, **options)
    assert found.out == pytest.approx(gradient[cell], abs=1e-8)
    assert found.out == pytest.approx((found.above - found.below) / 2e-5)


def test_a_cell_that_is_none_is_refused():
    with pytest.raises(ValueError, match="cell must be whole numbers from 0 to 2"):
        central_difference(load_weights(), [[0, 1]], "W_E", (0, 3))
    with pytest.raises(ValueError, match="name must be one of"):
        central_difference(load_weights(), [[0, 1]], "W_X", (0, 0))
