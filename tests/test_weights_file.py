import re

import pytest

from engine.weights import load_weights
from engine.weights.file import PATH

TEXT = PATH.read_text(encoding="utf-8")


def refused(text, *parts):
    """The one-line message load_weights gives, which holds all the parts."""
    with pytest.raises(ValueError, match=".") as caught:
        load_weights(text if isinstance(text, bytes) else text.encode())
    message = str(caught.value)
    assert "\n" not in message
    assert all(part in message for part in parts), message
    return message


def changed(old, new, count=1):
    assert old in TEXT
    return TEXT.replace(old, new, count)


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("  [0.77, 0.25, 0.10],\n", "", ["W_E must have shape (5, 3)", "got (4, 3)"]),
        ("  [0.77, 0.25, 0.10],", "  [0.77, 0.25],", ["W_E must have rows of equal length", "3, 3, 3, 3, 2"]),
        ('"with", "one"]', '"with"]', ["vocabulary must hold 5 words", "got 4"]),
        ('"with", "one"]', '"with", "one", "more"]', ["vocabulary must hold 5 words", "got 6"]),
        ("  [ 0.5,  0.3, -0.2],\n", "", ["layers[0].W_O must have shape (6, 3)", "3 heads × 2", "got (5, 3)"]),
        ("b_1 = [0, 0, ", "b_1 = [0, ", ["layers[0].b_1 must have shape (6,)", "got (5,)"]),
        ("b_2 = [0, 0, 0]", "b_2 = [[0, 0, 0]]", ["layers[0].b_2 must be a vector", "(1, 3)"]),
        ("b_2 = [0, 0, 0]", "b_2 = []", ["layers[0].b_2", "at least one number"]),
        ("beta = [0.0, 0.0, 0.0]", "beta = 0.0", ["layers[0].norm_1.beta", "rows of numbers", "got 0.0"]),
        ("  [ 1.9,  1.5],\n", "", ["layers[0].heads[1].W_Q must have shape (3, 2)", "got (2, 2)"]),
        ("b_2 = [0, 0, 0]\n", "", ["layers[0].b_2 is missing"]),
        ("[0.43, 0.15,", '[0.43, "abc",', ["W_E, row 1, column 2", "finite number", "got 'abc'"]),
        ("[0.43, 0.15,", "[0.43, nan,", ["W_E, row 1, column 2", "got nan"]),
        ("[ 1.6, -1.6]", "[-inf, -1.6]", ["layers[0].heads[1].W_Q, row 1, column 1", "got -inf"]),
        ("[0.43, 0.15,", "[0.43, true,", ["W_E, row 1, column 2", "got True"]),
        ("[0.43, 0.15,", "[0.43, [0.15],", ["W_E, row 1, column 2", "got a list of 1"]),
        ("[0.43, 0.15,", f"[0.43, 0x{'f' * 4000},", ["W_E, row 1, column 2", "beyond float64"]),
        ("[0.43, 0.15,", f"[0.43, {'9' * 4400},", ["whole number"]),
        ("[0.43, 0.15,", "[0.43, 1979-13-45,", ["W_E"]),
        ("[0.43, 0.15,", "[0.43, abc,", ["W_E: line 10, column 10", "expected a number", "got 'abc, 0.89],'"]),
        ("[ 1.6, -1.6]", "[ 1.6, -1.6", ["layers[0].heads[1].W_Q: line"]),
        ("[ 1.6, -1.6]", "[ 1.6, O.6]", ["layers[0].heads[1].W_Q: line", "'O.6],'"]),
        ("gamma = [1.0,", "gama = [1.0,", ["layers[0].norm_1.gama is not", "layers[0].norm_1.gamma, which is missing"]),
        ("W_LM_head", "W_LM_Head", ["W_LM_Head is not a name", "did you mean W_LM_head, which is missing"]),
        ("W_E = [", "extra = 1\nW_E = [", ["extra is not a name", "Expected vocabulary, W_E"]),
        ("W_K = [", "W_k = [[1]]\nW_K = [", ["layers[0].heads[0].W_k is not", "did you mean layers[0].heads[0].W_K?"]),
        ("W_K = [", "W_Q = [", ["layers[0].heads[0].W_Q: line", "Cannot overwrite"]),
        ('"journey"', '"Your"', ["vocabulary", "'Your' twice"]),
        ('"journey"', "7", ["vocabulary[1]", "got 7"]),
        ('"journey"', '" "', ["vocabulary[1]", "1 to 40 characters"]),
        ('"journey"', '"a\\nb"', ["vocabulary[1]", "one line"]),
        ('"Head 2"', "2", ["layers[0].heads[1].name", "got 2"]),
        ('source = "illustrative"\n', "", ["layers[0].heads[1].source is missing"]),
        ("[layers.norm_1]", "[layers.norm_3]", ["layers[0].norm_3 is not", "layers[0].norm_1, which is missing"]),
        ("[[layers]]", "[layers]", ["layers must be 1 to 12 tables, each under [[layers]]", "got a table"]),
    ],
)
def test_a_slip_gets_one_sentence_that_names_it(old, new, parts):
    refused(changed(old, new), *parts)


