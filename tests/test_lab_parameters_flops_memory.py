"""The accounting lab: the platform's own 174 numbers, published sizes, and units that are always named."""

import re
from html import unescape

import pytest

SLUG = "parameters_flops_memory"


def test_opens_with_this_platforms_174_numbers(app):
    at = app(SLUG)
    assert at.control("preset").options[0] == "this platform's model"
    tree = at.charts["parameters"].data[0]
    assert (unescape(tree["labels"][0]), tree["values"][0]) == ("this platform's model", 174)
    sums = re.findall(r"= ([\d,]+) \|", at.words())
    assert sum(int(n) for n in sums) == 174


@pytest.mark.parametrize("preset", ["gpt2", "llama-2-7b", "bert-large", "gemma-7b"])
def test_the_areas_add_up(app, preset):
    tree = app(SLUG, {f"{SLUG}.preset": preset}).charts["parameters"].data[0]
    assert len(set(tree["labels"])) == len(tree["labels"])
    inside = dict.fromkeys(tree["parents"], 0)
    for parent, value in zip(tree["parents"], tree["values"], strict=True):
        inside[parent] += value
    own = dict(zip(tree["labels"], tree["values"], strict=True))
    assert all(own[parent] == total for parent, total in inside.items() if parent)


def test_training_a_7b_decoder(app):
    at = app(SLUG, {f"{SLUG}.preset": "llama-2-7b"})
    said = at.words()
    assert "6,738,415,616" in said
    assert "16 bytes, 16-bit gradients: 107.81 GB" in said
    assert "18 bytes, fp32 gradients: 121.29 GB" in said
    assert "6N and causal attention: 42,863,689,728" in said
    assert "0 of the 10 GPUs hold it alone" in said
    assert "2 of the 10 GPUs hold it alone" in at.set(checkpointing=True).words()


def test_grouped_heads_shrink_the_cache(app):
    full = app(SLUG, {f"{SLUG}.preset": "llama-2-7b"})
    grouped = app(SLUG, {f"{SLUG}.preset": "llama-2-7b", f"{SLUG}.dials": "true", f"{SLUG}.llama-2-7b.n_kv_heads": "8"})
    assert "The KV cache takes 2 GiB for 1 × 4,096 tokens; 32 of 32" in full.words()
    assert "The KV cache takes 512 MiB for 1 × 4,096 tokens; 8 of 32" in grouped.words()


def test_no_number_of_bytes_without_its_unit(app):
    at = app(SLUG, {f"{SLUG}.preset": "gpt2", f"{SLUG}.batch": "64"})
    rows = re.findall(r"\| ([\d,]+) bytes = ([\d,.]+) ([kMGT]?B) = ([\d,.]+) ([KMGT]iB|B) \|", at.words())
    assert len(rows) == 7
    for exact, decimal, unit, binary, binary_unit in rows:
        n = int(exact.replace(",", ""))
        assert float(decimal.replace(",", "")) * 1000 ** " kMGT".index((" " + unit)[-2]) == pytest.approx(n, rel=0.006)
        assert float(binary.replace(",", "")) * 1024 ** " KMGT".index((" " + binary_unit.replace("i", ""))[-2]) == (
            pytest.approx(n, rel=0.006)
        )
