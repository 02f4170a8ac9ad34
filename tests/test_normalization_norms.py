import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near import within

from engine.normalization import (
    RunningStatistics,
    batch_norm,
    batch_norm_inference,
    layer_norm,
    layer_norm_backward,
    layer_norm_slopes,
    layer_norm_stages,
    restoring_parameters,
    rms_norm,
    running_statistics,
)

HALVES = [-1.3416407865, -0.4472135955, 0.4472135955, 1.3416407865]


close = within(5e-6, relative=True)


def test_agrees_with_pytorch(reference):
    for case in reference("normalization")["cases"]:
        x, gamma, beta, eps = case["x"], case["gamma"], case["beta"], case["eps"]
        close(layer_norm(x, gamma, beta, eps=eps).out, case["layer_norm"], 1e-12)
        close(rms_norm(x, gamma, eps=eps).out, case["rms_norm"], 1e-12)
        close(rms_norm(x, gamma, eps=None).out, case["rms_norm_own_eps"], 1e-12)
        close(rms_norm(x, gamma, eps=eps, one_plus=True).out, case["gemma"], 3e-6)  # linkedin/Liger-Kernel#74
        for ours, theirs in zip(layer_norm_backward(case["d_out"], x, gamma, eps=eps), case["grads"], strict=True):
            close(ours, theirs, 1e-11)  # one case is a row whose spread is a thousandth of its mean


def test_a_weight_of_one_plus_gamma():
    assert rms_norm([3, 4], one_plus=True).out.tolist() == rms_norm([3, 4]).out.tolist()
    close(rms_norm([3, 4], [0.5, 0], one_plus=True).out, rms_norm([3, 4], [1.5, 1]).out, 1e-15)
    assert rms_norm([0, 0], eps=None).out.tolist() == [0, 0]
    with pytest.raises(ValueError, match="one_plus"):
        rms_norm([1, 2], one_plus=1)


def test_variance_is_biased_and_eps_inside_the_root():  # annotated-transformer#119
    close(layer_norm([1, 0, 0, 0]).out, [1.73200, -0.57733, -0.57733, -0.57733])


def test_root_of_the_variance_not_its_square():  # TPlinker-joint-extraction#37
    trace = layer_norm([1, 2, 3, 4], eps=0)
    close(trace.out, HALVES, 1e-9)
    assert (trace.mean.tolist(), trace.variance.tolist()) == ([2.5], [1.25])


def test_axes_are_kept():
    x = np.arange(12.0).reshape(3, 4)
    assert layer_norm(x).mean.shape == rms_norm(x).variance.shape == (3, 1)
    assert batch_norm(x).mean.shape == batch_norm(x).variance.shape == (1, 4)
    assert rms_norm(x).mean.tolist() == [[0], [0], [0]]
    assert rms_norm([[3, 4]]).variance.tolist() == [[12.5]]


def test_stages_lead_from_the_row_to_the_result():
    stages = layer_norm_stages([2, 4, 9], [1, 2, 3], [1, 0, -1], eps=0.5)
    assert stages.centred.tolist() == [-3, -1, 4]
    close(stages.deviation, np.sqrt(26 / 3 + 0.5), 1e-15)
    close(stages.normalized, stages.centred / stages.deviation, 1e-15)
    close(stages.scaled, stages.normalized * [1, 2, 3], 1e-15)
    close(stages.out, stages.scaled + [1, 0, -1], 1e-15)


@pytest.mark.parametrize("constant", [7.0, 0.1, 1e308, -3e-310, 0.0])
def test_constant_row(constant):  # tensorflow#61287
    trace = layer_norm([constant] * 3, beta=[1, 2, 3])
    assert (trace.normalized == 0).all()
    assert trace.out.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="eps must be above 0 here: x has variance 0"):
        layer_norm([constant] * 3, eps=0)


def test_no_variance_is_refused_by_name():
    with pytest.raises(ValueError, match=r"row \[1\]"):
        layer_norm([[1, 2], [3, 3]], eps=0)
    with pytest.raises(ValueError, match="column 1"):
        batch_norm([[1, 5], [3, 5]], eps=0)
    with pytest.raises(ValueError, match=r"row \[0\]"):
        rms_norm([[0, 0], [3, 3]], eps=0)
    close(rms_norm([3, 3], eps=0).out, [1, 1], 1e-15)


def test_one_feature_and_one_row():  # pytorch#4534
    assert layer_norm([[5], [9]]).out.tolist() == [[0], [0]]
    close(batch_norm([[5], [9]]).out, [[-1], [1]])
    assert batch_norm([[5, 9]]).out.tolist() == [[0, 0]]


def test_gradient_of_a_constant_row():  # Flux.jl#2421
    close(layer_norm_backward([1, 0, 0, 0], [7, 7, 7, 7]).d_x, np.array([3, -1, -1, -1]) / 4 / np.sqrt(1e-5), 1e-12)


