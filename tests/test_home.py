import json
import re
from urllib.parse import parse_qsl

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState

from engine.training import SENTENCES, storyteller
from engine.transformer import forward
from pages.home import first, pictures
from ui import catalogue, glossary
from ui.app import cards, guide, plans
from ui.charts import theme


def sent(at, key: str) -> dict:
    """What the component of this key was handed."""
    (element,) = (one for one in at.get("bidi_component") if f"-{key}" in one.proto.id)
    return json.loads(element.proto.json)


def found(at) -> list[str]:
    return sent(at, "cards")["found"]


def test_every_lab_is_a_card_and_the_plans_fit_their_minutes(app):
    at = app()
    assert not at.exception
    assert found(at) == [lab.slug for lab in catalogue.shown()]
    for code, labs in plans.MINUTES.items():
        assert sum(labs.values()) == int(code)
        assert all(slug in catalogue.BY_SLUG for slug in labs)


def test_a_card_is_one_link_with_a_picture_that_both_schemes_colour():
    html, drawn = cards.markup(catalogue.shown(), pictures.pictures()), pictures.pictures()
    assert set(drawn) == {lab.slug for lab in catalogue.LABS}
    for lab in catalogue.LABS:
        (card,) = re.findall(rf'<a href="{lab.slug}".*?</a>', html)
        assert drawn[lab.slug] in card
        assert card.count("<a ") == 1
        assert lab.title.replace("&", "&amp;") in card
        assert f"about {guide.GUIDES[lab.slug].minutes} min" in card.replace("\N{NO-BREAK SPACE}", " ")
        used = set(re.findall(r"var\(--(\w+)\)", card))
        assert used <= set(theme.MEANING), "a colour without a meaning"
        assert used, "a picture of nothing"
        assert "nan" not in card
        assert "inf" not in drawn[lab.slug]


def test_the_cards_travel_once_a_visit_and_again_where_they_were_lost(app):
    at = app()
    at.slug = "home"
    whole = sent(at, "cards")["html"]
    assert whole == cards.markup(catalogue.shown(), pictures.pictures())
    assert sent(at.set(read=4), "cards")["html"] == ""
    states, (drawn,) = (
        at._tree.get_widget_states(),
        (one for one in at.get("bidi_component") if "-cards" in one.proto.id),
    )
    lost = json.dumps([{"event": "missed", "value": True}])
    states.widgets.append(WidgetState(id=_make_trigger_id(drawn.proto.id, "events"), json_trigger_value=lost))
    at._run(states)
    assert sent(at, "cards")["html"] == whole


def test_the_first_picture_shows_the_models_own_numbers(app):
    at = app("", {"home.about": "dog", "home.read": "6"})
    (chart,) = at.charts.values()
    words = first.STORIES["dog"][:6]
    assert words == SENTENCES[3].split()[:6]
    trace = forward(storyteller(), [storyteller().vocabulary.index(word) for word in words])
    widths = [shape["line"]["width"] for shape in chart.layout["shapes"] if shape["type"] == "path"]
    weights = [
        float(one[now, seen]) for now in range(6) for one in trace.blocks[0].attention.maps for seen in range(now + 1)
    ]
    assert widths == [round(15 * weight, 2) for weight in weights]
    best = storyteller().vocabulary[int(trace.probs[-1].argmax())]
    assert f"next word is “{best}” with {trace.probs[-1].max():.3f}" in chart.alt
    bars = chart.named("Next word")["x"]
    assert bars == sorted(trace.probs[-1].tolist(), reverse=True)[:6]


@pytest.mark.parametrize(("subject", "read"), [("cat", 5), ("dog", 1), ("sun", 2), ("moon", 6)])
def test_the_link_opens_the_forward_pass_in_exactly_this_state(app, subject, read):
    at = app("", {"home.about": subject, "home.read": str(read)})
    (begin,) = (link for link in at.get("page_link") if "Open the whole" in link.proto.label)
    (chart,) = at.charts.values()
    there = app("forward_pass", dict(parse_qsl(begin.proto.query_string)))
    assert not there.notices
    assert there.control("step").value == "Predict"
    word, prob = re.search(r"next word is “(.+?)” with (\d\.\d+)", chart.alt).groups()
    assert f"the model's favourite is **“{word}”** with {prob}" in there.words()


