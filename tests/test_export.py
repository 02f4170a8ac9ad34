import csv as csv_module
import io
import json
from typing import NamedTuple

import numpy as np
import pytest

from ui.page import export


class Trace(NamedTuple):
    out: np.ndarray
    loss: float
    none: None
    parts: tuple
    words: list


TRACE = Trace(np.array([[0.1, -np.inf], [np.nan, 1 / 3]]), 2, None, (np.arange(2), {"x": True}), ["=1+1", 'a,"b"'])


def test_a_nested_trace_becomes_flat_names():
    assert list(export.flat(TRACE)) == ["out", "loss", "parts.0", "parts.1.x", "words.0", "words.1"]
    assert list(export.flat({"trace": TRACE, "none": None})) == [f"trace.{name}" for name in export.flat(TRACE)]


def test_csv_keeps_every_digit_and_every_word():
    table = export.flat(TRACE)
    text = export.as_csv(table)
    rows = list(csv_module.reader(io.StringIO(text)))
    assert rows[0] == ["name", "index", "value"]
    assert all(len(row) == 3 for row in rows)
    values = {(name, index): value for name, index, value in rows[1:]}
    assert float(values["out", "1 1"]) == 1 / 3
    assert values["out", "0 1"] == "-inf"
    assert values["words.1", ""] == 'a,"b"'
    assert values["words.0", ""] == "'=1+1"


@pytest.mark.parametrize("word", ["=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", '=HYPERLINK("//ab.co")'])
def test_no_word_in_the_csv_is_a_formula(word):
    table = {"words": np.array([word]), "-name": 1}
    (_, _, cell), (name, _, number) = list(csv_module.reader(io.StringIO(export.as_csv(table), newline="")))[1:]
    assert (cell, name, number) == (f"'{word}", "'-name", "1")
    assert json.loads(export.as_json(table))["words"] == [word]


@pytest.mark.parametrize("word", ["don't", "'", '"', r"a\b", "a\u202eb", "é🙂", "1,5", "a=b", "inf", " x ", "a\rb"])
def test_every_other_word_in_the_csv_is_itself(word):
    rows = list(csv_module.reader(io.StringIO(export.as_csv({"one": word, "several": np.array([word, word])}))))
    assert [cell for _, _, cell in rows[1:]] == [word] * 3


@pytest.mark.parametrize("value", [-0.1, -3, np.float64(-1e-300), float("-inf"), np.int64(-2)])
def test_negative_numbers_stay_numbers(value):
    rows = list(csv_module.reader(io.StringIO(export.as_csv({"x": value}))))
    assert float(rows[1][2]) == value


def test_json_is_json():
    back = json.loads(export.as_json(export.flat(TRACE)))
    assert back["out"] == [[0.1, "-inf"], ["nan", 1 / 3]]
    assert (back["loss"], back["parts.0"], back["parts.1.x"]) == (2, [0, 1], True)


@pytest.mark.parametrize(
    "value",
    [
        np.array([[1.0, -0.25], [np.inf, -np.inf]]),
        np.array([np.inf, np.nan]),
        np.array([True, False]),
        np.array(["inf", "a"]),
        np.array(["], [", "a"]),
        np.float64(0.1),
        1e-300,
        float("-inf"),
        "text",
        ["a", "b"],
        True,
        3,
        (1, 2),
    ],
    ids=repr,
)
def test_inputs_become_literals_that_are_the_inputs(value):
    code = export.snippet("y = x", {"x": value})
    names: dict = {}
    exec(code, names)
    np.testing.assert_array_equal(names["y"], value)
    assert code.startswith("import numpy as np\n\nx = ")
