from dataclasses import replace

import numpy as np
import pytest

from engine.accounting import (
    PRESETS,
    config_of,
    flops_conventions,
    forward_flops_per_token,
    multiplying_parameters,
    sweep_context,
    training_flops_per_token,
)
from engine.weights import load_weights

GPT2, LLAMA = PRESETS["gpt2"], PRESETS["llama-2-7b"]


def by_name(conventions):
    return {way.name: way.value for way in conventions}


GPT2, BERT, LLAMA = PRESETS["gpt2"], PRESETS["bert-base"], PRESETS["llama-2-7b"]


def test_training_flops_of_gpt2():  # nanoGPT#456, maxtext#1988
    ways = by_name(flops_conventions(GPT2, 1024))
    assert sum(training_flops_per_token(GPT2, 1024).values()) == 854_438_400
    assert ways["6N alone"] == 6 * 123_532_032
    assert ways["6N and full attention"] == 854_438_400
    assert ways["6N with embeddings, full attention"] == 741_920_256 + 113_246_208
    assert ways["6N, N every parameter"] == 6 * 124_439_808
    assert ways["6N, N the layers' matrices"] == 6 * 84_934_656
    assert ways["head forward only, full attention"] == 700_051_968  # Megatron-DeepSpeed#283
    recomputed = sum(training_flops_per_token(GPT2, 1024).values()) + 2 * 84_934_656 + 113_246_208 // 3
    assert ways["layers recomputed, full attention"] == recomputed


def test_training_flops_of_llama():  # torchtitan#280, llm-foundry#909
    ways = by_name(flops_conventions(LLAMA, 4096))
    assert sum(multiplying_parameters(LLAMA).values()) == 6_607_077_376
    assert ways["6N alone"] == 39_642_464_256
    assert ways["6N and full attention"] - ways["6N alone"] == 6_442_450_944
    assert ways["6N and causal attention"] - ways["6N alone"] == 3_221_225_472


@pytest.mark.parametrize("config", PRESETS.values())
@pytest.mark.parametrize("context", [1, 999])
def test_flops_hold_together(config, context):
    forward, training = forward_flops_per_token(config, context), training_flops_per_token(config, context)
    assert "total" not in forward
    assert all(training[part] == 3 * flops for part, flops in forward.items())
    attention = forward["scores q·k"] + forward["weights × values"]
    assert attention == 4 * config.n_layers * context * config.n_heads * config.head_dim
    matrices = sum(forward.values()) - attention - forward.get("pooler", 0)
    assert all(way.who for way in flops_conventions(config, context))
    assert matrices == pytest.approx(2 * sum(multiplying_parameters(config).values()), rel=1e-15)
    for way in flops_conventions(config, context):
        assert way.value == sum(way.parts.values())


def test_an_encoder_ends_in_its_pooler():
    forward = forward_flops_per_token(PRESETS["bert-base"], 512)
    assert "output head" not in forward
    assert forward["pooler"] == 2 * 768**2 / 512
    assert isinstance(sum(forward.values()), int), "no .0 where the number is whole"
    assert sum(forward_flops_per_token(PRESETS["bert-base"], 1).values()) == 171_085_824
    assert forward_flops_per_token(PRESETS["bert-base"], 1000)["pooler"] == 1179.648
    assert "output head" not in forward_flops_per_token(PRESETS["distilbert-base"], 512)


def test_a_window_bounds_the_scores():
    windowed, free = PRESETS["mistral-7b-v0.1"], PRESETS["mistral-7b"]
    assert forward_flops_per_token(windowed, 4_096) == forward_flops_per_token(free, 4_096)
    far, near = (forward_flops_per_token(windowed, n)["scores q·k"] for n in (32_768, 4_096))
    assert far == near == 2 * 32 * 4_096 * 4_096
    assert sweep_context(windowed, [32_768]).half_from is None
    assert sweep_context(free, [32_768]).half_from == 27_124  # N / (2 · 32 · 4096)
    seen = np.minimum(np.arange(1, 1001), 100).mean()  # keys a token has in reach, on average
    small = replace(free, window=100)
    ways = by_name(flops_conventions(small, 1000))
    causal = ways["6N and causal attention"] - ways["6N alone"]
    assert causal == pytest.approx(12 * 32 * 4096 * seen, rel=0.01)


def test_only_the_active_experts_cost():
    mixtral, dense = PRESETS["mixtral-8x7b"], PRESETS["mistral-7b"]
    router = 2 * 32 * 4096 * 8
    widened = [forward_flops_per_token(config, 1)["feed-forward"] for config in (mixtral, dense)]
    assert widened[0] == 2 * widened[1] + router
    assert by_name(flops_conventions(mixtral, 1))["6N, N every parameter"] == 6 * 12_879_925_248


def test_half_from_is_rounded_up():
    toy = config_of(load_weights())
    sweep = sweep_context(toy, [10, 11])
    assert sweep.half_from == 11
    assert sweep.attention_share[0] < 0.5 <= sweep.attention_share[1]


@pytest.mark.parametrize("bad", [-1, 0, None, "1", float("inf"), 1.5, 10**400])
def test_refuses_bad_contexts(bad):
    for count in (forward_flops_per_token, training_flops_per_token, flops_conventions):
        with pytest.raises(ValueError, match="context must be"):
            count(GPT2, bad)


@pytest.mark.parametrize("config", [GPT2, BERT, LLAMA, config_of(load_weights())])
def test_a_sweep_is_the_tokens_cost_at_each_length(config):
    sweep = sweep_context(config, [1, 7, 4096])
    for i, context in enumerate([1, 7, 4096]):
        forward = forward_flops_per_token(config, context)
        assert sweep.total[i] == pytest.approx(sum(forward.values()), rel=1e-15)
        attention = forward["scores q·k"] + forward["weights × values"]
        assert sweep.parts["scores and mixing"][i] == attention
        assert sweep.attention_share[i] == pytest.approx(attention / sum(forward.values()), rel=1e-15)
    assert np.sum(list(sweep.parts.values()), axis=0) == pytest.approx(sweep.total, rel=1e-15)


def test_scores_cost_half_at_the_crossing():
    assert sweep_context(LLAMA, [25_204]).attention_share == pytest.approx(0.5, abs=1e-4)
    assert round(sweep_context(LLAMA, [1]).crossing) == 25_204
    assert sweep_context(GPT2, [6702]).attention_share == pytest.approx(0.5, abs=1e-4)
    assert sweep_context(BERT, [100_000]).parts["pooler"] == 2 * 768**2 / 100_000


def test_lengths_must_be_whole():
    with pytest.raises(ValueError, match="context"):
        sweep_context(GPT2, [0])
