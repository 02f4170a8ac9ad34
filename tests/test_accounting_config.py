from dataclasses import FrozenInstanceError, replace

import pytest

from engine.accounting import PRESETS, ModelConfig, dials_of, llama_ffn_width

TINY = ModelConfig(vocab_size=5, d_model=4, n_layers=1, n_heads=2, d_ff=8, context=3)


def test_defaults_are_derived_and_configs_are_frozen():
    assert (TINY.n_kv_heads, TINY.head_dim) == (2, 2)
    assert replace(TINY, d_model=8, head_dim=None).head_dim == 4
    with pytest.raises(FrozenInstanceError):
        TINY.d_model = 8


@pytest.mark.parametrize(
    ("d_model", "settings", "width"),
    [
        (4_096, {}, 11_008),
        (5_120, {}, 13_824),
        (8_192, {"multiple_of": 4_096, "multiplier": 1.3}, 28_672),
        (4_096, {"multiple_of": 1_024, "multiplier": 1.3}, 14_336),
        (1, {}, 256),
    ],
)
def test_llamas_width_rule(d_model, settings, width):  # InternLM/InternEvo#254
    assert llama_ffn_width(d_model, **settings) == width


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"d_model": 0}, "d_model"),
        ({"d_model": 4.0}, "d_model"),
        ({"d_model": 10**30}, "d_model"),
        ({"d_model": 5, "head_dim": None}, "divisible"),
        ({"n_layers": 1001}, "n_layers"),
        ({"vocab_size": True}, "vocab_size"),
        ({"n_heads": "2"}, "n_heads"),
        ({"n_kv_heads": 3}, "n_kv_heads"),
        ({"n_heads": 3, "n_kv_heads": 2}, "multiple"),
        ({"d_ff": -1}, "d_ff"),
        ({"context": float("nan")}, "context"),
        ({"head_dim": 0}, "head_dim"),
        ({"head_dim": 3, "positions": "rope"}, "even"),
        ({"token_types": -1}, "token_types"),
        ({"biases": "some"}, "biases"),
        ({"norm": None}, "norm"),
        ({"positions": "absolute"}, "positions"),
        ({"gated": 1}, "gated"),
        ({"tied": None}, "tied"),
        ({"qk_norm": 1}, "qk_norm"),
        ({"encoder": None}, "encoder"),
        ({"n_experts": 0}, "n_experts"),
        ({"n_active_experts": 2}, "n_active_experts"),
        ({"window": 0}, "window"),
        ({"window": 1.5}, "window"),
    ],
)
def test_refuses_bad_configs(change, match):
    with pytest.raises(ValueError, match=match):
        replace(TINY, **change)


@pytest.mark.parametrize("bad", [-1, 0, None, "1", float("inf")])
def test_refuses_bad_widths(bad):
    for settings in ({"d_model": bad}, {"d_model": 8, "multiple_of": bad}, {"d_model": 8, "multiplier": bad}):
        with pytest.raises(ValueError, match=f"{list(settings)[-1]} must be"):
            llama_ffn_width(settings.pop("d_model"), **settings)


def test_dials_make_the_config_again():
    for config in PRESETS.values():
        assert ModelConfig(**dials_of(config)) == config
    wider = ModelConfig(**dials_of(PRESETS["gpt2"]) | {"d_model": 960})
    assert (wider.head_dim, wider.n_kv_heads) == (80, 12)


def test_who_has_a_head():
    assert [name for name, config in PRESETS.items() if not config.has_head] == [
        "bert-base",
        "bert-large",
        "distilbert-base",
    ]
    assert replace(PRESETS["bert-base"], tied=False).has_head