def test_missing_matrices():
    for name in ("W_E", "W_P", "W_LM_head"):
        refused(re.sub(rf"^{name} = \[.*?^\]$", "", TEXT, flags=re.M | re.S), f"{name} is missing")
    without = re.sub(r"^W_V = \[.*?^\]$", "", TEXT, count=1, flags=re.M | re.S)
    refused(without, "layers[0].heads[0].W_V is missing", "expected name, source, W_Q, W_K, W_V")


def test_a_name_below_the_layers_belongs_to_them():
    block = re.search(r"^W_LM_head = \[.*?^\]$", TEXT, flags=re.M | re.S)[0]
    refused(TEXT.replace(block, "") + block, "W_LM_head is missing", "write it above")


def test_too_many():
    refused(
        re.sub(r"^vocabulary = .*", f"vocabulary = {[f'w{i}' for i in range(65)]}", TEXT, flags=re.M), "1 to 64 words"
    )
    refused(TEXT + "[[layers]]\n" * 12, "layers must be 1 to 12 tables", "got 13")
    refused(
        TEXT + "[[layers.heads]]\n" * 10, "layers[0].heads must be 1 to 12 tables, each under [[layers.heads]]", "13"
    )
    refused("vocabulary = ['a']\nW_E=[[1]]\nW_P=[[1]]\nW_LM_head=[[1]]\nlayers=[]", "layers must be 1 to 12", "got 0")


def test_hostile_files():
    refused(TEXT + "#" * 8192, "8,192 bytes")
    refused("".join(f"a.b{i}.c = 1\n" for i in range(20_000)), "8,192 bytes")
    refused("a." * 4000 + "b = 1", "a is not a name of this file")
    refused("a" * 4000 + " = 1", "aaa… is not a name of this file")
    deep = ".a" * 2500 + " = 1"
    refused(changed("W_E = [", f"W_E{deep}\nrest = ["), "rest is not a name")
    refused(changed("vocabulary = [", f"vocabulary = [{{x{deep}}}]\nrest = ["), "rest is not")
    refused("W_E = " + "[" * 8000, "two brackets at most")
    refused("W_E = " + "[" * 4000 + "]" * 4000, "two brackets at most")
    refused("\n".join(f"k{i}=1" for i in range(900)), "k0 is not a name")
    refused(b"\xff\xfeW\x00", "UTF-8")
    refused("", "vocabulary is missing")
    refused("layers = 3\nvocabulary = 1\nW_E = 1\nW_P = 1\nW_LM_head = 1", "vocabulary must be a list")


@pytest.mark.parametrize("source", [3, True, 1.5, [], "/no/such/file", "", ".", "a\0b"])
def test_refuses_a_source_that_is_no_file(source):
    with pytest.raises(ValueError, match="source must be"):
        load_weights(source)
