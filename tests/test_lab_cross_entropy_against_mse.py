import pytest

from ui.words import bare

SLUG = "cross_entropy_against_mse"


def bars(at) -> list[list[float]]:
    return [chart.data[0]["y"] for chart in at.charts.values() if chart.data[0]["type"] == "bar"]


def test_a_confident_mistake_moves_cross_entropy_only(app):
    at = app(SLUG).click("A confident mistake")
    marks = at.charts["steep"].data[-1]
    assert marks["y"][3] == pytest.approx(-1, abs=1e-5)  # row 3 under cross-entropy
    assert abs(marks["y"][7]) < 1e-5  # and under MSE
    said = (
        "From confidence 1 to 2 row 3's gradient by its right logit went from −0.999 to **−1.000** under cross-entropy"
    )
    assert f"{said} and from −0.001 to **−6.65e−07** under MSE." in at.words()


def test_the_wrong_denominator_stands_beside_the_right_one(app):
    at = app(SLUG, {f"{SLUG}.masked": "row 3"})
    for *rows, mean, wrong in bars(at):
        assert mean == pytest.approx(sum(rows[:3]) / 3)
        assert wrong == pytest.approx(sum(rows[:3]) / 4)
    gradients = [trace for trace in at.charts["gradients"].data if trace["type"] == "heatmap"]
    assert [None] * 5 in gradients[2]["z"]  # hatched: a masked row gets no gradient
    assert "mean ÷ 3" in at.charts["rows_way_1"].layout["title"]["text"]


def test_no_wrong_bar_stands_where_both_are_right(app):
    for *rows, mean in bars(app(SLUG)):
        assert len(rows) == 4
        assert mean == pytest.approx(sum(rows) / 4)


def test_nothing_counts_is_said_and_the_curves_stay(app):
    masked = [f"row {i}" for i in range(4)]
    at = app(SLUG).set(masked=masked)
    assert "the mean over no rows is undefined" in at.texts("error")[0]
    assert len(at.charts) == 2
    assert not at.exception


def test_smoothing_makes_row_0_too_sure(app):
    words = app(SLUG).click("Too sure").words()
    assert "should get 0.840, not 1: row 0, at 0.967, has the gradient +0.127: a step lowers its logit." in words
    assert "MSE is taken against the unsmoothed target" in words
    assert "the right one keeps 0.840 | fairseq: the 4 others, it keeps 0.800" in words


def test_equal_rows_share_one_name_and_hide_nothing(app):
    at = app(SLUG)
    assert "hides that row 3 alone makes up 70 % of the sum" in at.words()
    assert "hides nothing" in at.click("No idea").words()
    assert "With every class at p = 0.2 a row costs log 5 = **1.609**" in at.words()
    assert "rows 0, 1, 2 and 3 have the lowest probability" in at.words()
    assert [name for name in at.charts["cost"].data[-1]["text"] if name] == ["rows 0, 1, 2 and 3"]


def test_tied_rows_share_the_blame(app):
    logits = "0 0 0 0 0\n9 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0"
    words = app(SLUG, {f"{SLUG}.logits": logits, f"{SLUG}.targets": "A A A A"}).words()
    assert "The mean hides that rows 0, 2 and 3 make up 33 % of the sum each." in words


def test_one_cell_has_one_number_and_its_reason(app):
    at = app(SLUG)
    of_mean = at.charts["gradients"].heatmaps[2][3, 3]
    assert of_mean == pytest.approx(-0.24977, abs=1e-5)
    assert "own loss by that logit is **−0.999** under cross-entropy and **−0.001** under MSE" in at.words()
    assert "divided by the 4 rows that count, −0.250 under cross-entropy" in at.words()
    assert r"\frac{-0.9991}{4} = -0.2498" in at.words().replace(r"\nobreak", "")


def test_a_masked_row_is_not_said_to_be_moved(app):
    at = app(SLUG).click("What the mean hides")
    assert "Of the rows that count, row 2 has the lowest probability" in at.words()
    assert "Row 3 is masked: no mean depends on its logits" in at.words()
    assert (
        "Divided by the 3 that count the mean is **1.003**, divided by all 4 it would be 0.753: too small."
        in at.words()
    )
    alone = app(SLUG).set(masked=["row 0", "row 1", "row 2"])
    assert "Divided by the 1 that counts" in alone.words()
    assert "Only row 3 counts, so the mean is its loss." in alone.words()


def test_the_gradient_of_any_cell_is_worked_out(app):
    at = app(SLUG, {f"{SLUG}.row": "row 0", f"{SLUG}.of_class": "B"})
    assert at.charts["gradients"].clickable
    assert "The gradient of row 0's own loss by its logit of B" in at.words()
    by_ce, by_mse = at.charts["gradients"].heatmaps[2:]
    written = "".join(at.texts("latex")).replace(r"\nobreak", "")
    assert bare(by_ce[0, 1]) in written
    assert bare(by_mse[0, 1]) in written


def test_no_bar_leaves_its_chart(app):
    steep = {f"{SLUG}.scale": "2", f"{SLUG}.logits": "5 0 1 -1 0\n0.5 1.5 0 1 0\n1 2 0.5 0 -0.5\n12 1 0 -1 -1"}
    at = app(SLUG, steep)
    assert max(bars(at)[0]) == pytest.approx(26, abs=1e-3)
    assert at.charts["rows_way_1"].layout["yaxis"]["range"] == [0, 100]
    assert app(SLUG).charts["rows_way_1"].layout["yaxis"]["range"] == [0, 16]
    assert "Above the 8 nats that the first chart shows: row 3 with 26.000." in at.words()


def test_class_weights_divide_the_mean(app):  # torch.nn.CrossEntropyLoss(weight): 1.05983, not 5.29915 (pytorch#25571)
    rows = "0.2 0.3 0.5 -20 -20\n0.5 0.2 0.3 -20 -20\n0 0 0 0 0\n0 0 0 0 0"
    link = {"logits": rows, "targets": "C B A A", "weights": "2 4 6 1 1", "masked": ["row 2", "row 3"]}
    at = app(SLUG, {f"{SLUG}.{name}": value for name, value in link.items()}).unfold("take_away")
    assert at.numbers["ce"] == pytest.approx(1.05983, abs=2e-5)
    assert "count, 10 in all: **1.060**. Divided by 2 rows it would be 5.299." in at.words()
    assert "10 in all, as PyTorch: 1.060 | Keras: the number of rows that count, 2: 5.299" in at.words()


def test_perplexity_is_e_to_the_mean(app):
    at = app(SLUG).click("No idea")
    assert "a perplexity of e^mean = **5.000**" in at.words()
    assert at.unfold("take_away").numbers["perplexity"] == pytest.approx(5)


def test_a_gradient_that_stays_is_not_compared_with_itself(app):
    at = app("cross_entropy_against_mse").click("A confident mistake")
    assert "From confidence 1 to 2 row 3's gradient" in at.words()
    assert "From confidence 1 to" not in at.set(logits="\n".join(["0 0 0 0 0"] * 4)).words()


def test_a_row_whose_class_weighs_nothing_does_not_count(app):
    at = app("cross_entropy_against_mse").set(weights="1 1 1 0 1")
    assert "Of the rows that count, row 2 has the lowest probability" in at.words()
    assert "Every row counts" not in at.words()


def test_a_question_has_the_answer_worked_out_by_hand(app):
    words = app(SLUG).ask("What the mean hides").predict((0.034 + 0.884 + 2.092) / 3).press("ask_show").words()
    assert "**Right.** Three rows count: 0.034, 0.884 and 2.092 over 3 is 1.003, 2.505 with row 3." in words
