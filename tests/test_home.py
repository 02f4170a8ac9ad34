from urllib.parse import parse_qsl

import pytest

from ui import catalogue
from ui.app import guide, home


def titles(at) -> set[str]:
    return {
        link.proto.label.strip("*")
        for link in at.get("page_link")
        if link.proto.label.startswith("**") and "Begin" not in link.proto.label
    }


def test_every_lab_is_a_card_and_the_plans_fit_their_minutes(app):
    at = app()
    assert not at.exception
    assert titles(at) == {lab.title for lab in catalogue.shown()}
    for minutes, plan in home.PLANS.items():
        assert sum(plan.values()) == minutes
        assert all(slug in catalogue.BY_SLUG for slug in plan)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("softmax", "Softmax"), ("ROPE rotation", "RoPE and ALiBi"), ("next token", "The forward pass")],
)
def test_search_finds_words_in_any_order_and_case(app, wanted, found):
    assert found in titles(app("", {"home.search": wanted}))


@pytest.mark.parametrize(
    ("wanted", "slug"),
    [
        ("multi-head", "heads_split_and_mixed"),
        ("multi head", "heads_split_and_mixed"),
        ("multihead", "forward_pass"),
        ("positional encoding", "sinusoidal_table"),
        ("self-attention", "attention_matrix"),
        ("embedding", "forward_pass"),
        ("causal", "attention_matrix"),
        ("encoder", "transformer_deep_dive"),
        ("backprop", "forward_and_backward"),
        ("backpropagation", "gradient_by_depth"),
        ("FFN", "tokens_expanded"),
        ("ReLU", "tokens_expanded"),
        ("GELU", "tokens_expanded"),
        ("KV cache", "parameters_flops_memory"),
        ("tokenizer", "bpe_against_wordpiece"),
        ("tokenization", "bpe_against_wordpiece"),
        ("tokenisation", "bpe_against_wordpiece"),
        ("nucleus", "one_distribution_one_token"),
        ("perplexity", "cross_entropy_against_mse"),
        ("generation", "one_distribution_one_token"),
        ("exercise", "transformer_deep_dive"),
        ("quiz", "transformer_deep_dive"),
        ("normalization", "layer_normalisation"),
        ("normalisation", "rows_normalised"),
        ("neighbor", "dot_product_against_cosine"),
        ("neighbour", "dot_product_against_cosine"),
        ("optimiser", "optimizers"),
        ("dropout", "dropout"),
    ],
)
def test_search_knows_the_words_of_the_field_in_both_spellings(wanted, slug):
    found = [lab.slug for lab in catalogue.LABS if guide.matches(lab, wanted)]
    assert slug in found
    assert len(found) < 15, "a word that finds everything finds nothing"


def test_every_lab_says_how_long_it_takes_and_plans_go_by_it(app):
    assert set(guide.GUIDES) == {lab.slug for lab in catalogue.LABS}, "a new lab needs its minutes and words"
    captions = app().texts("caption")
    for lab in catalogue.shown():
        assert any(f"about {guide.GUIDES[lab.slug].minutes} min" in text for text in captions)


def test_home_says_that_the_toy_model_is_untrained_and_what_is_needed(app):
    words = app().words()
    assert "untrained: its weights are made up" in words
    assert "Vectors and matrices are enough to begin" in words
    assert "the sum behind each" not in words


@pytest.mark.parametrize("junk", ["zzz", "<script>", "![x](http://e.com/y.png)", "*" * 60])
def test_a_search_without_a_hit_says_so(app, junk):
    at = app("", {"home.search": junk})
    assert not at.exception
    assert not titles(at)
    assert "Nothing found for" in at.info[0].value
    assert "http:" not in at.info[0].value


def test_begin_here_opens_the_forward_pass_with_the_storyteller(app):
    begin = next(link for link in app().get("page_link") if "Begin" in link.proto.label)
    at = app("forward_pass", dict(parse_qsl(begin.proto.query_string)))
    assert not at.notices
    assert at.control("step").value == "Predict"
    assert "After “the cat sat on the” the model's favourite is **“mat”**" in at.words()
