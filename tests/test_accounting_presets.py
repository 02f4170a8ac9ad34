from engine.accounting import PRESETS, count_parameters


def test_every_preset_counts_what_transformers_counts(reference):
    assert {name: count_parameters(config) for name, config in PRESETS.items()} == reference("accounting")["counts"]


def test_published_counts():  # transformers#14960, transformers#27139
    published = {
        "gpt2": 124_439_808,
        "gpt2-medium": 354_823_168,
        "gpt2-xl": 1_557_611_200,
        "bert-base": 109_482_240,
        "llama-2-7b": 6_738_415_616,
        "llama-2-13b": 13_015_864_320,
        "llama-2-70b": 68_976_648_192,
        "llama-3-8b": 8_030_261_248,
        "mistral-7b": 7_241_732_096,
    }
    assert published == {name: count_parameters(PRESETS[name]) for name in published}
