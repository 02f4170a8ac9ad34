from dataclasses import replace

import pytest

from engine.accounting import (
    GIB,
    GPU_MEMORY,
    OPTIMIZER_STATES,
    PRESETS,
    ModelConfig,
    activation_bytes_per_layer,
    cards_needed,
    count_parameters,
    kv_cache_bytes,
    kv_cache_sweep,
    memory_conventions,
    training_memory,
)
from engine.optimizers import OPTIMIZERS

GPT2, LLAMA = PRESETS["gpt2"], PRESETS["llama-2-7b"]
TINY = ModelConfig(vocab_size=5, d_model=4, n_layers=1, n_heads=2, d_ff=8, context=3)
SETTINGS = {"precision": "mixed", "optimizer": "adam", "batch": 1, "sequence": 1024, "checkpointing": "none"}


def test_adam_in_12_16_18_and_20_bytes():  # Megatron-LM#654, accelerate#2659
    ways = memory_conventions(LLAMA)
    assert [way.value // 6_738_415_616 for way in ways] == [16, 16, 18, 20, 12]
    assert [round(way.value / 1e9, 2) for way in ways] == [107.81, 107.81, 121.29, 134.77, 80.86]
    assert round(ways[0].value / GIB, 2) == 100.41
    assert [part // 6_738_415_616 for part in ways[0].parts.values()] == [2, 2, 4, 4, 4]


@pytest.mark.parametrize("precision", ["mixed", "fp32"])
@pytest.mark.parametrize(("optimizer", "states"), OPTIMIZER_STATES.items())
def test_bytes_a_parameter(precision, optimizer, states):
    memory = training_memory(TINY, **SETTINGS | {"precision": precision, "optimizer": optimizer})
    held = [memory[part] / count_parameters(TINY) for part in ("weights", "gradients", "master weights", "optimizer")]
    assert held == ([2, 2, 4, 4 * states] if precision == "mixed" else [4, 4, 0, 4 * states])


def test_states_are_those_of_the_optimizers():
    assert OPTIMIZER_STATES.keys() == OPTIMIZERS.keys()
    for name, kind in OPTIMIZERS.items():
        kept = set(type(kind(lr=0.1).initial_state([0.0]))._fields) & {"velocity", "mean_square", "m", "v"}
        assert OPTIMIZER_STATES[name] == len(kept)


def test_activations_are_in_bytes_already():  # LLM-Tools#4, DeepSpeed#1861
    wide = ModelConfig(vocab_size=50_000, d_model=4096, n_layers=24, n_heads=32, d_ff=16_384, context=2048)
    parts = activation_bytes_per_layer(wide, batch=1, sequence=2048)
    sbh = 2048 * 4096
    assert parts == {"norms": 4 * sbh, "attention": 11 * sbh, "scores": 5 * 32 * 2048**2, "feed-forward": 19 * sbh}
    assert sum(parts.values()) == 956_301_312 == 912 * 2**20
    none = training_memory(wide, **SETTINGS | {"sequence": 2048})
    full = training_memory(wide, **SETTINGS | {"sequence": 2048, "checkpointing": "full"})
    assert (none["activations"], none["recomputed layer"]) == (24 * 956_301_312, 0)
    assert (full["activations"], full["recomputed layer"]) == (24 * 2 * sbh, 956_301_312)
    assert none["embedding and logits"] == sbh * (1 + 2 + 2) + 4 * 2048 * 50_000


def test_activations_of_gated_and_grouped_models_and_of_fp32():
    llama3 = PRESETS["llama-3-8b"]
    parts = activation_bytes_per_layer(llama3, batch=2, sequence=8)
    assert parts["feed-forward"] == 16 * (3 * 4096 + 8 * 14_336)
    assert parts["attention"] == 16 * (3 * 4096 + 4 * 4096 + 4 * 1024)
    single = activation_bytes_per_layer(TINY, batch=1, sequence=3, precision="fp32")
    assert single == {"norms": 96, "attention": 3 * 84, "scores": 9 * 2 * 9, "feed-forward": 3 * 84}
    doubled = activation_bytes_per_layer(TINY, batch=4, sequence=3, precision="fp32")
    assert doubled == {part: 4 * size for part, size in single.items()}


def test_kv_cache():
    assert kv_cache_bytes(LLAMA, 4096) == 2 * 32 * 4096 * 4096 * 2 == 2 * GIB
    assert kv_cache_bytes(PRESETS["llama-3-8b"], 4096) == kv_cache_bytes(LLAMA, 4096) // 4
    assert kv_cache_bytes(LLAMA, 10, batch=3, bytes_per_value=1) == 15 * kv_cache_bytes(LLAMA, 1)
    assert kv_cache_bytes(LLAMA, 0) == 0
    assert not any("cache" in part.lower() for part in training_memory(LLAMA, **SETTINGS))  # LLM-Tools#6


def test_a_7b_model_needs_more_than_one_common_gpu():
    held = sum(training_memory(LLAMA, **SETTINGS).values())
    assert GPU_MEMORY["H100"] * GIB < held < GPU_MEMORY["H200"] * GIB
    assert list(GPU_MEMORY.values()) == sorted(GPU_MEMORY.values())


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"precision": "fp8"}, "precision"),
        ({"optimizer": "lion"}, "optimizer"),
        ({"checkpointing": True}, "checkpointing"),
        ({"batch": 0}, "batch"),
        ({"sequence": 1.5}, "sequence"),
        ({"batch": 10**13}, "batch"),
    ],
)
def test_refuses_bad_training(change, match):
    with pytest.raises(ValueError, match=match):
        training_memory(GPT2, **SETTINGS | change)


def test_an_encoder_with_a_pooler_has_no_logits():
    assert training_memory(PRESETS["bert-base"], **SETTINGS)["embedding and logits"] == 1024 * (768 + 2 * 768)


@pytest.mark.parametrize("bad", [-1, None, "1", float("inf"), True, 10**400])
def test_refuses_bad_caches(bad):
    for settings in ({"n_tokens": bad}, {"n_tokens": 1, "batch": bad}, {"n_tokens": 1, "bytes_per_value": bad}):
        with pytest.raises(ValueError, match=f"{list(settings)[-1]} must be"):
            kv_cache_bytes(GPT2, **settings)


def test_cards_needed():
    assert {gpu.cards for gpu in cards_needed(0)} == {1}
    exactly = {gpu.name: gpu.cards for gpu in cards_needed(80 * GIB)}
    assert (exactly["H100"], exactly["A100 40 GB"], exactly["RTX 4090"]) == (1, 2, 4)
    assert {gpu.name: gpu.cards for gpu in cards_needed(80 * GIB + 1)}["H100"] == 2
    with pytest.raises(ValueError, match="n_bytes"):
        cards_needed(1.5)


@pytest.mark.parametrize("config", [GPT2, LLAMA, PRESETS["llama-3-8b"], PRESETS["smollm-135m"], TINY])
def test_the_cache_for_other_numbers_of_heads(config):
    sweep = kv_cache_sweep(config, [1, 1000], batch=3, bytes_per_value=4)
    assert {config.n_heads, config.n_kv_heads, 1} <= sweep.keys()
    for heads, cache in sweep.items():
        other = replace(config, n_kv_heads=heads)
        assert cache.tolist() == [kv_cache_bytes(other, n, batch=3, bytes_per_value=4) for n in (1, 1000)]
