import pytest

from engine.accounting import (
    GIB,
    GPU_MIB,
    OPTIMIZER_STATES,
    PRECISIONS,
    PRESETS,
    ModelConfig,
    activation_bytes_per_layer,
    count_parameters,
    memory_conventions,
    training_memory,
)
from engine.optimizers import OPTIMIZERS

GPT2, LLAMA = PRESETS["gpt2"], PRESETS["llama-2-7b"]
TINY = ModelConfig(vocab_size=5, d_model=4, n_layers=1, n_heads=2, d_ff=8, context=3)
SETTINGS = {"precision": "mixed", "optimizer": "adam", "batch": 1, "sequence": 1024, "checkpointing": "none"}


def test_adam_in_8_to_20_bytes():  # Megatron-LM#654, accelerate#2659
    ways = memory_conventions(LLAMA)
    assert [way.value // 6_738_415_616 for way in ways] == [16, 16, 18, 20, 12, 8]
    assert [round(way.value / 1e9, 2) for way in ways] == [107.81, 107.81, 121.29, 134.77, 80.86, 53.91]
    assert round(ways[0].value / GIB, 2) == 100.41
    assert [part // 6_738_415_616 for part in ways[0].parts.values()] == [2, 2, 4, 4, 4]


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize(("optimizer", "states"), OPTIMIZER_STATES.items())
def test_bytes_a_parameter(precision, optimizer, states):
    memory = training_memory(TINY, **SETTINGS | {"precision": precision, "optimizer": optimizer})
    held = [memory[part] / count_parameters(TINY) for part in ("weights", "gradients", "master weights", "optimizer")]
    wanted = {"mixed": [2, 2, 4, 4 * states], "fp32": [4, 4, 0, 4 * states], "bf16": [2, 2, 0, 2 * states]}
    assert held == wanted[precision]


def test_all_in_bf16():  # transformers#21312
    def held(precision, optimizer):
        memory = training_memory(LLAMA, **SETTINGS | {"precision": precision, "optimizer": optimizer})
        return sum(memory[part] for part in ("weights", "gradients", "master weights", "optimizer"))

    assert round(held("bf16", "adam") / 1e9, 2) == 53.91
    assert round(held("mixed", "adam") / 1e9, 2) == 107.81
    assert held("bf16", "sgd") == 4 * count_parameters(LLAMA)
    in_16_bit = [activation_bytes_per_layer(LLAMA, batch=1, sequence=8, precision=name) for name in ("bf16", "mixed")]
    assert in_16_bit[0] == in_16_bit[1]


def test_scores_stored_fused_and_computed_again():  # Comfy-Org/ComfyUI#15585, gpustack/gguf-parser-go#23
    held = {
        kind: training_memory(LLAMA, **SETTINGS | {"sequence": 4096, "scores": kind})
        for kind in ("stored", "fused", "selective")
    }
    in_gib = {kind: round(sum(memory.values()) / GIB, 2) for kind, memory in held.items()}
    assert in_gib == {"stored": 200.73, "fused": 120.73, "selective": 123.23}
    one_layer = 5 * 32 * 4096 * 4096
    assert sum(held["stored"].values()) - sum(held["fused"].values()) == 32 * one_layer == 80 * GIB
    assert held["selective"]["recomputed layer"] == one_layer
    assert held["fused"] == training_memory(LLAMA, **SETTINGS | {"sequence": 4096})
    again = training_memory(LLAMA, **SETTINGS | {"sequence": 4096, "scores": "stored", "checkpointing": "full"})
    same = training_memory(LLAMA, **SETTINGS | {"sequence": 4096, "scores": "selective", "checkpointing": "full"})
    assert again == same, "a layer that is gone through again has its scores either way"
    long = sum(training_memory(GPT2, **SETTINGS | {"sequence": 131_072})[part] for part in ("activations",))
    assert round(long / GIB) == 38


def test_states_are_those_of_the_optimizers():
    assert OPTIMIZER_STATES.keys() == OPTIMIZERS.keys()
    for name, kind in OPTIMIZERS.items():
        kept = set(type(kind(lr=0.1).initial_state([0.0]))._fields) & {"velocity", "mean_square", "m", "v"}
        assert OPTIMIZER_STATES[name] == len(kept)


def test_activations_are_in_bytes_already():  # LLM-Tools#4, DeepSpeed#1861
    wide = ModelConfig(vocab_size=50_000, d_model=4096, n_layers=24, n_heads=32, d_ff=16_384, context=2048)
    parts = activation_bytes_per_layer(wide, batch=1, sequence=2048, scores="stored")
    sbh = 2048 * 4096
    assert parts == {"norms": 4 * sbh, "attention": 11 * sbh, "scores": 5 * 32 * 2048**2, "feed-forward": 19 * sbh}
    assert sum(parts.values()) == 956_301_312 == 912 * 2**20
    stored = SETTINGS | {"sequence": 2048, "scores": "stored"}
    none, full = training_memory(wide, **stored), training_memory(wide, **stored | {"checkpointing": "full"})
    assert (none["activations"], none["recomputed layer"]) == (24 * 956_301_312, 0)
    assert (full["activations"], full["recomputed layer"]) == (24 * 2 * sbh, 956_301_312)
    assert none["embedding and logits"] == sbh * (1 + 2 + 2) + 4 * 2048 * 50_000


def test_activations_of_gated_and_grouped_models_and_of_fp32():
    llama3 = PRESETS["llama-3-8b"]
    parts = activation_bytes_per_layer(llama3, batch=2, sequence=8)
    assert parts["feed-forward"] == 16 * (3 * 4096 + 8 * 14_336)
    assert parts["attention"] == 16 * (3 * 4096 + 4 * 4096 + 4 * 1024)
    mixtral = activation_bytes_per_layer(PRESETS["mixtral-8x7b"], batch=2, sequence=8)
    assert mixtral["feed-forward"] == 16 * (3 * 4096 + 2 * 8 * 14_336), "two of the eight experts"
    in_fp32 = {"precision": "fp32", "scores": "stored"}
    single = activation_bytes_per_layer(TINY, batch=1, sequence=3, **in_fp32)
    assert single == {"norms": 96, "attention": 3 * 84, "scores": 9 * 2 * 9, "feed-forward": 3 * 84}
    doubled = activation_bytes_per_layer(TINY, batch=4, sequence=3, **in_fp32)
    assert doubled == {part: 4 * size for part, size in single.items()}


def test_a_7b_model_needs_more_than_one_common_gpu():
    held = sum(training_memory(LLAMA, **SETTINGS).values())
    assert GPU_MIB["H100 80 GB"] * 2**20 < held < GPU_MIB["H200 141 GB"] * 2**20


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"precision": "fp8"}, "precision"),
        ({"optimizer": "lion"}, "optimizer"),
        ({"checkpointing": True}, "checkpointing"),
        ({"batch": 0}, "batch"),
        ({"sequence": 1.5}, "sequence"),
        ({"batch": 10**13}, "batch"),
        ({"scores": "flash"}, "scores"),
        ({"scores": None}, "scores"),
    ],
)
def test_refuses_bad_training(change, match):
    with pytest.raises(ValueError, match=match):
        training_memory(GPT2, **SETTINGS | change)


def test_an_encoder_has_no_logits():
    for name in ("bert-base", "distilbert-base"):
        assert training_memory(PRESETS[name], **SETTINGS)["embedding and logits"] == 1024 * (768 + 2 * 768)
