"""What a link held besides, and what became of a link that was refused."""

import json
from urllib.parse import parse_qsl

import pytest


def test_strangers_are_named_once_and_leave_the_link(app):
    at = app("softmax", {"foo": "1", "bar": "2", "baz": "3", "qux": "4", "softmax.scale": "2"})
    assert at.notices == ["The link also held “foo”, “bar”, “baz” and more, which this page does not know: left out."]
    assert at.control("scale").value == 2
    assert len(at.set(scale=3.0).notices) == 1
    at.query_params.clear()
    assert not at.go("attention_matrix").warning


def test_of_a_parameter_given_twice_a_notice_says_which_value_is_in_use(app):
    link = {"softmax.temperature": ["5", "3"], "softmax.masked": ["z1", "z2"], "softmax.target": ["z1", "z2"]}
    at = app("softmax", link)
    assert at.notices == [
        "The link gives Temperature T more than once: its default is in use.",
        "The link gives Right class more than once: “z2” is in use.",
    ]
    assert (at.control("temperature").value, at.control("target").value) == (2, "z2")
    assert at.control("masked").value == ["z1", "z2"]
    assert app("", {"home.search": ["www.a", "rope"]}).notices[0].endswith("Search more than once: “rope” is in use.")
    default = app("attention_matrix", {"attention_matrix.tokens": ["a b c d e f", "The cat sat on the mat"]})
    assert default.notices == ["The link gives Tokens more than once: its default is in use."]
    (refused,) = app("attention_matrix", {"attention_matrix.tokens": ["a b c d e f", "a b"]}).notices
    assert refused.startswith("The link's Tokens, “a b”, was left out")


def test_of_several_values_those_that_are_unknown_are_named(app):
    at = app("softmax", {"softmax.masked": ["z1", "nope", "z3"]})
    assert at.control("masked").value == ["z1", "z3"]
    assert [notice.split(":")[0] for notice in at.notices] == ["The link's Masked entries, “nope”, was left out"]


def test_embedding_parameters_are_no_strangers(app):
    assert not app("softmax", {"embed": "true"}).warning


def test_start_over_after_a_refused_link_takes_only_strangers_out(app):
    start = "parameters_flops_memory"
    at = app(start, {f"{start}.preset": "gpt2", f"{start}.dials": "true", f"{start}.gpt2.n_heads": "7", "foo": "1"})
    assert "divisible" in at.error[0].value
    at.click("start_over")
    assert not at.exception
    assert "“foo”" in at.notices[0]
    assert "n_heads" not in at.notices[0]


def test_a_refused_page_says_what_was_wrong_with_the_link(app):
    constant = "\n".join(["1 1 1 1 1 1 1 1"] * 4)
    at = app("rows_normalised", {"rows_normalised.x": constant, "rows_normalised.eps": "0", "stranger": "1"})
    assert at.error
    assert "“stranger”" in at.notices[0]


@pytest.mark.parametrize(
    "link",
    [
        {"transformer_deep_dive.part": "Practice", "transformer_deep_dive.seed": "1234567"},
        {"softmax.logits": "1 2 3 4 5 6 7 8 " * 200},
        {"one_distribution_one_token.words": "a" * 9999, "one_distribution_one_token.k": "3"},
        {"forward_pass.tokens": "Your " * 999},
        {"forward_pass.model": "A" * 8001},
        {"softmax.temperature": "1e999"},
    ],
)
def test_page_notice_and_address_tell_one_state_after_a_link_that_is_refused(app, link):
    slug = next(iter(link)).split(".")[0]
    at = app(slug, link)
    assert len(at.notices) == 1
    told = [json.loads(one.proto.json) for one in at.get("bidi_component") if "lab_address" in one.proto.id]
    assert len(told) == 1
    assert any(one.proto.id.endswith("lab_boot") for one in at.get("bidi_component"))  # the first run's was overtaken
    again = app(slug, dict(parse_qsl(told[0]["query"])))
    assert not again.notices
    assert {key: one.value for key, one in again.controls.items()} == {
        key: one.value for key, one in at.controls.items()
    }
    assert again.charts == at.charts
