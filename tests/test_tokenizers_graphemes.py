import pytest

from engine.tokenizers import characters


def test_characters_agree_with_the_regex_module(reference):  # orisano/graphemesplit#11, flmnt/graphemer#6
    for wanted in reference("tokenizers")["characters"]:
        assert list(characters("".join(wanted))) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("अनुच्छेद", ["अ", "नु", "च्छे", "द"]),
        ("नमस्ते", ["न", "म", "स्ते"]),
        ("น้ำ", ["น้ำ"]),
        ("ນ້ຳ", ["ນ້ຳ"]),
        ("ক্ষমা", ["ক্ষ", "মা"]),
        ("క్షమ", ["క్ష", "మ"]),
        ("க்ஷ", ["க்", "ஷ"]),
        ("क्\u200cष", ["क्\u200c", "ष"]),
        ("\u094dक", ["\u094d", "क"]),
        ("က\u102b", ["က", "\u102b"]),
        ("\u06001", ["\u06001"]),
        ("\t\u0301", ["\t", "\u0301"]),
        ("a\u200bb", ["a", "\u200b", "b"]),
    ],
)
def test_characters_of_many_scripts(text, wanted):
    assert list(characters(text)) == wanted