@pytest.mark.parametrize(
    ("wanted", "slugs"),
    [
        ("softmax", "softmax"),
        ("ROPE rotation", "rope_and_alibi"),
        ("next token", "forward_pass"),
        ("multi-head", "heads_split_and_mixed forward_pass"),
        ("multi head", "heads_split_and_mixed"),
        ("multihead attention", "heads_split_and_mixed"),
        ("positional encoding", "sinusoidal_table rope_and_alibi positions_compared"),
        ("self-attention", "attention_matrix heads_split_and_mixed"),
        ("self attention", "attention_matrix"),
        ("What is attention?", "attention_matrix"),
        ("how does backprop work", "forward_and_backward"),
        ("what is a token", "bpe_against_wordpiece"),
        ("embedding", "forward_pass architecture_ingredients"),
        ("causal", "attention_matrix"),
        ("causal mask", "attention_matrix"),
        ("encoder", "transformer_deep_dive"),
        ("backprop", "forward_and_backward"),
        ("backpropagation", "gradient_by_depth forward_and_backward"),
        ("FFN", "tokens_expanded"),
        ("feedforward", "tokens_expanded"),
        ("MLP", "tokens_expanded forward_and_backward"),
        ("ReLU", "tokens_expanded"),
        ("GELU", "tokens_expanded"),
        ("KV cache", "parameters_flops_memory"),
        ("kv-cache", "parameters_flops_memory"),
        ("tokenizer", "bpe_against_wordpiece"),
        ("tokeniser", "bpe_against_wordpiece"),
        ("tokenization", "bpe_against_wordpiece"),
        ("tokenisation", "bpe_against_wordpiece"),
        ("nucleus", "one_distribution_one_token"),
        ("nucleus sampling", "one_distribution_one_token"),
        ("top p", "one_distribution_one_token"),
        ("perplexity", "cross_entropy_against_mse"),
        ("generation", "one_distribution_one_token"),
        ("exercise", "transformer_deep_dive"),
        ("quiz", "transformer_deep_dive"),
        ("normalization", "layer_normalisation rows_normalised"),
        ("normalisation", "layer_normalisation rows_normalised"),
        ("layer norm", "layer_normalisation rows_normalised"),
        ("residual connection", "gradient_by_depth"),
        ("vanishing gradients", "gradient_by_depth"),
        ("neighbor", "dot_product_against_cosine"),
        ("neighbour", "dot_product_against_cosine"),
        ("optimiser", "optimizers"),
        ("optimizer", "optimizers"),
        ("regularization", "dropout"),
        ("cosine similarity", "dot_product_against_cosine dot_product_and_cosine"),
        ("d_k", "heads_split_and_mixed attention_matrix"),
        ("W_O", "heads_split_and_mixed"),
        ("query key value", "attention_matrix"),
        ("dropout", "dropout"),
    ],
)
def test_search_knows_the_words_of_the_field_in_both_spellings(wanted, slugs):
    hits = [lab.slug for lab in catalogue.LABS if guide.matches(lab, wanted)]
    assert set(slugs.split()) <= set(hits)
    assert len(hits) < 15, "a word that finds everything finds nothing"


def test_a_word_of_the_glossary_is_answered_over_the_labs_that_show_it(app):
    at = app("", {"home.search": "what is a logit?"})
    assert "softmax" in found(at)
    assert glossary.found("logit")[0].meaning in sent(at, "words.logit")["html"]


def test_the_glossary_of_all_words_is_sent_once_it_is_unfolded(app):
    at = app()
    assert not [one for one in at.get("bidi_component") if "-words" in one.proto.id]
    at.session_state["glossary"] = True
    html = sent(at.run(), "words")["html"]
    assert all(f"<dt>{entry.word}</dt>" in html for entry in glossary.ENTRIES)


def test_every_lab_has_its_minutes_and_words():
    assert set(guide.GUIDES) == {lab.slug for lab in catalogue.LABS}, "a new lab needs its minutes and words"


def test_a_card_says_what_this_visit_did_in_its_lab(app):
    at = app()
    at.session_state["run.opened"] = {"softmax.temperature": (1.0, False), "home.read": (5, False)}
    at.session_state["ask.score"] = {"dropout": {"1.1": True, "2.1": False}}
    at.run()
    assert sent(at, "cards")["notes"] == {"softmax": " · visited", "dropout": " · 1 of 2 predicted rightly"}
    assert "**1 of 26 labs** visited, **1 of 2 predictions** right so far" in at.words()


def test_home_says_that_the_toy_model_is_untrained_and_what_is_needed(app):
    words = app().words()
    assert "untrained: its weights are made up" in words
    assert "Vectors and matrices are enough to begin" in words
    assert f"has learned {len(SENTENCES)} sentences" in words


@pytest.mark.parametrize("junk", ["zzz", "<script>", "![x](http://e.com/y.png)", "*" * 60])
def test_a_search_without_a_hit_says_so(app, junk):
    at = app("", {"home.search": junk})
    assert not at.exception
    assert not found(at)
    assert "Nothing found for" in at.info[0].value
    assert "http:" not in at.info[0].value
