import numpy as np
import pytest
from near import within

from engine.attention import join_heads
from engine.normalization import layer_norm
from engine.transformer import forward, generate, layers_used
from engine.weights import check_weights, load_weights, matrices, replace_matrix

ALL = [0, 1, 2, 3, 4]


close = within(1e-12)


@pytest.fixture(scope="module")
def weights():
    return load_weights()


def test_agrees_with_pytorch(reference, weights):
    frozen = reference("transformer")
    models = {"own": weights, "drawn": load_weights(frozen["drawn"].encode())}
    for case in frozen["cases"]:
        trace = forward(models[case["model"]], case["ids"], **case["options"])
        close([block.out for block in trace.blocks], case["blocks"])
        close(trace.logits, case["logits"])
        close(trace.probs, case["probs"])


def test_the_model_as_it_comes(weights):
    trace = forward(weights, ALL)
    close(trace.x[0], [0.72, -0.15, 0.38], 1e-15)
    close(trace.logits[-1], [-1.12444, 1.18656, -0.63391, 0.54072, 0.92216], 5e-6)
    close(trace.probs[-1], [0.03884, 0.39170, 0.06344, 0.20534, 0.30069], 5e-6)
    head_1 = trace.blocks[0].attention.heads[0].weights
    close(head_1[4], [0.205, 0.152, 0.204, 0.244, 0.195], 5e-4)
    close(head_1[1], [0.588, 0.412, 0, 0, 0], 5e-4)


def test_embeddings_are_rows(weights):
    trace = forward(weights, [4, 4, 1])
    assert (trace.token_embeddings == weights.W_E[[4, 4, 1]]).all()
    assert (trace.position_embeddings == weights.W_P[:3]).all()
    assert (trace.x == trace.token_embeddings + trace.position_embeddings).all()


@pytest.mark.parametrize("placement", ["post", "pre", "none"])
def test_the_trace_holds_together(weights, placement):
    trace = forward(weights, ALL, norm_placement=placement)
    layer, block = weights.layers[0], trace.blocks[0]
    close(block.after_attention, trace.x + block.attention.out, 0)
    read = (
        block.after_attention if placement == "none" else block.norm_2.out if placement == "pre" else block.norm_1.out
    )
    close(block.feed_forward.hidden, read @ layer.W_1 + layer.b_1)
    stream = block.norm_1.out if placement == "post" else block.after_attention
    close(block.after_feed_forward, stream + block.feed_forward.out, 0)
    close(block.out, block.norm_2.out if placement == "post" else block.after_feed_forward, 0)
    before = layer_norm(trace.x).out if placement == "pre" else trace.x
    close(block.attention.q[1], before @ layer.heads[1].W_Q)
    assert (block.norm_1 is None) == (placement == "none")
    assert (block.norm_2 is None) == (placement == "none")
    close(trace.logits, block.out @ weights.W_LM_head)
    close(trace.probs.sum(axis=1), 1, 1e-15)


def test_the_last_norm_of_a_pre_norm_model(weights):  # Xiong et al. 2020; GPT-2's ln_f, karpathy/minGPT#33
    without = forward(weights, [0, 1, 2], norm_placement="pre")
    assert without.final_norm is None
    journey, starts, likely = (*map(weights.vocabulary.index, ("journey", "starts")), without.probs[-1].argmax())
    close(without.probs[-1, journey], 0.2557, 5e-5)
    assert (weights.vocabulary[likely], round(without.probs[-1, likely], 3)) == ("with", 0.279)
    trace = forward(weights, [0, 1, 2], norm_placement="pre", final_norm=True)
    close(trace.probs[-1, [journey, starts]], [0.1298, 0.4151], 5e-5)
    assert trace.probs[-1].argmax() == starts
    close(trace.final_norm.out, layer_norm(trace.blocks[-1].out).out, 0)
    close(trace.logits, trace.final_norm.out @ weights.W_LM_head)
    assert generate(weights, [0], 1, rng=np.random.default_rng(0), final_norm=True).steps[0].forward.final_norm
    with pytest.raises(ValueError, match="final_norm"):
        forward(weights, ALL, final_norm=1)


def test_no_word_sees_the_future(weights):
    full = forward(weights, ALL)
    for n in range(1, 5):
        close(forward(weights, ALL[:n]).logits, full.logits[:n], 1e-14)
    assert np.abs(forward(weights, ALL, causal=False).logits[0] - full.logits[0]).max() > 1e-3


def test_layers_repeat(weights):
    trace = forward(weights, ALL, n_layers=3)
    assert len(trace.blocks) == 3
    again = forward(weights, ALL, n_layers=2)
    close(trace.blocks[1].out, again.blocks[1].out, 0)
    assert forward(weights, ALL, n_layers=0).logits.tolist() == (trace.x @ weights.W_LM_head).tolist()
    doubled = check_weights(weights._replace(layers=weights.layers * 2))
    close(forward(doubled, ALL).logits, again.logits, 0)
    assert layers_used(doubled, 3)[2] is doubled.layers[0]


