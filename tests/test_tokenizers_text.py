import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.tokenizers import byte_level, look_alikes, pre_tokenize, unicode_facts, word_counts


def test_splits_agree_with_the_tokenizers_library(reference):
    for case in reference("tokenizers")["splits"]:
        pieces = pre_tokenize(case["text"])
        assert pieces == case["pieces"]
        assert [byte_level(piece) for piece in pieces] == case["bytes"]


def test_the_split_of_gpt2():  # tokenizers#508, GPT-3-Encoder#5, openai/gpt-2#80
    pieces = pre_tokenize("I don't  know 👍 123abc")
    assert pieces == ["I", " don", "'t", " ", " know", " 👍", " 123", "abc"]
    assert pre_tokenize("don’t") == ["don", "’", "t"]
    assert byte_level(" 👍") == "ĠðŁĳį"


@given(st.text())
@settings(max_examples=50, deadline=None)
def test_pieces_characters_and_code_points_give_the_text_back(text):
    assert "".join(pre_tokenize(text)) == text
    facts = unicode_facts(text)
    assert "".join(facts.characters) == "".join(point.character for point in facts.code_points) == text
    assert b"".join(bytes(point.utf8) for point in facts.code_points) == text.encode()
    assert facts.n_bytes == len(byte_level(text)) == len(text.encode())


def test_every_byte_has_its_own_symbol():
    symbols = byte_level("".join(map(chr, range(0x800))))
    assert len(set(symbols)) == 128 + 30 + 64  # ASCII, the lead bytes C2–DF, every continuation byte
    assert symbols.isprintable()
    assert " " not in symbols


@pytest.mark.parametrize(
    ("text", "characters", "code_points", "n_bytes"),
    [
        ("é", 1, 1, 2),
        ("e\u0301", 1, 2, 3),
        ("👍", 1, 1, 4),
        ("👍🏽", 1, 2, 8),
        ("👨‍👩‍👧", 1, 5, 18),
        ("don't", 5, 5, 5),
        ("don’t", 5, 5, 7),
        ("🇩🇪🇫🇷", 2, 4, 16),
        ("1\ufe0f\u20e3", 1, 3, 7),
        ("🏴\U000e0067\U000e0062\U000e007f", 1, 4, 16),
        ("\u1112\u1161\u11ab", 1, 3, 9),
        ("한국", 2, 2, 6),
        ("a\u200db", 2, 3, 5),
        ("a\r\n\u0301", 3, 4, 5),
        ("\u0301", 1, 1, 2),
        ("अनुच्छेद", 4, 8, 24),
        ("नमस्ते", 3, 6, 18),
        ("น้ำ", 1, 3, 9),
        ("", 0, 0, 0),
    ],
)
def test_characters_code_points_bytes(text, characters, code_points, n_bytes):  # tokenizers#508, sentencepiece#263
    facts = unicode_facts(text)
    assert (len(facts.characters), len(facts.code_points), facts.n_bytes) == (characters, code_points, n_bytes)


def test_a_code_point_in_full():
    assert unicode_facts("é").code_points[0] == ("é", "U+00E9", "LATIN SMALL LETTER E WITH ACUTE", (0xC3, 0xA9))
    assert unicode_facts("\n").code_points[0].name == "unnamed"


def test_words_of_a_text():
    assert word_counts(" To be,\nor to\u00a0be ") == {"To": 1, "be,": 1, "or": 1, "to": 1, "be": 1}
    assert word_counts("") == {}


@pytest.mark.parametrize("bad", [None, 3, b"a", ["a"], "\udc00", "a" * 100_001])
def test_refuses_what_is_no_text(bad):
    for function in pre_tokenize, byte_level, unicode_facts, word_counts:
        with pytest.raises(ValueError, match="text"):
            function(bad)


def test_words_that_look_the_same_are_found():
    words = ["café", "cafe\u0301", "cafe", "don't", "don’t"]
    assert look_alikes(words) == [("café", "cafe\u0301")]
    assert look_alikes([]) == []