def test_gradient_loses_the_mean_and_the_normalised_direction(rng):  # annotated-transformer#1
    x = rng.normal(size=4)
    jacobian = np.array([layer_norm_backward(row, x, eps=0).d_x for row in np.eye(4)])
    close(jacobian @ np.ones(4), 0, 1e-14)
    close(jacobian @ layer_norm(x, eps=0).normalized, 0, 1e-14)
    assert np.linalg.matrix_rank(jacobian, tol=1e-10) == 2


def test_gradient_is_the_central_difference(rng):
    x, gamma, beta, d_out = rng.normal(size=(3, 5)), rng.normal(size=5), rng.normal(size=5), rng.normal(size=(3, 5))

    def loss(x, gamma, beta):
        return (d_out * layer_norm(x, gamma, beta).out).sum()

    arguments = [x, gamma, beta]
    for position, analytic in enumerate(layer_norm_backward(d_out, x, gamma)):
        for cell in np.ndindex(analytic.shape):
            ends = []
            for h in (1e-5, -1e-5):
                moved = [a.copy() for a in arguments]
                moved[position][cell] += h
                ends.append(loss(*moved))
            close(analytic[cell], (ends[0] - ends[1]) / 2e-5, 1e-8)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8), st.floats(1e-8, 1))
@settings(max_examples=50, deadline=None)
def test_restoring_parameters_restore(row, eps):
    gamma, beta = restoring_parameters(row, eps=eps)
    np.testing.assert_allclose(
        layer_norm(row, gamma, beta, eps=eps).out, row, rtol=1e-12, atol=1e-14 * max(map(abs, row))
    )


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1e308])
def test_size_of_the_numbers_does_not_matter(scale):
    x = np.array([[1.0, -1.0, 0.5, 0.0]]) * scale
    close(layer_norm(x, eps=0).out, layer_norm(x / scale, eps=0).out, 1e-3 if scale < 1e-310 else 1e-14)
    close(rms_norm(x, eps=0).out, rms_norm(x / scale, eps=0).out, 1e-3 if scale < 1e-310 else 1e-14)
    assert np.isfinite(layer_norm_backward([[1, 0, 0, 0]], x).d_x).all()
    assert np.isfinite(layer_norm(x, eps=1e308).out).all()


def test_input_is_left_alone(rng):
    x = rng.normal(size=(2, 3))
    before = x.copy()
    layer_norm(x), batch_norm(x), rms_norm(x), layer_norm_backward(x, x), running_statistics(x)
    assert (x == before).all()


@pytest.mark.parametrize("norm", [layer_norm, batch_norm, rms_norm])
@pytest.mark.parametrize(
    "bad", [None, 3.0, "a", [], [[]], np.zeros((0, 3)), [[1, np.nan]], [[np.inf, 1]], [[1, 2], [3]]]
)
def test_refuses_bad_input(norm, bad):
    with pytest.raises(ValueError, match="x "):
        norm(bad)


@pytest.mark.parametrize("norm", [layer_norm, batch_norm, rms_norm])
def test_refuses_bad_settings(norm):
    for eps in (-1e-5, np.nan, np.inf, "1", True, *(() if norm is rms_norm else (None,))):
        with pytest.raises(ValueError, match="eps"):
            norm([[1, 2], [3, 5]], eps=eps)
    with pytest.raises(ValueError, match=r"gamma must have shape \(2,\)"):
        norm([[1, 2], [3, 5]], [1, 2, 3])
    with pytest.raises(ValueError, match="out must stay inside float64"):
        norm([[0, 0, 9, 9, 9, 9]] + [[0] * 6] * 5, [1.7e308] * 6)


def test_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="matrix"):
        batch_norm([1, 2])
    with pytest.raises(ValueError, match="d_out must have shape"):
        layer_norm_backward([1, 2], [[1, 2]])
    with pytest.raises(ValueError, match="d_beta must stay"):
        layer_norm_backward([[1e308, 0], [1e308, 0]], [[1, 2], [1, 2]], [0, 0], eps=1)
    with pytest.raises(ValueError, match="vector"):
        restoring_parameters([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="momentum"):
        running_statistics([[1], [2]], momentum=2)
    for running in (None, 3, ([[0]], [[1]], [[1]])):
        with pytest.raises(ValueError, match="RunningStatistics"):
            batch_norm_inference([[1]], running)
    with pytest.raises(ValueError, match="at least 0"):
        batch_norm_inference([[1]], RunningStatistics([[0]], [[-1]]))
    with pytest.raises(ValueError, match="running mean must have shape"):
        batch_norm_inference([[1, 2]], RunningStatistics([[0]], [[1]]))


def test_slopes_of_one_output(rng):
    x, gamma = rng.normal(size=(2, 6))
    for i in range(6):
        assert (
            layer_norm_slopes(x, i, gamma, eps=1e-3) == layer_norm_backward(np.eye(6)[i], x, gamma, eps=1e-3).d_x
        ).all()
    with pytest.raises(ValueError, match="output"):
        layer_norm_slopes(x, 6)
    with pytest.raises(ValueError, match="vector"):
        layer_norm_slopes([x], 0)
