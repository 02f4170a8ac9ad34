import legal
import numpy as np
import pytest

from engine.weights import dump_weights, load_weights, matrices
from engine.weights.file import MAX_BYTES, PATH
from engine.weights.layout import _fewest, render, shortest

MODELS = [*legal.ends().values(), *legal.at_random(12)]


def test_the_layout_is_the_repositorys_row_by_row():
    assert render(load_weights()) == PATH.read_text("utf-8")


def test_every_digit_survives_and_columns_line_up():
    w = load_weights()
    precise = w._replace(W_E=np.where(w.W_E == 0.43, 0.1234567890123456, -w.W_E))
    text = render(precise)
    assert "0.1234567890123456" in text
    assert np.array_equal(load_weights(text.encode()).W_E, precise.W_E)
    rows = text.split("W_E = [\n")[1].split("\n]\n")[0].splitlines()
    assert len(rows) == len(precise.W_E)
    assert len({row.index(",") for row in rows}) == 1


def test_words_that_toml_must_escape_come_back():
    w = load_weights()._replace(vocabulary=('a"b', "c\\d", "é", "🙂", "#x"))
    assert load_weights(render(w).encode()).vocabulary == w.vocabulary


@pytest.mark.parametrize("toml", MODELS)
def test_whatever_a_file_can_hold_can_be_written_back_into_one(toml):
    weights = load_weights(toml.encode())
    assert len(shortest(weights).encode()) <= len(toml.encode())
    for text in (shortest(weights), dump_weights(weights)):
        assert len(text.encode()) <= MAX_BYTES
        back = load_weights(text.encode())
        assert (back.vocabulary, len(back.layers)) == (weights.vocabulary, len(weights.layers))
        assert all(np.array_equal(array, matrices(weights)[name]) for name, array in matrices(back).items())


@pytest.mark.parametrize(
    ("number", "text"),
    [(1e155, "1e155"), (-1e-5, "-1e-5"), (1e5, "1e5"), (-0.0, "-0.0"), (0.0, "0"), (1.5, "1.5"), (1e22, "1e22")]
    + [(4503599627370495.0, "0xfffffffffffff"), (1.7e308, "17e307"), (5e-324, "5e-324"), (0.001, "1e-3")],
)
def test_a_number_takes_the_fewest_letters(number, text):
    assert _fewest(number) == text
    assert str(number) == str(float.fromhex(text) if text.startswith("0x") else float(text))
