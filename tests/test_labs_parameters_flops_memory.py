import pytest

from engine.accounting import PRESETS, account, flops_conventions
from ui.labs.parameters_flops_memory import (
    areas,
    bytes_held,
    cached,
    caches,
    cost_of_a_token,
    flops_by_length,
    memory_beside_cards,
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
    step, cards = drawn(memory_beside_cards(trace))[:2]
    assert sum(step["x"]) == pytest.approx(1)
    assert cards["text"][0] == size(trace.memory_total, binary=True)
    large = [gpu for gpu in trace.gpus if gpu.cards == 1]
    assert [gpu.name for gpu in large] == ["H200", "MI300X"]
    assert [text for text in cards["text"] if "holds it" in text] == [f"{gpu.gib} GiB · holds it" for gpu in large]


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


def test_ways_of_counting_stand_in_a_line():
    ways = flops_conventions(PRESETS["gpt2"], 1024)[:2]
    assert ways_of_counting(ways) == "6N alone: 741,192,192; 6N and full attention: 854,438,400"
    assert ways_of_counting(ways[:1], size) == "6N alone: 741.19 MB"
