from dataclasses import replace

import pytest

from engine.accounting import (
    GIB,
    PRESETS,
    ModelConfig,
    count_parameters,
    inference_memory,
    kv_cache_bytes,
    kv_cache_sweep,
    training_memory,
)

GPT2, LLAMA = PRESETS["gpt2"], PRESETS["llama-2-7b"]
TINY = ModelConfig(vocab_size=5, d_model=4, n_layers=1, n_heads=2, d_ff=8, context=3)
SETTINGS = {"precision": "mixed", "optimizer": "adam", "batch": 1, "sequence": 1024, "checkpointing": "none"}


def test_kv_cache():
    assert kv_cache_bytes(LLAMA, 4096) == 2 * 32 * 4096 * 4096 * 2 == 2 * GIB
    assert kv_cache_bytes(PRESETS["llama-3-8b"], 4096) == kv_cache_bytes(LLAMA, 4096) // 4
    assert kv_cache_bytes(LLAMA, 10, batch=3, bytes_per_value=1) == 15 * kv_cache_bytes(LLAMA, 1)
    assert kv_cache_bytes(LLAMA, 0) == 0
    assert not any("cache" in part.lower() for part in training_memory(LLAMA, **SETTINGS))  # LLM-Tools#6


def test_a_window_bounds_the_cache(reference):  # transformers#39408
    windowed, free = PRESETS["mistral-7b-v0.1"], PRESETS["mistral-7b"]
    assert kv_cache_bytes(windowed, 32_768) == GIB // 2
    assert kv_cache_bytes(free, 32_768) == 4 * GIB
    assert kv_cache_bytes(windowed, 4_095) == kv_cache_bytes(free, 4_095)
    small = ModelConfig(vocab_size=10, d_model=8, n_layers=2, n_heads=4, n_kv_heads=2, d_ff=8, context=99)
    for window, shapes in reference("accounting")["cached"].items():
        config = small if window == "None" else replace(small, window=int(window))
        kept = shapes[0][2] + (window != "None")  # between two tokens transformers leaves room for the one at work
        assert kv_cache_bytes(config, 20, bytes_per_value=1) == 2 * len(shapes) * 2 * 2 * kept


def test_an_encoder_keeps_no_cache():  # vllm-project/vllm#21270
    for name in ("bert-base", "bert-large", "distilbert-base"):
        assert kv_cache_bytes(PRESETS[name], 512) == 0
        assert not any(cache.any() for cache in kv_cache_sweep(PRESETS[name], [1, 512]).values())
        with pytest.raises(ValueError, match="n_tokens"):
            kv_cache_bytes(PRESETS[name], -1)


def test_what_writing_takes():
    held = inference_memory(LLAMA, 4096, batch=2)
    assert held == {"weights": 2 * count_parameters(LLAMA), "KV cache": 4 * GIB}
    assert round(held["weights"] / GIB, 2) == 12.55
    assert inference_memory(LLAMA, 0, bytes_per_weight=0.5)["weights"] == -(-count_parameters(LLAMA) // 2)
    assert inference_memory(PRESETS["mixtral-8x7b"], 0)["weights"] == 2 * 46_702_792_704, "sleeping experts too"
    for bad in (0, 9, None, "2"):
        with pytest.raises(ValueError, match="bytes_per_weight"):
            inference_memory(LLAMA, 1, bytes_per_weight=bad)


@pytest.mark.parametrize("bad", [-1, None, "1", float("inf"), True, 10**400])
def test_refuses_bad_caches(bad):
    for settings in ({"n_tokens": bad}, {"n_tokens": 1, "batch": bad}, {"n_tokens": 1, "bytes_per_value": bad}):
        with pytest.raises(ValueError, match=f"{list(settings)[-1]} must be"):
            kv_cache_bytes(GPT2, **settings)


@pytest.mark.parametrize("config", [GPT2, LLAMA, PRESETS["llama-3-8b"], PRESETS["smollm-135m"], TINY])
def test_the_cache_for_other_numbers_of_heads(config):
    sweep = kv_cache_sweep(config, [1, 1000], batch=3, bytes_per_value=4)
    assert {config.n_heads, config.n_kv_heads, 1} <= sweep.keys()
    for heads, cache in sweep.items():
        other = replace(config, n_kv_heads=heads)
        assert cache.tolist() == [kv_cache_bytes(other, n, batch=3, bytes_per_value=4) for n in (1, 1000)]
