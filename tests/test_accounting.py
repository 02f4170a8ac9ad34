import pytest

from engine.accounting import (
    PRESETS,
    account,
    count_parameters,
    flops_conventions,
    forward_flops_per_token,
    kv_cache_bytes,
    memory_conventions,
    multiplying_parameters,
    parameter_conventions,
    parameter_table,
    training_flops_per_token,
    training_memory,
)

GPT2, LLAMA = PRESETS["gpt2"], PRESETS["llama-2-7b"]
SETTINGS = {"precision": "mixed", "optimizer": "adam", "batch": 1, "sequence": 1024, "checkpointing": "none"}


def by_name(conventions):
    return {way.name: way.value for way in conventions}


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
    assert matrices == pytest.approx(2 * sum(multiplying_parameters(config).values()), rel=1e-15)
    for way in flops_conventions(config, context):
        assert way.value == sum(way.parts.values())


def test_an_encoder_ends_in_its_pooler():
    forward = forward_flops_per_token(PRESETS["bert-base"], 512)
    assert "output head" not in forward
    assert forward["pooler"] == 2 * 768**2 / 512


@pytest.mark.parametrize("bad", [-1, 0, None, "1", float("inf"), 1.5, 10**400])
def test_refuses_bad_contexts(bad):
    for count in (forward_flops_per_token, training_flops_per_token, flops_conventions):
        with pytest.raises(ValueError, match="context must be"):
            count(GPT2, bad)


@pytest.mark.parametrize("bad", [None, "gpt2", {}, 7])
def test_refuses_what_is_no_config(bad):
    for call in (
        parameter_table,
        count_parameters,
        parameter_conventions,
        memory_conventions,
        lambda config: training_flops_per_token(config, 8),
        lambda config: training_memory(config, **SETTINGS),
        lambda config: kv_cache_bytes(config, 8),
    ):
        with pytest.raises(ValueError, match="ModelConfig"):
            call(bad)


@pytest.mark.parametrize("name", ["gpt2", "bert-base", "llama-3-8b"])
def test_the_account_agrees_with_its_rooms(name):
    trace = account(PRESETS[name], **SETTINGS | {"batch": 4}, contexts=[1, 1024])
    assert (
        trace.parameters == count_parameters(PRESETS[name]) == sum(trace.blocks.values()) == sum(trace.parts.values())
    )
    assert trace.forward_total == pytest.approx(trace.sweep.total[1], rel=1e-15)
    assert trace.training_total == 3 * trace.forward_total
    assert trace.memory == training_memory(PRESETS[name], **SETTINGS | {"batch": 4})
    assert sum(trace.memory_share) == pytest.approx(1)
    assert trace.memory_total == sum(trace.memory.values()) == trace.memory_gib * 2**30
    assert trace.kv_cache == 4 * trace.kv_sweep[PRESETS[name].n_kv_heads][1]
