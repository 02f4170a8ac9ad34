from types import SimpleNamespace

import numpy as np

from ui.labs.gradient_by_depth import beyond, unchanged, within_ten


def band(*norms, strayed=0.5):
    norms = np.array(norms)
    return SimpleNamespace(
        lowest=norms, highest=2 * norms, activation_middle=norms, ratio=norms[0] / norms[-1], strayed=strayed
    )


def said(pairs: list) -> list[str]:
    return [sentence for claim, sentence in pairs if claim]


def test_exact_and_rounded_are_two_things():
    bands = {"a": band(1.0, 1.0, strayed=0.0), "b": band(1.0, 1.0, strayed=2e-16), "c": band(0.5, 1.0)}
    assert said(unchanged(bands)) == [
        "Exactly 1 at every layer and for every seed: **a**.",
        "1 at every layer and for every seed, up to rounding: **b**.",
    ]
    assert said(unchanged({"c": bands["c"]})) == ["No arrangement here passes the gradient on unchanged."]


def test_ten_times_either_way():
    bands = {"a": band(0.1, 1.0), "b": band(20.0, 1.0)}
    assert within_ten(bands).endswith("with **a 0.100**, not with b 20.000.")
    assert within_ten({"a": bands["a"]}).endswith("with **a 0.100**.")
    assert within_ten({"b": bands["b"]}).startswith("No gradient")


def test_nought_is_not_beyond_the_chart():
    assert len(said(beyond({"a": band(0.0, 1.0)}, 1e-4, 1e4, more=True))) == 1
    assert said(beyond({"a": band(1e-5, 1.0)}, 1e-4, 1e4, more=True))[0].endswith("show more powers of ten.")
    assert said(beyond({"a": band(6e3, 1.0)}, 1e-4, 1e4, more=True)) == [
        "Parts of a leave the chart of gradients: show more powers of ten."
    ]
    assert said(beyond({"a": band(1.0, 1.0)}, 1e-4, 1e4, more=True)) == []