def test_silent_heads(weights):
    trace = forward(weights, ALL, active_heads=[True, False, True], norm_placement="none")
    block = trace.blocks[0]
    assert not block.attention.contributions[1].any()
    muted = replace_matrix(weights, "layers[0].heads[1].W_V", np.zeros((3, 2)))
    close(trace.logits, forward(muted, ALL, norm_placement="none").logits, 1e-14)
    assert not forward(weights, ALL, active_heads=np.zeros(3, bool)).blocks[0].attention.out.any()


def test_without_the_scale(weights):
    head = forward(weights, ALL, scale=False).blocks[0].attention.heads[2]
    assert (head.scaled == head.scores).all()


def test_heads_are_joined_in_order(weights):
    trace = forward(weights, ALL).blocks[0].attention
    close(trace.concat[:, 2:4], trace.heads[1].out, 0)
    close(trace.v[2], forward(weights, ALL).x @ join_heads(weights.layers[0].heads)[2][:, 4:], 1e-15)


def test_generation_feeds_each_word_back(weights):
    trace = generate(weights, [2], 4, rng=np.random.default_rng(7), temperature=0.8, top_k=3)
    assert trace.token_ids[0] == 2
    assert len(trace.token_ids) == 5
    for i, step in enumerate(trace.steps, 1):
        close(step.forward.logits, forward(weights, trace.token_ids[:i]).logits, 0)
        assert step.token == trace.token_ids[i]
        assert step.sampling.out[step.token] > 0
        assert step.sampling.kept.sum() == 3
    same = generate(weights, [2], 4, rng=np.random.default_rng(7), temperature=0.8, top_k=3)
    assert same.token_ids == trace.token_ids


def test_greedy_generation_takes_the_likeliest(weights, rng):
    trace = generate(weights, [0, 3], 3, rng=rng, temperature=0, norm_placement="pre", n_layers=2)
    for step in trace.steps:
        assert step.token == step.forward.probs[-1].argmax()
        assert len(step.forward.blocks) == 2


def test_generation_ends_with_the_positions(weights, rng):
    assert generate(weights, ALL, 0, rng=rng).token_ids == (0, 1, 2, 3, 4)
    with pytest.raises(ValueError, match="5 tokens and 1 more must fit the 5 positions"):
        generate(weights, ALL, 1, rng=rng)
    for bad in (-1, 1.5, True, None):
        with pytest.raises(ValueError, match="n_tokens"):
            generate(weights, [0], bad, rng=rng)
    with pytest.raises(ValueError, match="rng"):
        generate(weights, [0], 1, rng=None)


@pytest.mark.parametrize("bad", [[], [5], [-1], [0.0], [True], ["Your"], 0, None, "0", [[0]], [0] * 6, [10**30]])
def test_refuses_bad_token_ids(weights, bad):
    with pytest.raises(ValueError, match="token_ids"):
        forward(weights, bad)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *((name, bad) for name in ("causal", "scale") for bad in (1, "yes", None, [True])),
        *(("norm_placement", bad) for bad in ("Post", None, 1)),
        *(("activation", bad) for bad in ("swish", None)),
        *(("n_layers", bad) for bad in (-1, 97, 1.0, True)),
        *(("active", bad) for bad in ([True], [1, 0, 1], True)),
    ],
)
def test_refuses_bad_options(weights, name, bad):
    with pytest.raises(ValueError, match=name):
        forward(weights, ALL, **{"active_heads" if name == "active" else name: bad})


def test_refuses_weights_that_do_not_fit(weights):
    for bad in (None, 3, weights._replace(W_E=np.ones((5, 2)))):
        with pytest.raises(ValueError, match="weights must be|W_E must have shape"):
            forward(bad, [0])
        with pytest.raises(ValueError, match="weights must be|W_E must have shape"):
            generate(bad, [0], 1, rng=np.random.default_rng(0))


@pytest.mark.parametrize("size", [1e-300, 1e100, 1e154, 1e308])
@pytest.mark.parametrize("placement", ["post", "pre", "none"])
def test_extreme_numbers_are_computed_or_explained(weights, placement, size):
    for name, array in matrices(weights).items():
        extreme = replace_matrix(weights, name, np.full(array.shape, size))
        try:
            trace = forward(extreme, ALL, norm_placement=placement, n_layers=4)
        except ValueError as fault:
            assert "must stay inside float64" in str(fault)  # noqa: PT017
        else:
            assert np.isfinite(trace.logits).all()
            close(trace.probs.sum(axis=1), 1, 1e-12)
