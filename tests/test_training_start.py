import numpy as np
import pytest

from engine.training import flatten, init_weights
from engine.transformer import forward
from engine.weights import dump_weights, load_weights

SIZES = {"d_model": 16, "n_heads": 4, "d_k": 3, "d_ff": 64, "n_layers": 2, "n_positions": 6}


def drawn(vocabulary=("a", "b", "c"), rng=None, **changed):
    return init_weights(vocabulary, **(SIZES | changed), rng=rng or np.random.default_rng(1))


def test_shapes_and_spread():
    weights = drawn()
    assert weights.vocabulary == ("a", "b", "c")
    assert (weights.W_E.shape, weights.W_P.shape, weights.W_LM_head.shape) == ((3, 16), (6, 16), (16, 3))
    assert [len(layer.heads) for layer in weights.layers] == [4, 4]
    layer = weights.layers[1]
    assert (layer.heads[3].W_K.shape, layer.W_O.shape, layer.W_2.shape) == ((16, 3), (12, 16), (64, 16))
    assert layer.W_1.std() == pytest.approx(np.sqrt(2 / 80), rel=0.1)
    assert not layer.b_1.any()
    assert layer.norm_2.gamma.tolist() == [1] * 16
    assert forward(weights, [0, 1, 2]).probs.shape == (3, 3)


def test_scale_and_seed():
    assert np.array_equal(flatten(drawn()), flatten(drawn()))
    np.testing.assert_allclose(drawn(scale=0.5).W_E, 0.5 * drawn().W_E, rtol=1e-15)
    zeros = drawn(scale=0)
    assert not zeros.W_E.any()
    assert zeros.layers[0].norm_1.gamma.all()


def test_a_small_one_fits_a_file():
    weights = drawn(d_model=4, d_ff=4, n_layers=1)
    assert np.array_equal(load_weights(dump_weights(weights).encode()).W_E, weights.W_E)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"vocabulary": []}, "the number of words must be a whole number from 1 to 64; got 0"),
        ({"vocabulary": "abc"}, "vocabulary must be a list of words; got str"),
        ({"vocabulary": ["a", "a"]}, "vocabulary must hold different words; got 'a' twice"),
        ({"vocabulary": ["a", 3]}, r"vocabulary\[1\] must be a word"),
        ({"d_model": 0}, "d_model must be a whole number from 1 to 64; got 0"),
        ({"n_layers": 13}, "n_layers must be a whole number from 1 to 12; got 13"),
        ({"d_ff": 2.0}, "d_ff must be a whole number"),
        ({"scale": -1}, "scale must be a number in"),
        ({"rng": 3}, "rng must be a numpy Generator"),
    ],
)
def test_faults_are_named(options, said):
    with pytest.raises(ValueError, match=said):
        drawn(**options)
