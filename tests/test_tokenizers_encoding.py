import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.tokenizers as tokenizers
from engine.tokenizers import encode_bpe, encode_wordpiece, trace_bpe, trace_wordpiece, train_bpe, train_wordpiece

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
tables = st.dictionaries(st.text("abé👍", min_size=1, max_size=9), st.integers(1, 5), max_size=6)


def pairs(trace):
    return [step.pair for step in trace.steps]


def test_bpe_agrees_with_the_tokenizers_library(reference):
    for case in reference("tokenizers")["bpe"]:
        for word, expected in case["tokens"].items():
            assert encode_bpe(word, case["merges"]) == expected, word


def test_wordpiece_agrees_with_the_tokenizers_library(reference):
    frozen = reference("tokenizers")["wordpiece"]
    for word, expected in frozen["tokens"].items():
        assert encode_wordpiece(word, frozen["vocabulary"]) == expected, word


def test_trace_bpe_shows_every_choice():
    first, second = trace_bpe("bughug", [("u", "g"), ("h", "ug"), ("b", "u")]).steps
    assert first.options == ((0, ("u", "g")), (2, ("b", "u")))
    assert first.symbols == ("b", "ug", "h", "ug")  # both at once
    assert (second.rank, second.token, second.options) == (1, "hug", ((1, ("h", "ug")),))
    assert encode_bpe("xyz", []) == ["x", "y", "z"]
    assert encode_bpe("", [("a", "b")]) == []
    assert encode_bpe("abc", [("b", "c"), ("a", "b"), ("b", "c")]) == ["a", "bc"]


def test_trace_wordpiece_shows_every_look():
    trace = trace_wordpiece("hut", ["hu", "##g"])
    assert [step.tried for step in trace.steps] == [("hut", "hu"), ("##t",)]
    assert [step.piece for step in trace.steps] == ["hu", None]
    assert trace.tokens == ["[UNK]"]
    assert trace_wordpiece("", ["a"]) == ((), [])
    assert trace_wordpiece("aaa", ["a", "##a"], unknown="?", max_characters=2) == ((), ["?"])


def test_unseen_word_by_both():
    bpe, wordpiece = train_bpe(HUGS, 3), train_wordpiece(HUGS, 4)
    assert encode_bpe("bugs", pairs(bpe)) == ["b", "ug", "s"]
    assert encode_wordpiece("bugs", wordpiece.vocabulary) == ["b", "##ugs"]
    assert encode_bpe("mug", pairs(bpe)) == ["m", "ug"]
    assert encode_wordpiece("mug", wordpiece.vocabulary) == ["[UNK]"]


@pytest.mark.parametrize("word", [None, 3, b"ab", ["a"], "\ud83d", "a" * 10_001])
def test_refuses_bad_words(word):
    for call in (lambda: encode_bpe(word, []), lambda: encode_wordpiece(word, ["a"])):
        with pytest.raises(ValueError, match="word"):
            call()


@pytest.mark.parametrize("bad", [None, 3, "ab", [1], [("a",)], [("a", 1)], [(b"a", b"b")], [None]])
def test_refuses_bad_merges_and_vocabularies(bad):
    with pytest.raises(ValueError, match="merges must be pairs"):
        encode_bpe("ab", bad)
    with pytest.raises(ValueError, match="vocabulary must be"):
        encode_wordpiece("ab", bad)


def test_refuses_bad_limits():
    for limit in 0, 201, 1.5, None:
        with pytest.raises(ValueError, match="max_characters"):
            encode_wordpiece("a", ["a"], max_characters=limit)
    with pytest.raises(ValueError, match="unknown"):
        encode_wordpiece("a", ["a"], unknown=None)


@given(tables)
@settings(max_examples=50, deadline=None)
def test_encoding_the_training_words_gives_the_training_result(table):
    trace = train_bpe(table, 6)
    for word in table:
        assert encode_bpe(word, pairs(trace)) == list((trace.steps[-1].words if trace.steps else trace.start)[word])
        assert "".join(encode_wordpiece(word, train_wordpiece(table, 6).vocabulary)).replace("##", "") == word


def test_refuses_a_word_that_looks_like_a_continuation():
    with pytest.raises(ValueError, match="continuation"):
        encode_wordpiece("##g", ["##g"])
    assert encode_wordpiece("#g", ["#", "##g"]) == ["#", "##g"]


def test_all_names_are_here():
    assert all(hasattr(tokenizers, name) for name in tokenizers.__all__)
