import pytest

from engine.accounting import PRESETS, account, flops_conventions
from ui.labs.parameters_flops_memory.drawn import areas, caches, flops_by_length, memory_beside_cards
from ui.labs.parameters_flops_memory.written import (
    against,
    by_scores,
    bytes_held,
    cached,
    cost_of_a_token,
    kept_by_a_layer,
    noticed,
    parameter_sums,
    ways_of_counting,
)
from ui.words import size

CONTEXTS = [256, 512, 1024]


def account_of(name):
    settings = {"precision": "mixed", "optimizer": "adam", "checkpointing": "none"}
    return account(PRESETS[name], sequence=512, batch=2, **settings, contexts=CONTEXTS)


def drawn(figure) -> list[dict]:
    return figure.to_dict()["data"]


def test_the_layers_are_one_area_with_their_number():
    tree = drawn(areas(account_of("gpt2"), "gpt2", 12))[0]
    assert tree["labels"][:4] == ["gpt2", "embedding", "12 × layer", "output"]
    assert tree["values"][0] == sum(tree["values"][1:4])
    assert tree["parents"][-1] == "output"
    assert "1 layer" in drawn(areas(account_of("gpt2"), "gpt2", 1))[0]["labels"]


def test_today_is_marked_where_the_parts_meet_their_sum():
    trace = account_of("gpt2")
    *curves, mark = drawn(flops_by_length(trace, CONTEXTS, 512))
    assert [curve["name"] for curve in curves] == ["in all", *trace.sweep.parts]
    assert (mark["x"], mark["y"]) == ([512.0], [curves[0]["y"][1]])


def test_a_card_holds_the_step_or_says_how_many_do():
    trace = account_of("llama-2-7b")
    step, cards, *inside = drawn(memory_beside_cards(trace))
    assert sum(step["x"]) == pytest.approx(1)
    assert cards["text"][0] == size(trace.memory_total, binary=True)
    large = [gpu for gpu in trace.gpus if gpu.cards == 1]
    assert [gpu.name for gpu in large] == ["H200 141 GB", "MI300X 192 GB"]
    told = [text for trace in (cards, *inside) for text in trace.get("text", ()) if "holds it" in text]
    assert told == ["140.4 GiB · holds it", "192 GiB · holds it"]


def test_this_models_cache_stands_out():
    trace = account_of("llama-2-7b")
    curves = {curve["name"]: curve for curve in drawn(caches(trace.kv_sweep, CONTEXTS, 512, 32))}
    dashes = {name: curve["line"]["dash"] for name, curve in curves.items() if "line" in curve}
    assert dashes["32 (this model)"] == "solid"
    assert dashes["1"] == "dash"
    assert set(dashes.values()) == {"solid", "dash", "dot"}
    assert curves["now"]["y"] == [trace.kv_sweep[32][1]]


def test_the_formulas_have_the_numbers_in_them():
    trace, config = account_of("gpt2"), PRESETS["gpt2"]
    cost = cost_of_a_token(trace, config, 512)
    assert r"= 2 \cdot 123{,}532{,}032 + 4 \cdot 12 \cdot 512 \cdot 12 \cdot 64 =" in cost
    assert "d^2" not in cost
    pooled = cost_of_a_token(account_of("bert-base"), PRESETS["bert-base"], 512)
    assert r"+ 2 d^2 / s = " in pooled
    assert r"+ 2 \cdot 768^2 / 512 = " in pooled
    cache = cached(trace, config, 512, 2, 2)
    assert (
        r"\text{bytes} = 2 \cdot 12 \cdot 12 \cdot 64 \cdot 512 \cdot 2 \cdot 2 = 37{,}748{,}736\text{ bytes}" in cache
    )


def test_the_tables_end_in_their_sums():
    trace = account_of("gpt2")
    assert parameter_sums(trace).splitlines()[-1] == "| **parameters in all** | **124,439,808** |"
    assert parameter_sums(trace).count(", times 12 layers = ") == 16
    assert (
        bytes_held(trace).splitlines()[-1].startswith(f"| **a training step in all** | **{trace.memory_total:,} bytes")
    )


def test_ways_of_counting_stand_in_rows_with_their_names():
    rows = ways_of_counting("FLOPs", flops_conventions(PRESETS["gpt2"], 1024), 1)
    assert rows[0][:2] == ("FLOPs", "6N and full attention: 854,438,400")
    assert rows[0][2].startswith("6N and causal attention: 797,815,296; ")  # not the N of this page itself
    assert {row[0] for row in rows[1:]} == {""}
    assert any("Kaplan et al. 2020" in row[2] for row in rows)
    assert any("Hoffmann et al. 2022" in row[2] for row in rows)


def test_what_a_layer_keeps_is_written_out():
    trace, config = account_of("gpt2"), PRESETS["gpt2"]
    letters, numbers = kept_by_a_layer(trace, config, 1024, 512, 2, stored=False)
    assert "heads} \\cdot s" not in letters
    assert numbers.startswith(r"= 1024 \cdot (10 \cdot 768 + 4 \cdot 1536 + 4 \cdot 3072) = 26{,}738{,}688")
    letters, numbers = kept_by_a_layer(trace, config, 1024, 512, 2, stored=True)
    assert r"+ 5 \cdot 12 \cdot 512" in numbers


def said(sentences) -> str:
    return " ".join(one if isinstance(one, str) else one[1] for one in sentences if isinstance(one, str) or one[0])


def test_each_model_is_told_what_is_true_of_it():
    grouped = said(noticed(account_of("llama-3-8b"), PRESETS["llama-3-8b"], 512, 2, 1))
    assert "8 KV heads, each shared by 4 query heads." in grouped
    encoder = said(noticed(account_of("bert-base"), PRESETS["bert-base"], 512, 2, 1))
    assert "it keeps no KV cache" in encoder
    assert "query head" not in encoder
    assert "No output head and no logits are counted" in encoder
    window = said(noticed(account_of("mistral-7b-v0.1"), PRESETS["mistral-7b-v0.1"], 512, 2, 1))
    assert "the window keeps scores and mixing below half" in window
    experts = said(noticed(account_of("mixtral-8x7b"), PRESETS["mixtral-8x7b"], 512, 2, 1))
    assert "A token meets 12,879,925,248 of them: 2 of 8 experts a layer." in experts
    assert "fewer than the sequence" in said(noticed(account_of("gpt2"), PRESETS["gpt2"], 2048, 1, 1))


def test_scores_are_told_beside_what_the_other_ways_hold():
    held = {"fused": 2**30, "stored": 2**31, "selective": 3 * 2**29}
    for way, total in (("fused", "**2 GiB**"), ("stored", "**1 GiB**"), ("selective", "1.50 GiB in all")):
        assert total in said(by_scores(held, way, 512))


def test_a_turned_model_is_told_against_what_it_was():
    whole, grouped = account_of("llama-2-7b"), account_of("llama-3-8b")
    assert not against("gpt2", whole, whole)[0]
    turned, sentence = against("a_b", whole, grouped)
    assert turned
    assert "Against a\\_b as it is, the parameters go from 6,738,415,616 to **8,030,261,248** (+19.2%)" in sentence
    assert "(−75.0%)" in sentence
