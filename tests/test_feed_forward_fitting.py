import numpy as np
import pytest

from engine.feed_forward import ACTIVATIONS, CURVES, curve_points, feed_forward, fit_curve, fit_widths


def fit(width, activation="relu", seed=0, curve="wave"):
    return fit_curve(*curve_points(curve), width, activation=activation, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_fit_is_a_feed_forward_layer(activation):
    trace = fit(6, activation)
    x = curve_points("wave").x[:, None]
    W_2, b_2 = trace.coefficients[:-1, None], trace.coefficients[-1:]
    again = feed_forward(x, trace.W_1, trace.b_1, W_2, b_2, activation=activation)
    np.testing.assert_allclose(again.out[:, 0], trace.out, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(again.activated, trace.activated)
    assert trace.rmse == pytest.approx(np.sqrt(np.mean((trace.out - curve_points("wave").y) ** 2)))


@pytest.mark.parametrize("activation", ["relu", "gelu", "tanh"])
def test_a_wider_layer_of_the_same_seed_is_never_worse(activation):
    errors = [fit(width, activation).rmse for width in (1, 2, 4, 8, 16, 32)]
    assert (np.diff(errors) <= 1e-9).all()
    assert errors[-1] < errors[0] / 5
    np.testing.assert_array_equal(fit(4, activation).W_1, fit(8, activation).W_1[:, :4])


def test_width_buys_nothing_without_an_activation():
    straight = np.polyval(np.polyfit(*curve_points("wave"), 1), curve_points("wave").x)
    for width in (1, 32):
        np.testing.assert_allclose(fit(width, "identity").out, straight, rtol=0, atol=1e-12)


def test_residual_is_orthogonal_to_every_unit():
    trace = fit(8)
    np.testing.assert_allclose((trace.out - curve_points("wave").y) @ trace.activated, 0, atol=1e-9)


def test_curves_have_points():
    for name in CURVES:
        assert np.isfinite(curve_points(name, 50).y).all()
        assert curve_points(name, 50).x.shape == curve_points(name, 50).y.shape == (50,)


def test_size_of_y_scales_the_error():
    x, y = curve_points("hat")
    small, large = (fit_curve(x, y * s, 3, activation="tanh", rng=np.random.default_rng(1)).rmse for s in (1, 1e300))
    assert large / 1e300 == pytest.approx(small, rel=1e-9)
    assert fit_curve(x, y * 0, 3, activation="tanh", rng=np.random.default_rng(1)).rmse == 0


def test_refuses_bad_input(rng):
    for x, y, message in (
        ([1, 2], [1], "y must have shape"),
        ([2, 2], [1, 2], "range of x"),
        ([-1e308, 1e308], [1, 2], "range of x"),
        ([2], [1], "two points"),
        ([], [], "two points"),
        ([1, np.nan], [1, 2], "x needs a finite"),
        ("ab", [1, 2], "x must"),
    ):
        with pytest.raises(ValueError, match=message):
            fit_curve(x, y, 3, activation="relu", rng=rng)
    for width in (0, 1.5, None, True):
        with pytest.raises(ValueError, match="width"):
            fit_curve([1, 2], [1, 2], width, activation="relu", rng=rng)
    with pytest.raises(ValueError, match="rng must be a numpy Generator"):
        fit_curve([1, 2], [1, 2], 3, activation="relu", rng=0)
    with pytest.raises(ValueError, match="activation"):
        fit_curve([1, 2], [1, 2], 3, activation="step", rng=rng)
    with pytest.raises(ValueError, match="name must be one of"):
        curve_points("sine")


def test_several_widths_are_each_alone():
    points = curve_points("wave")
    fits = fit_widths(points.x, points.y, [4, 8, 12], activation="relu", seed=1)
    for width, fit in zip((4, 8, 12), fits, strict=True):
        alone = fit_curve(*points, width, activation="relu", rng=np.random.default_rng(1))
        assert fit.rmse == alone.rmse
        assert (fit.out == alone.out).all()
