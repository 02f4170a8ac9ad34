import pytest

from engine.accounting import (
    PRESETS,
    account,
    count_parameters,
    kv_cache_bytes,
    memory_conventions,
    parameter_conventions,
    parameter_table,
    training_flops_per_token,
    training_memory,
)

SETTINGS = {"precision": "mixed", "optimizer": "adam", "batch": 1, "sequence": 1024, "checkpointing": "none"}


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


@pytest.mark.parametrize(
    "name", ["gpt2", "bert-base", "distilbert-base", "llama-3-8b", "mixtral-8x7b", "mistral-7b-v0.1"]
)
def test_the_account_agrees_with_its_rooms(name):
    trace = account(PRESETS[name], **SETTINGS | {"batch": 4}, contexts=[1, 1024])
    assert (
        trace.parameters == count_parameters(PRESETS[name]) == sum(trace.blocks.values()) == sum(trace.parts.values())
    )
    assert trace.forward_total == pytest.approx(trace.sweep.total[1], rel=1e-15)
    assert trace.training_total == 3 * trace.forward_total
    assert trace.layer_activations_as_numbers == 4 * trace.layer_activations
    assert trace.memory == training_memory(PRESETS[name], **SETTINGS | {"batch": 4})
    assert sum(trace.memory_share) == pytest.approx(1)
    assert trace.memory_total == sum(trace.memory.values()) == trace.memory_gib * 2**30
    assert trace.kv_cache == 4 * trace.kv_sweep[PRESETS[name].n_kv_heads][1]
    assert trace.inference_total == 2 * trace.parameters + trace.kv_cache
    assert (trace.active < trace.parameters) == (name == "mixtral-8x7b")
