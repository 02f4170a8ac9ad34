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
    assert values["words.0", ""] == "=1+1"


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
