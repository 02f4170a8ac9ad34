import numpy as np
import pytest

from ui.charts import theme
from ui.labs.cross_entropy_against_mse import curves, names, of_each_row, on_smoothing, on_the_mask, on_the_mean

BOTH = ([1.0, 0.5], [0.9, 0.8, 0.7]), ([0.4, 0.2], [0.3, 0.2, 0.1])
LOOK = {"names": ["rows 0, 2", "row 1", ""], "row": 1, "y_range": (0, 1)}


@pytest.mark.parametrize("named", [0, 1])
def test_one_loss_bears_the_names_and_both_mark_today(named):
    figure = curves("Loss", [0.1, 0.9], [0.2, 0.5, 0.2], BOTH, named=named, **LOOK).to_dict()
    *lines, dots = figure["data"]
    assert [(line["name"], line["line"]["dash"]) for line in lines] == [("cross-entropy", "solid"), ("MSE", "dash")]
    assert dots["y"] == [0.9, 0.8, 0.7, 0.3, 0.2, 0.1]
    assert dots["text"] == (LOOK["names"] + [""] * 3 if named == 0 else [""] * 3 + LOOK["names"])
    assert [at for at, colour in enumerate(dots["marker"]["color"]) if colour == theme.colour("today")] == [1, 4]


def test_a_dot_alone_has_its_own_name():
    assert names([(0,), (1, 3), (2,), (1, 3)]) == ["row 0", "rows 1, 3", "row 2", ""]


def test_masked_rows_are_grey_and_the_means_stand_last():
    mask = np.array([True, False])
    (bars, *_) = of_each_row("MSE", ["a", "b"], [1, 3], mask, mean=1.0, wrong=0.5, colour="way_2", top=4).data
    assert list(bars.y) == [1, 3, 1.0, 0.5]
    assert bars.marker.color[1] == theme.colour("masked") != bars.marker.color[0] == theme.colour("way_2")


def test_sentences_follow_their_numbers():
    assert on_the_mean(0, 2.0, 8.0, 2.0).startswith("hides nothing")
    assert on_the_mask([], 4, 1.0, 1.0).startswith("Every row counts")
    assert on_the_mask(["row 0", "row 2"], 2, 0.0, 0.0).endswith("it would be 0.000.")
    assert on_smoothing(0.0, 0, 1.0, 0.5, True).startswith("Without smoothing")
    assert on_smoothing(0.1, 0, 0.92, 0.5, True).endswith("is pulled up.")
    assert on_smoothing(0.1, 0, 0.92, 0.5, False).endswith("is masked and not pulled at all.")
