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
    assert "8 bytes, all in bf16: 53.91 GB" in said
    assert "which is 120.73 GiB; its largest part" in said
    assert "2 of the 10 GPUs hold it alone" in said
    stored = at.set(scores="stored").words()
    assert "which is 200.73 GiB" in stored
    assert "0 of the 10 GPUs hold it alone" in stored
    assert "A fused kernel keeps none: **120.73 GiB**" in stored


def test_bf16_takes_eight_bytes_a_parameter(app):
    at = app(SLUG, {f"{SLUG}.preset": "llama-2-7b", f"{SLUG}.precision": "bf16", f"{SLUG}.llama-2-7b.sequence": "1"})
    held = dict(re.findall(r"\| ([a-z ]+) \| ([\d,]+) bytes?", at.words()))
    weights = [int(held[part].replace(",", "")) for part in ("weights", "gradients", "master weights", "optimizer")]
    assert sum(weights) == 8 * 6_738_415_616


def test_grouped_heads_shrink_the_cache(app):
    at = app(SLUG).click("Eight KV heads, not 32")
    assert "the KV cache goes from 2 GiB to **512 MiB** (−75.0%)" in at.words()
    assert "the parameters go from 6,738,415,616 to **5,933,109,248** (−12.0%)" in at.words()
    assert "8 KV heads, each shared by 4 query heads." in at.words()


def test_each_question_is_answered_where_it_leads(app):
    at = app(SLUG)
    head = at.click("124 or 163 million?").words()
    assert "the parameters go from 124,439,808 to **163,037,184** (+31.0%)" in head
    assert "A training step holds **129.63 GB**, which is 120.73 GiB" in at.click("Training a 7B decoder").words()
    long = at.click("A long sequence").words()
    assert "scores and mixing are **" in long
    assert "Stored, they make it **11.31 TiB**: scores grow with the square of the 131,072 tokens." in long


def test_an_encoder_keeps_no_cache(app):
    at = app(SLUG, {f"{SLUG}.preset": "bert-base"})
    assert "cache" not in at.charts
    assert "it keeps no KV cache" in at.words()
    assert "KV heads, each" not in at.words()
    said = app(SLUG, {f"{SLUG}.preset": "bert-base", f"{SLUG}.bert-base.sequence": "1"}).words()
    assert "| FLOPs of learning from one token |" in said
    assert not re.search(r"\d{3}\.0\b", said)


def test_a_card_holds_what_its_driver_reports(app):
    at = app(SLUG, {f"{SLUG}.preset": "gpt2", f"{SLUG}.gpt2.sequence": "4096", f"{SLUG}.scores": "stored"})
    texts = at.charts["memory"].data[1]["text"]
    assert "15 GiB · 2 needed" in texts
    assert "what nvidia-smi reports: 15.0 GiB and 45.0 GiB | NVIDIA's data sheets: 16 GB and 48 GB" in at.words()


def test_a_whole_training_and_many_cards_are_told(app):
    said = app(SLUG, {f"{SLUG}.preset": "llama-2-7b"}).words()
    assert "134,768,312,320 tokens, 6.21 · 10²¹ FLOPs, **179.71 days** of an H100" in said
    assert "days" not in app(SLUG).words()
    assert "| What each of 8 cards holds, each with a batch of its own |" in said
    assert "ZeRO 1: 54.83 GiB; ZeRO 2: 43.85 GiB; ZeRO 3: 32.87 GiB" in said


def test_half_is_reached_at_a_whole_token(app):
    assert "Scores and mixing are half of it from 11 tokens on." in app(SLUG).words()


@pytest.mark.parametrize(
    ("preset", "total"),
    [("qwen2.5-0.5b", 494_032_768), ("qwen3-4b", 4_022_468_096), ("mixtral-8x7b", 46_702_792_704)],
)
def test_models_of_today_and_their_dials(app, preset, total):
    for dials in ("false", "true"):
        at = app(SLUG, {f"{SLUG}.preset": preset, f"{SLUG}.dials": dials})
        assert f"**{total:,}** parameters" in at.words()


def test_the_header_has_the_shape_of_the_model(app):
    shown = app(SLUG, {f"{SLUG}.preset": "gpt2"}).markdown[0].value
    assert "**gpt2 · 12 layers · d_model = 768 · heads: 12**" in shown.replace("\\", "")


def test_every_convention_names_who_counts_so(app):
    said = app(SLUG, {f"{SLUG}.preset": "gpt2"}).words()
    for name in ("Kaplan et al. 2020", "Hoffmann et al. 2022", "nanoGPT", "EleutherAI", "Megatron-LM", "ZeRO"):
        assert name in said


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


def test_what_did_not_change_is_compared_with_nothing(app):
    words = app(SLUG).click("124 or 163 million?").words()
    assert "(+31.0%); the KV cache stays 36 MiB." in words
    assert "(+0.0%)" not in words
    words = app(SLUG, {f"{SLUG}.preset": "bert-base", f"{SLUG}.bert-base.sequence": "1"}).words()
    assert "Stored or not, attention scores make no difference at these digits: 1.63 GiB in all." in words
    selective = app(SLUG).set(scores="selective").words()
    assert "stored they make it no more" in selective


def test_the_answers_are_those_worked_out_by_hand(app):
    head = app(SLUG).ask("124 or 163 million?").predict(163.037184).press("ask_show").words()  # + 50,257 · 768
    assert "**Right.** From 124,439,808 to 163,037,184" in head
    at = app(SLUG).ask("Scores are kept").tap("memory", panel=0, point=4).press("ask_show")
    assert "**Right.** It is “activations”, from 19.75 GiB to 99.75 GiB" in at.words()  # 80: 32 · 32 · 4,096² · 5 bytes
