import json

import pytest


def specs(at) -> list[dict]:
    return [json.loads(json.loads(e.proto.json)["spec"]) for e in at.get("bidi_component") if '"spec"' in e.proto.json]


def words(at) -> str:
    return " ".join(m.value for m in at.markdown)


def bars(at) -> list[list[float]]:
    return [spec["data"][0]["y"] for spec in specs(at) if spec["data"][0]["type"] == "bar"]


def test_a_confident_mistake_moves_cross_entropy_only(app):
    at = app("cross_entropy_against_mse")
    at.button(key="cross_entropy_against_mse.try.A confident mistake").click().run()
    _, pull, *_ = specs(at)
    marks = pull["data"][-1]
    assert marks["y"][3] == pytest.approx(-1, abs=1e-5)  # row 3 under cross-entropy
    assert abs(marks["y"][7]) < 1e-5  # and under MSE


def test_the_wrong_denominator_stands_beside_the_right_one(app):
    at = app("cross_entropy_against_mse", {"cross_entropy_against_mse.masked": "row 3"})
    for *rows, mean, wrong in bars(at):
        assert mean == pytest.approx(sum(rows[:3]) / 3)
        assert wrong == pytest.approx(sum(rows[:3]) / 4)
    gradients = specs(at)[-1]["data"]
    assert [None] * 5 in gradients[1]["z"]  # hatched: a masked row gets no gradient


def test_nothing_counts_is_said_and_the_curves_stay(app):
    masked = [f"row {i}" for i in range(4)]
    at = app("cross_entropy_against_mse")
    at.session_state["cross_entropy_against_mse.masked"] = masked
    at.run()
    assert "the mean over no rows is undefined" in at.error[0].value.replace("\\", "")
    assert len(specs(at)) == 2
    assert not at.exception


def test_smoothing_makes_row_0_too_sure(app):
    at = app("cross_entropy_against_mse")
    at.button(key="cross_entropy_against_mse.try.Too sure").click().run()
    assert "is pulled down" in words(at)


def test_equal_rows_share_one_name_and_hide_nothing(app):
    at = app("cross_entropy_against_mse")
    assert "hides that row 3 alone makes up 70 % of the sum" in words(at)
    at.button(key="cross_entropy_against_mse.try.No idea").click().run()
    assert "hides nothing" in words(at)
    assert [name for name in specs(at)[0]["data"][-1]["text"] if name] == ["rows 0, 1, 2, 3"]
