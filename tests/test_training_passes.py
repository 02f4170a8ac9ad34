from itertools import product

import numpy as np
import pytest

from engine.losses import cross_entropy
from engine.training import backward, flatten, init_weights
from engine.training.passes import forward_pass
from engine.training.settings import batch_of, checked_options
from engine.training.vector import parts_of, sizes_of, to_working
from engine.transformer import forward
from engine.weights import load_weights

OPTIONS = [
    dict(norm_placement=placement, activation=activation, causal=causal, n_layers=n, **more)
    for placement, activation, causal, (n, more) in product(
        ("post", "pre", "none"),
        ("relu", "gelu", "gelu_tanh", "silu", "tanh", "identity"),
        (True, False),
        [(1, {}), (3, {"final_norm": True}), (2, {"scale": False, "active_heads": [True, False, True]})],
    )
]


def run(weights, reads, targets, **options):
    sizes = sizes_of(weights)
    batch = batch_of(reads, targets, [[True] * len(read) for read in reads], sizes.vocabulary, options["causal"])
    return forward_pass(
        parts_of(to_working(flatten(weights), sizes), sizes), batch, checked_options(weights, **options)
    )


@pytest.mark.parametrize("options", OPTIONS)
def test_one_mathematics_to_the_last_digit(options):
    weights = load_weights()
    reads, targets = [[0, 1, 2, 3, 4], [4, 4, 1, 0, 4]], [[1, 2, 3, 4, 0], [4, 1, 0, 4, 2]]
    fast = run(weights, reads, targets, **options)
    for i, (read, wanted) in enumerate(zip(reads, targets, strict=True)):
        shown = forward(weights, read, **options)
        assert np.array_equal(fast.logits[i], shown.logits)
        assert np.array_equal(fast.probs[i], shown.probs)
        assert np.array_equal(fast.per_token.reshape(2, -1)[i], cross_entropy(shown.logits, wanted).per_row)
        for quick, block in zip(fast.blocks, shown.blocks, strict=True):
            assert np.array_equal(quick.weights[i], block.attention.maps)
            assert np.array_equal(quick.qkv[:, i], [block.attention.q, block.attention.k, block.attention.v])
            assert np.array_equal(quick.hidden[i], block.feed_forward.hidden)
            assert np.array_equal(quick.out[i], block.out)


def test_a_drawn_model_to_the_last_digit(rng):
    weights = init_weights(
        [f"w{i}" for i in range(24)], d_model=8, n_heads=2, d_k=4, d_ff=16, n_layers=2, n_positions=9, rng=rng
    )
    reads = rng.integers(0, 24, (6, 9)).tolist()
    for options in ({"causal": True}, {"causal": False, "norm_placement": "pre", "activation": "gelu"}):
        fast = run(weights, reads, reads, **options)
        for i, read in enumerate(reads):
            assert np.array_equal(fast.logits[i], forward(weights, read, **options).logits)


@pytest.mark.parametrize("causal", [True, False])
def test_padding_changes_nothing(causal):
    weights = load_weights()
    reads = [[0, 1, 2, 3, 4], [3], [2, 2]]
    fast = run(weights, reads, reads, causal=causal)
    for i, read in enumerate(reads):
        np.testing.assert_allclose(
            fast.logits[i, : len(read)], forward(weights, read, causal=causal).logits, rtol=1e-14, atol=1e-14
        )


def test_the_loss_is_that_of_the_losses():
    trace = backward(load_weights(), [0, 1, 2, 3], [1, 2, 3, 4], mask=[True, False, True, True])
    scored = cross_entropy(trace.forward.logits, [1, 2, 3, 4], mask=[True, False, True, True])
    assert trace.loss == scored.loss
    assert np.array_equal(trace.per_token, scored.per_row)
    assert np.array_equal(trace.d_logits, scored.grad)
