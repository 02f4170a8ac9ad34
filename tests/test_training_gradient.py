import numpy as np
import pytest
from near import within

from engine.normalization import layer_norm_backward
from engine.softmax import softmax_backward
from engine.training import backward, flatten, init_weights, unflatten
from engine.transformer import forward
from engine.weights import load_weights, matrices, replace_matrix

close = within(1e-13)
WORDS = [f"w{i}" for i in range(5)]
NEXT = [0, 1, 2, 3], [1, 2, 3, 4]


def model(drawn):
    like = init_weights(WORDS, **drawn["sizes"], n_positions=5, rng=np.random.default_rng(0))
    return unflatten(drawn["numbers"], like)


@pytest.fixture
def weights():
    return load_weights()


def test_agrees_with_autograd(reference):
    frozen = reference("training")
    for case in frozen["cases"]:
        trace = backward(model(frozen["models"][case["model"]]), case["ids"], case["targets"], **case["options"])
        assert trace.loss == pytest.approx(case["loss"], rel=1e-12)
        np.testing.assert_allclose(flatten(trace.grads), case["grads"], rtol=1e-8, atol=1e-13, err_msg=str(case))


@pytest.mark.parametrize("placement", ["post", "pre", "none"])
def test_the_trace_holds_together(weights, placement):
    trace = backward(weights, *NEXT, norm_placement=placement, n_layers=2, final_norm=True)
    layer, grads = weights.layers[0], trace.grads.layers[0]
    for i, (block, d) in enumerate(zip(trace.forward.blocks, trace.blocks, strict=True)):
        heads = zip(block.attention.heads, d.attention.heads, strict=True)
        for h, (head, back) in enumerate(heads):
            close(back.d_weights, back.d_out @ block.attention.v[h].T)
            close(back.d_scaled, softmax_backward(head.weights, back.d_weights))
            close(back.d_scores, back.d_scaled / np.sqrt(2))
            close(d.attention.d_q[h], back.d_scores @ block.attention.k[h])
            close(d.attention.d_k[h], back.d_scores.T @ block.attention.q[h])
            close(d.attention.d_v[h], head.weights.T @ back.d_out)
            close(d.attention.d_concat[:, 2 * h : 2 * h + 2], back.d_out)
        close(d.attention.d_concat, d.attention.d_out @ layer.W_O.T)
        close(d.attention.d_out, d.d_after_attention, 0)
        close(d.feed_forward.d_activated, d.feed_forward.d_out @ layer.W_2.T)
        close(d.feed_forward.d_hidden, d.feed_forward.d_activated * (block.feed_forward.hidden > 0))
        close(d.feed_forward.d_x, d.feed_forward.d_hidden @ layer.W_1.T)
        close(d.feed_forward.d_out, d.d_after_feed_forward, 0)
        close(d.d_out, trace.blocks[i + 1].d_x if i == 0 else trace.final_norm.d_x, 0)
        if placement == "none":
            assert d.norm_1 is d.norm_2 is None
        else:
            close([d.norm_1.d_normalized, d.norm_2.d_normalized], [d.norm_1.d_out, d.norm_2.d_out], 0)  # γ = 1
        if placement == "post":
            close(d.norm_2.d_x, layer_norm_backward(d.d_out, block.after_feed_forward).d_x)
            close(d.d_after_attention, d.norm_1.d_x, 0)
            close(d.norm_1.d_out, d.feed_forward.d_x + d.d_after_feed_forward)
            close(d.d_x, d.attention.d_x + d.d_after_attention)
        elif placement == "pre":
            close(d.norm_2.d_x, layer_norm_backward(d.feed_forward.d_x, block.after_attention).d_x)
            close(d.d_after_attention, d.norm_2.d_x + d.d_after_feed_forward)
            close([d.norm_1.d_out, d.norm_2.d_out], [d.attention.d_x, d.feed_forward.d_x], 0)
            close(d.d_x, d.norm_1.d_x + d.d_after_attention)
        else:
            close(d.d_after_attention, d.feed_forward.d_x + d.d_out)
    close(trace.final_norm.d_out, trace.d_logits @ weights.W_LM_head.T)
    close(trace.grads.W_LM_head, trace.forward.final_norm.out.T @ trace.d_logits)
    close(trace.d_x, trace.blocks[0].d_x, 0)
    close(trace.grads.W_P[:4], trace.d_x)
    hidden = zip(trace.forward.blocks, trace.blocks, strict=True)
    close(grads.W_2, sum(b.feed_forward.activated.T @ d.feed_forward.d_out for b, d in hidden))


