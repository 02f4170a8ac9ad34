from dataclasses import replace
from math import prod

import pytest

from engine.accounting import (
    PRESETS,
    ModelConfig,
    active_parameters,
    config_of,
    count_parameters,
    folded_table,
    multiplying_parameters,
    parameter_conventions,
    parameter_table,
    parameters_by_part,
)
from engine.weights import load_weights

GPT2, LLAMA = PRESETS["gpt2"], PRESETS["llama-2-7b"]
TINY = ModelConfig(vocab_size=5, d_model=4, n_layers=1, n_heads=2, d_ff=8, context=3)


def test_this_platforms_model_has_174():
    config = config_of(load_weights())
    assert count_parameters(config) == 174
    assert (config.n_heads, config.head_dim, config.d_ff, config.biases) == (3, 2, 6, "feed_forward")


def test_config_of_follows_another_file():
    weights = load_weights()
    twice = weights._replace(layers=weights.layers * 2)
    assert config_of(twice) == replace(config_of(weights), n_layers=2)
    for bad in (None, "weights.toml", GPT2):
        with pytest.raises(ValueError, match="eights"):
            config_of(bad)


@pytest.mark.parametrize("config", [*PRESETS.values(), TINY, config_of(load_weights())])
def test_rows_are_products_and_their_formulas_hold(config):
    for row in parameter_table(config)[-60:] + parameter_table(config)[:60]:
        assert row.count == prod(row.shape)
        symbols, *numbers = row.formula.replace(",", "").replace("×", "*").split(" = ")
        assert [eval(number) for number in numbers] == [row.count] * len(numbers)
        assert symbols.count("*") == len(row.shape) - 1
    assert sum(parameters_by_part(config).values()) == count_parameters(config)


def test_a_tiny_table_by_hand():
    rows = {(row.block, row.name): row.shape for row in parameter_table(TINY)}
    assert rows == {
        ("embedding", "W_E"): (5, 4),
        ("embedding", "W_P"): (3, 4),
        **{("layer 1", f"W_{name}"): (4, 4) for name in "QKVO"},
        **{("layer 1", f"b_{name}"): (4,) for name in "QKVO"},
        **{("layer 1", f"norm_{i}.{name}"): (4,) for i in (1, 2) for name in ("gamma", "beta")},
        ("layer 1", "W_1"): (4, 8),
        ("layer 1", "b_1"): (8,),
        ("layer 1", "W_2"): (8, 4),
        ("layer 1", "b_2"): (4,),
        ("output", "final_norm.gamma"): (4,),
        ("output", "final_norm.beta"): (4,),
    }
    assert len(rows) == len(parameter_table(TINY))


def test_heads_share_the_width_they_do_not_multiply_it():  # karpathy/nanoGPT#629
    attention = [row for row in parameter_table(TINY) if row.name in ("W_Q", "W_K", "W_V")]
    assert sum(row.count for row in attention) == 3 * 4**2
    assert count_parameters(replace(TINY, n_heads=4, n_kv_heads=4, head_dim=1)) == count_parameters(TINY)


def test_gpt2_in_four_counts():  # nanoGPT#209, TransformerLens#903
    assert {way.name: way.value for way in parameter_conventions(GPT2)} == {
        "all parameters": 124_439_808,
        "with a head of its own": 163_037_184,
        "without the position table": 123_653_376,
        "matrices of the layers": 84_934_656,
        "matrices that multiply": 123_532_032,
    }
    assert count_parameters(replace(GPT2, tied=False)) == 163_037_184
    assert count_parameters(replace(GPT2, positions="rope")) == 123_653_376


def test_llama_counted_wrongly():  # meta-llama/llama#1111, gpt-neox#1309
    assert count_parameters(replace(LLAMA, gated=False)) == 5_295_575_040
    assert count_parameters(replace(PRESETS["llama-2-70b"], n_kv_heads=64)) == 78_371_889_152


@pytest.mark.parametrize("config", [*PRESETS.values(), TINY])
def test_the_folded_table_is_the_whole_table(config):
    folded, rows = folded_table(config), parameter_table(config)
    assert sum(row.total for row in folded) == sum(row.count for row in rows)
    assert sum(row.times for row in folded) == len(rows)
    assert all(row.total == row.times * row.row.count for row in folded)


def test_biases_on_q_k_and_v_alone():  # ServiceNow/Fast-LLM#153
    qwen = PRESETS["qwen2.5-0.5b"]
    assert count_parameters(qwen) == 494_032_768
    assert count_parameters(replace(qwen, biases="none")) == 494_005_120
    biased = {row.row.name for row in folded_table(qwen) if row.row.part.endswith("biases")}
    assert biased == {"b_Q", "b_K", "b_V"}


def test_norms_on_q_and_k():
    qwen = PRESETS["qwen3-4b"]
    assert count_parameters(qwen) == 4_022_468_096
    assert count_parameters(replace(qwen, qk_norm=False)) == 4_022_458_880
    norms = {row.row.name: row.row.shape for row in folded_table(qwen) if "_norm." in row.row.name}
    assert norms == {"q_norm.gamma": (128,), "k_norm.gamma": (128,), "final_norm.gamma": (2560,)}


def test_experts_are_all_counted_and_some_used():  # transformers#27945
    mixtral = PRESETS["mixtral-8x7b"]
    assert count_parameters(mixtral) == 46_702_792_704
    assert active_parameters(mixtral) == 12_879_925_248
    by_name = {way.name: way.value for way in parameter_conventions(mixtral)}
    assert by_name["active parameters"] == 12_879_925_248
    everyone = replace(mixtral, n_active_experts=8)
    assert active_parameters(everyone) == count_parameters(everyone)
    own = 3 * 4096 * 14_336
    active, all_eight = (multiplying_parameters(config)["feed-forward matrices"] for config in (mixtral, everyone))
    assert (active, all_eight) == (32 * 2 * own, 32 * 8 * own)
    dense = replace(mixtral, n_experts=1, n_active_experts=1)
    assert count_parameters(dense) == count_parameters(PRESETS["mistral-7b"]) == active_parameters(dense)
    biased = replace(TINY, n_experts=3, n_active_experts=2)
    assert count_parameters(biased) - active_parameters(biased) == 2 * 4 * 8 + 8 + 4


def test_an_encoder_without_a_pooler_has_no_head():
    distilbert = PRESETS["distilbert-base"]
    assert count_parameters(distilbert) == 66_362_880
    assert sum(multiplying_parameters(distilbert).values()) == 42_467_328
    assert parameter_conventions(distilbert)[1].value == 66_362_880, "no head to store a second time"


def test_conventions_name_who_counts_like_this():
    for config in (GPT2, PRESETS["mixtral-8x7b"]):
        assert all(way.who and len(way.who) < 20 for way in parameter_conventions(config))
