"""What the softmax lab says at the states where it once said something false."""

import numpy as np
import pytest

LAB = "softmax"


def words(app, **link):
    return app(LAB, {f"{LAB}.{name}": str(value) for name, value in link.items()}).words()


def test_a_saturated_softmax_starves_one_loss_and_not_the_other(app):
    told = words(app, scale=20, target="z0", temperature=1)
    assert "a loss on the probabilities themselves" in told
    assert "its gradient **20.000** at most" in told
    assert "That is not small" in told


@pytest.mark.parametrize(
    ("link", "fates"),
    [
        ({"shift": -800}, "every exp is 0, and 0 / 0 is no number in float16, float32 and float64"),
        ({"shift": -20}, "off by as much as **0.408** in float16"),
        ({"scale": 0, "shift": 10}, "the sum overflows, so every probability is 0 in float16; right"),
        ({"shift": 800}, "exp overflows, and ∞ / ∞ is no number in float16, float32 and float64"),
        ({}, "right to within 0.008 in float16, float32 and float64"),
    ],
)
def test_softmax_without_the_shift_is_told_as_it_comes_out(app, link, fates):
    assert fates in words(app, temperature=1, **link)


def test_the_scale_counts_in_a_slope_as_the_temperature_does(app):
    hot, scaled = (app(LAB, {f"{LAB}.temperature": t, f"{LAB}.scale": s}) for t, s in (("0.5", "1"), ("1", "2")))
    np.testing.assert_allclose(hot.matrices["Jacobian ∂p / ∂z"], scaled.matrices["Jacobian ∂p / ∂z"], atol=1e-12)
    assert "No logit can move a probability: every slope in the Jacobian is **0.000**" in words(app, scale=0)


def test_presets_are_answered(app):
    at = app(LAB)
    assert "go towards 1/8 = **0.125**; now the least is 0.097" in at.click("Hot").words()
    assert "changes no probability" in at.click("A shift of 800").words()
    everything = at.click("Everything masked").words()
    assert "the probabilities sum to **0.000**" in everything
    assert "The largest, " not in everything
    assert "log 0" not in everything
    peaked = at.click("As peaked as it gets").words()
    assert "more than **4.12e−08** a unit (0.242 at scale 1)" in peaked


def test_a_masked_right_class_is_a_convention(app):
    told = words(app, masked="z7")
    assert "its loss is **∞**" in told
    assert "PyTorch's cross_entropy: loss ∞, gradient −1 · scale / T = −0.500 at it" in told


def test_a_click_on_the_jacobian_chooses_the_cell_that_is_written_out(app):
    at = app(LAB, {f"{LAB}.target": "z2", f"{LAB}.moved": "z5"})
    assert any(formula.count(r"\partial p_2}{\partial z_5}") for formula in at.texts("latex"))
    assert any(r"\partial (-\log p_2)}{\partial z_5}" in formula for formula in at.texts("latex"))


def test_nothing_is_compared_with_itself(app):
    at = app(LAB, {f"{LAB}.temperature": "1"})
    assert [trace["name"] for trace in at.charts["probs"].data] == ["now, T = 1"]
    assert "1/T forgotten" not in at.words()
    assert len(app(LAB).charts["probs"].data) == 2


def test_the_program_makes_loss_gradient_and_entropy(app):
    for link in ({}, {"masked": "z7"}, {"scale": "3.5", "temperature": "0.7", "target": "z1"}):
        at = app(LAB, {f"{LAB}.{name}": value for name, value in link.items()}).unfold("take_away")
        made, numbers = at.computed(), at.numbers
        for name in ("shifted", "exps", "out", "jacobian", "entropy", "grad"):
            wanted = np.array(numbers[name], float)
            found = np.array(made[name], float)
            assert np.allclose(found[np.isfinite(found)], wanted[np.isfinite(found)], rtol=1e-9, atol=1e-15), name
