import numpy as np

from engine.weights import load_weights
from engine.weights.file import PATH
from engine.weights.layout import render


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