def test_a_repeated_layer_gathers_its_gradients(weights):
    once = weights._replace(layers=weights.layers * 3)
    apart = backward(once, *NEXT).grads
    together = backward(weights, *NEXT, n_layers=3).grads
    for name, part in matrices(together).items():
        copies = [name.replace("layers[0]", f"layers[{i}]") for i in range(3 if name.startswith("layers") else 1)]
        close(part, sum(matrices(apart)[copy] for copy in copies))


def test_a_word_that_stands_twice_gathers_both_places(weights):
    trace = backward(weights, [3, 1, 3], [1, 3, 3])
    close(trace.grads.W_E[3], trace.d_x[0] + trace.d_x[2])
    assert not trace.grads.W_E[[0, 2, 4]].any()
    assert not trace.grads.W_P[3:].any()


def test_a_silent_head_learns_nothing(weights):
    trace = backward(weights, *NEXT, active_heads=[True, False, False])
    for head in trace.grads.layers[0].heads[1:]:
        assert not any(part.any() for part in (head.W_Q, head.W_K, head.W_V))
    assert not trace.grads.layers[0].W_O[2:].any()
    assert trace.grads.layers[0].heads[0].W_Q.any()
    assert not any(part.any() for part in trace.blocks[0].attention.heads[1])


def test_nothing_flows_past_a_causal_mask(weights):
    for head in backward(weights, *NEXT).blocks[0].attention.heads:
        assert not np.triu(head.d_scores, 1).any()


def test_a_mask_counts_what_it_lets_through(weights):
    first, last = ([i == j for j in range(4)] for i in (0, 3))
    both = backward(weights, *NEXT, mask=[True, False, False, True])
    parts = [backward(weights, *NEXT, mask=mask) for mask in (first, last)]
    close(flatten(both.grads), (flatten(parts[0].grads) + flatten(parts[1].grads)) / 2)
    assert both.loss == pytest.approx((parts[0].loss + parts[1].loss) / 2, rel=1e-14)
    assert not both.d_logits[1:3].any()


def test_a_model_of_zeros_has_no_gradient_anywhere(rng):
    zeros = init_weights(WORDS, d_model=3, n_heads=3, d_k=2, d_ff=6, n_layers=1, n_positions=5, scale=0, rng=rng)
    grads = matrices(backward(zeros, *NEXT).grads)
    assert not any(part.any() for part in grads.values())


def test_nothing_is_shared_or_changed(weights):
    ids, wanted, mask = np.array(NEXT[0]), np.array(NEXT[1]), np.array([True, True, False, True])
    before = flatten(weights)
    trace = backward(weights, ids, wanted, mask=mask)
    assert np.array_equal(flatten(weights), before)
    assert ids.tolist() == NEXT[0]
    assert not any(np.shares_memory(trace.per_token, part) for part in (ids, wanted, mask))
    assert np.array_equal(trace.forward.logits, forward(weights, NEXT[0]).logits)
    assert type(trace.loss) is float
    assert not any(part.flags.writeable for part in matrices(trace.grads).values())


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (([0, 5], [1, 1]), {}, "token_ids must be whole numbers from 0 to 4; got 5 at position 1"),
        (([0, 1], [1, 5]), {}, "targets must be whole numbers from 0 to 4; got 5 at position 1"),
        (([0, 1], [1]), {}, r"targets must have shape \(2,\), one per token; got \(1,\)"),
        (([0, 1], [1, 1]), {"mask": [1, 0]}, "mask must be boolean"),
        (([0, 1], [1, 1]), {"mask": [False, False]}, "mask must let at least one token count; got none"),
        (([], []), {}, "token_ids must be 1 to 5 tokens"),
        (([0, 1], [1, 1]), {"activation": "step"}, "activation must be one of"),
    ],
)
def test_faults_are_named(weights, arguments, options, said):
    with pytest.raises(ValueError, match=said):
        backward(weights, *arguments, **options)


def test_a_gradient_beyond_float64_is_refused(weights):
    huge = replace_matrix(weights, "layers[0].W_2", weights.layers[0].W_2 * 1e200)
    assert np.isfinite(forward(huge, NEXT[0]).logits).all()
    with pytest.raises(ValueError, match="the gradient must stay inside float64"):
        backward(huge, *NEXT)
