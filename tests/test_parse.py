import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.page import parse

NUMBERISH = st.text(alphabet="0123456789.,;-+−eE[]() \t\nnaif∞array<>&'\"*_|`$\x00", max_size=60)
TYPED = st.one_of(st.text(max_size=60), NUMBERISH)
RAW = set("<>&`*[]()|$~#!\\\n\r")  # what would be HTML or Markdown if it reached the page as typed


def refused(read, text, **options):
    """The sentence with which a text is refused, or None; nothing but ValueError may come."""
    try:
        read(text, **options)
    except ValueError as error:
        return str(error)
    return None


@settings(max_examples=300, deadline=None)
@given(TYPED)
def test_whatever_is_typed_is_read_or_refused_in_a_sentence_without_markup(text):
    for read, options in (
        (parse.number, {}),
        (parse.number, {"low": 0, "high": 3, "whole": True}),
        (parse.matrix, {}),
        (parse.matrix, {"shape": (2, None), "limit": 5, "rows": ["a", "b"], "columns": ["x"]}),
        (parse.words, {}),
        (parse.words, {"least": 2, "most": 2, "length": 3}),
    ):
        sentence = refused(read, text, **options)
        if sentence is not None:
            assert sentence.endswith(".")
            assert not RAW & set(re.sub(r"\\[-+._]", "", sentence)), sentence


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_matrix_written_out_is_read_back_to_the_last_digit(matrix):
    text = parse.rows(matrix)
    for pasted in (text, str(matrix), text.replace(" ", "\t"), text.replace("\n", ";")):
        assert parse.matrix(pasted).tolist() == np.array(matrix).tolist()


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n3 4",
        "[[1, 2], [3, 4]]",
        "[[1 2]\n [3 4]]",
        "array([[1., 2.],\n       [3., 4.]])",
        "1\t2\r\n3\t4\r\n",
        "1,2\n3,4\n",
        "1, 2; 3, 4",
    ],
)
def test_pasted_from_numpy_a_spreadsheet_or_a_list(text):
    if text == "1,2\n3,4\n":  # each line could be one number with a decimal comma or two numbers: two are wanted
        assert parse.matrix(text, shape=(2, 2)).tolist() == [[1, 2], [3, 4]]
    else:
        assert parse.matrix(text).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        ("", {}, "No numbers here yet."),
        ("1 2\n3", {}, "Row 1 has 1 number, 2 are needed."),
        ("1\n2\n3", {"shape": (2, 1)}, "3 rows given, 2 rows are needed."),
        ("1 2 3", {"most": (2, 2)}, "Row 0 has 3 numbers, at most 2 fit."),
        ("1 abc", {}, "Row 0, column 1: “abc” is not a number."),
        ("1 nan", {"rows": ["the"], "columns": ["x", "y"]}, "Row the, column y: “nan” is not a finite number."),
        ("0,75 1,5", {}, "“0,75” looks like a decimal comma: write decimals with a point."),
        ("1 11", {"limit": 10}, "Row 0, column 1: 11 lies outside -10 to 10."),
    ],
)
def test_every_refusal_names_the_place(text, options, says):
    assert refused(parse.matrix, text, **options) == says


def test_numbers():
    assert parse.number(" −2.5 ") == -2.5
    assert refused(parse.number, "2.5", whole=True) == "“2\\.5” is not a whole number."
    assert refused(parse.number, "1e999") == "“1e999” is not a finite number."
    assert refused(parse.number, "4", low=0, high=3) == "4 lies outside 0 to 3."


def test_words_choices_and_links():
    assert parse.words(" the\tcat,sat \n") == ["the", "cat", "sat"]
    assert refused(parse.words, "", least=2) == "0 words given, 2 to 12 are needed."
    assert parse.tokens("b a", vocabulary=("a", "b"), most=2) == [1, 0]
    assert "is not in the vocabulary" in refused(parse.tokens, "c", vocabulary=("a", "b"), most=2)
    assert refused(parse.one_of, "z", known=["", *"abcdefgh"]) == "the choices are a, b, c, d, e, f, …"
    assert [parse.in_link(v) for v in (True, 5.0, 0.1, "x", -3)] == ["true", "5", "0.1", "x", "-3"]
    assert parse.digits(1e300) == "1e+300"


def test_names_that_a_visitor_chose_stay_text_in_a_refusal():
    with pytest.raises(ValueError, match=r"column \\!\\\[x\\\]"):
        parse.matrix("a", columns=["![x](//y)"])
    with pytest.raises(ValueError, match=r"vocabulary: \\<b\\>\."):
        parse.tokens("x", vocabulary=("<b>",), most=1)


def test_each_column_of_a_matrix_may_have_limits_of_its_own():
    options = {"shape": (None, 2), "limits": ((-1, 1), (0, 1, True)), "least": 2}
    assert parse.matrix("0.5 1; -1 0", **options).tolist() == [[0.5, 1], [-1, 0]]
    assert refused(parse.matrix, "2 1; 0 0", **options) == "Row 0, column 0: 2 lies outside -1 to 1."
    assert refused(parse.matrix, "1 0.5; 0 0", **options) == "Row 0, column 1: “0\\.5” is not a whole number."
    assert refused(parse.matrix, "1 1", **options) == "1 row given, at least 2 are needed."
