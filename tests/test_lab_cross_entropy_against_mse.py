import pytest


def bars(at) -> list[list[float]]:
    return [chart.data[0]["y"] for chart in at.charts.values() if chart.data[0]["type"] == "bar"]


def test_a_confident_mistake_moves_cross_entropy_only(app):
    marks = app("cross_entropy_against_mse").click("A confident mistake").charts["pull"].data[-1]
    assert marks["y"][3] == pytest.approx(-1, abs=1e-5)  # row 3 under cross-entropy
    assert abs(marks["y"][7]) < 1e-5  # and under MSE


def test_the_wrong_denominator_stands_beside_the_right_one(app):
    at = app("cross_entropy_against_mse", {"cross_entropy_against_mse.masked": "row 3"})
    for *rows, mean, wrong in bars(at):
        assert mean == pytest.approx(sum(rows[:3]) / 3)
        assert wrong == pytest.approx(sum(rows[:3]) / 4)
    gradients = at.charts["gradients"].data
    assert [None] * 5 in gradients[1]["z"]  # hatched: a masked row gets no gradient


def test_nothing_counts_is_said_and_the_curves_stay(app):
    masked = [f"row {i}" for i in range(4)]
    at = app("cross_entropy_against_mse").set(masked=masked)
    assert "the mean over no rows is undefined" in at.texts("error")[0]
    assert len(at.charts) == 2
    assert not at.exception


def test_smoothing_makes_row_0_too_sure(app):
    assert "is pulled down" in app("cross_entropy_against_mse").click("Too sure").words()


def test_equal_rows_share_one_name_and_hide_nothing(app):
    at = app("cross_entropy_against_mse")
    assert "hides that row 3 alone makes up 70 % of the sum" in at.words()
    assert "hides nothing" in at.click("No idea").words()
    assert [name for name in at.charts["cost"].data[-1]["text"] if name] == ["rows 0, 1, 2, 3"]
