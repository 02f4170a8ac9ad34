from types import SimpleNamespace

import numpy as np
import pytest

from ui.charts import theme
from ui.labs import cross_entropy_against_mse as drawn

CURVE = SimpleNamespace(probability=[0.1, 0.9], cross_entropy=[1.0, 0.5], mean_squared_error=[0.4, 0.2])
POINT = SimpleNamespace(probability=[0.2, 0.5, 0.2], cross_entropy=[0.9, 0.8, 0.7], mean_squared_error=[0.3, 0.2, 0.1])
NAMES = ["rows 0 and 2", "row 1", ""]


@pytest.mark.parametrize("named", [0, 1])
def test_one_loss_bears_the_names_and_both_mark_the_row(named):
    view = drawn.VIEWS["cost"]._replace(named=named)
    *lines, dots = drawn.curves(view, CURVE, POINT, names=NAMES, row=1).to_dict()["data"]
    assert [(line["name"], line["line"]["dash"]) for line in lines] == [("cross-entropy", "solid"), ("MSE", "dash")]
    assert dots["y"] == [0.9, 0.8, 0.7, 0.3, 0.2, 0.1]
    assert dots["text"] == (NAMES + [""] * 3 if named == 0 else [""] * 3 + NAMES)
    assert [at for at, colour in enumerate(dots["marker"]["color"]) if colour == theme.colour("today")] == [1, 4]
    assert view.spots(POINT)[1] == (0.5, [0.8, 0.2][named] / 8)
    assert view.alt(POINT, 1).endswith("Row 1: 0.800 under cross-entropy, 0.200 under MSE.")


def test_a_dot_alone_has_its_own_name():
    assert drawn.names([(0,), (1, 3), (2,), (1, 3)]) == ["row 0", "rows 1 and 3", "row 2", ""]


def means(total, counted, rows=4, divisor=None):
    divisor = divisor or counted
    return SimpleNamespace(
        total=total, rows=rows, counted=counted, divisor=divisor, wrong=total / rows, out=total / divisor
    )


def said(pairs: list) -> list[str]:
    return [sentence for claim, sentence in pairs if claim]


def test_masked_rows_are_grey_and_the_means_stand_last():
    mask = np.array([True, False])
    look = {"colour": "way_2", "top": 4}
    (bars, *_) = drawn.of_each_row("MSE", ["a", "b"], [1, 3], mask, means(1.0, 1, rows=2), **look).data
    assert list(bars.y) == [1, 3, 1.0, 0.5]
    assert bars.marker.color[1] == theme.colour("masked") != bars.marker.color[0] == theme.colour("way_2")


@pytest.mark.parametrize(("highest", "top"), [(15, 16), (16, 100), (300, 1000)])
def test_a_chart_of_bars_ends_where_they_fit(highest, top):
    figure = drawn.of_each_row("CE", ["a"], [highest], [True], means(highest, 1, rows=1), colour="way_1")
    assert figure.to_dict()["layout"]["yaxis"]["range"] == [0, top]


def test_sums_have_weights_only_where_there_are_some():
    args = [1.0, 0.0], 0, [0.25, 0.75]
    assert drawn.sums(*args, [1.0, 1.0], 1.386, 0.5625)[0].endswith(r"-(1 \cdot \log (0.250)) = 1.386")
    assert r"2 \cdot 1 \cdot \log (0.250)" in drawn.sums(*args, [2.0, 1.0], 2.773, 0.5625)[0]
    assert "-(0)" in drawn.sums(*args, [0.0, 1.0], 0.0, 0.5625)[0]


def test_sentences_follow_their_numbers():
    assert said(drawn.on_the_mean((0, 1), 2.0, means(4.0, 2)))[0].startswith("The mean hides nothing")
    assert said(drawn.on_the_mean((3,), 6.0, means(8.0, 4))) == [
        "The mean hides that row 3 alone makes up 75 % of the sum."
    ]
    assert said(drawn.on_the_mean((3,), 6.0, means(6.0, 1))) == ["Only row 3 counts, so the mean is its loss."]
    assert said(drawn.on_the_mask([], means(4.0, 4)))[0].startswith("No row is masked")
    assert said(drawn.on_the_mask(["row 0", "row 2"], means(0.0, 2)))[0].endswith("it would be 0.000.")
    assert said(drawn.on_smoothing(0.0, 0, 1.0, 0.5, -0.5, True))[0].startswith("Without smoothing")
    assert said(drawn.on_smoothing(0.1, 0, 0.92, 0.5, -0.42, True))[0].endswith("a step raises its logit.")
    assert "masked and gets no gradient" in said(drawn.on_smoothing(0.1, 0, 0.92, 0.5, -0.42, False))[0]
    assert drawn.on_weights([2.0, 1.0], means(8.0, 2, divisor=3))[1].startswith("Each loss is multiplied")
    assert not drawn.on_weights([1.0, 1.0], means(8.0, 2))[0]
