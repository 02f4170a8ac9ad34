import numpy as np
import pytest

from engine.training import flatten, init_weights, unflatten
from engine.training.vector import parts_of, sizes_of, to_working, working_order
from engine.weights import load_weights, matrices


@pytest.fixture
def two_layers(rng):
    return init_weights(["a", "b", "c"], d_model=4, n_heads=3, d_k=2, d_ff=5, n_layers=2, n_positions=6, rng=rng)


def test_there_and_back(two_layers):
    flat = flatten(two_layers)
    back = unflatten(flat, two_layers)
    assert back.vocabulary == two_layers.vocabulary
    assert [head.name for head in back.layers[1].heads] == ["Head 1", "Head 2", "Head 3"]
    for name, part in matrices(two_layers).items():
        assert np.array_equal(matrices(back)[name], part)
    assert not np.shares_memory(flat, back.W_E)


def test_flat_is_matrix_by_matrix(two_layers):
    numbered = unflatten(np.arange(len(flatten(two_layers))), two_layers)
    assert np.array_equal(np.concatenate([part.ravel() for part in matrices(numbered).values()]), flatten(numbered))


def test_parts_are_the_matrices(two_layers):
    working = to_working(flatten(two_layers), sizes_of(two_layers))
    parts = parts_of(working, sizes_of(two_layers))
    assert np.array_equal(working[working_order(sizes_of(two_layers))], flatten(two_layers))
    assert np.array_equal(parts.W_LM_head, two_layers.W_LM_head)
    for own, layer in zip(parts.layers, two_layers.layers, strict=True):
        for i, name in enumerate(("W_Q", "W_K", "W_V")):
            assert np.array_equal(own.W_QKV[i], np.hstack([getattr(head, name) for head in layer.heads]))
        assert np.array_equal(own.gamma_2, layer.norm_2.gamma)
        assert np.array_equal(own.b_1, layer.b_1)
    assert np.shares_memory(parts.layers[1].W_2, working)


def test_faults_are_named():
    with pytest.raises(ValueError, match="numbers must have shape \\(174,\\), one per parameter; got \\(3,\\)"):
        unflatten([1, 2, 3], load_weights())
    with pytest.raises(ValueError, match="weights must be a Weights bundle"):
        flatten([1, 2])
