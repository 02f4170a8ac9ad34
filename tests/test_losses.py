import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near import close

from engine.losses import (
    LossTrace,
    costliest_row,
    cross_entropy,
    denominators,
    left_out_cells,
    mean_squared_error,
    probabilities_from_log_odds,
    right_class,
    right_class_curve,
    rows_at_top,
    wanted_probabilities,
)

INF = np.inf


def test_agrees_with_pytorch(reference):
    for case in reference("losses")["cases"]:
        logits, targets, mask = (case[name] for name in ("logits", "targets", "mask"))
        ce = cross_entropy(logits, targets, mask=mask, label_smoothing=case["label_smoothing"])
        close(ce.per_row, case["per_row"], 1e-12)
        close(ce.loss, case["cross_entropy"]["loss"], 1e-12)
        close(ce.grad, case["cross_entropy"]["grad"], 1e-14)
        mse = mean_squared_error(logits, targets, mask=mask)
        close(mse.loss, case["mse"]["loss"], 1e-15)
        close(mse.grad, case["mse"]["grad"], 1e-15)


def test_class_weights_divide_the_mean(reference):  # pytorch#25571
    for case in reference("losses")["weighted"]:
        trace = cross_entropy(case["logits"], case["targets"], mask=case["mask"], **case["options"])
        close(trace.per_row, case["per_row"], 1e-12)
        close(trace.loss, case["loss"], 1e-12)
        close(trace.grad, case["grad"], 1e-14)
        assert trace.weights.tolist() == [case["options"]["class_weights"][target] for target in case["targets"]]
    trace = cross_entropy([[0.2, 0.3, 0.5], [0.5, 0.2, 0.3]], [2, 1], class_weights=[2, 4, 6])
    mean = denominators(trace)
    close([mean.out, mean.wrong, mean.divisor], [1.05983, 5.29916, 10])
    assert mean.counted == 2
    plain = cross_entropy([[2, 1, 0], [0, 0, 0]], [0, 2])
    equal = cross_entropy([[2, 1, 0], [0, 0, 0]], [0, 2], class_weights=[7, 7, 7])
    close(equal.loss, plain.loss, 1e-15)
    close(equal.grad, plain.grad, 1e-15)


@pytest.mark.parametrize("bad", [[1, 1], [1, -1, 1], [1, 1, INF], 1, "1", [[1, 1, 1]], [1, 1, 0]])
def test_refuses_bad_class_weights(bad):
    with pytest.raises(ValueError, match="class_weights"):
        cross_entropy([[0, 0, 0]], [2], class_weights=bad)


def test_each_row_has_a_gradient_of_its_own(rng):
    logits, mask = rng.normal(size=(3, 4)), np.array([True, False, True])
    for loss in (cross_entropy, mean_squared_error):
        trace = loss(logits, [0, 1, 3], mask=mask)
        for i, target in enumerate([0, 1, 3]):
            close(trace.row_grads[i], loss(logits[i : i + 1], [target]).grad[0], 1e-16)
        close(trace.grad, np.where(mask[:, None], trace.row_grads, 0) / 2, 0)


def test_perplexity_is_exp_of_the_mean():  # pytorch/torcheval#154
    close(cross_entropy(np.zeros((3, 7)), [0, 1, 2]).perplexity, 7, 1e-12)
    trace = cross_entropy([[2, 1, 0], [0, 0, 0]], [0, 2])
    close(trace.perplexity, np.exp(trace.per_row.mean()), 1e-14)
    assert cross_entropy([[-INF, 0]], [0]).perplexity == INF
    assert cross_entropy([[-1000, 0]], [0]).perplexity == INF


def test_an_impossible_class_agrees_with_pytorch(reference):
    case = reference("losses")["impossible"]
    trace = cross_entropy(np.array(case["logits"], dtype=float), case["targets"])
    close(trace.loss, case["loss"], 1e-15)
    close(trace.grad, case["grad"], 1e-15)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.1, 1.0]))
def test_gradients_are_central_differences(seed, smoothing):
    rng = np.random.default_rng(seed)
    logits, targets = rng.normal(size=(3, 4)), rng.integers(0, 4, size=3)
    mask = np.array([True, seed % 2 == 0, seed % 3 == 0])
    for loss in (
        lambda z: cross_entropy(z, targets, mask=mask, label_smoothing=smoothing),
        lambda z: mean_squared_error(z, targets, mask=mask),
    ):
        numeric = np.zeros_like(logits)
        for cell in np.ndindex(*logits.shape):
            shift = np.zeros_like(logits)
            shift[cell] = 1e-5
            numeric[cell] = (loss(logits + shift).loss - loss(logits - shift).loss) / 2e-5
        close(loss(logits).grad, numeric, 1e-9)
        close(loss(logits).grad.sum(axis=1), 0, 1e-15)
        assert not loss(logits).grad[~mask].any()


def test_huge_logits_cost_what_log_softmax_says():  # pytorch#1620: log(softmax) gives ∞ and a NaN gradient
    trace = cross_entropy([[0, 2000]], [0])
    assert trace.loss == 2000
    assert trace.grad.tolist() == [[-1, 1]]


def test_zero_times_log_zero_is_zero():  # optax#896
    trace = cross_entropy([[-INF, 0]], [1])
    assert trace.loss == 0
    assert not np.signbit(trace.per_row[0])
    assert trace.grad.tolist() == [[0, 0]]


def test_an_impossible_target_costs_infinity_and_keeps_its_gradient():
    trace = cross_entropy([[-INF, 0], [0, 0]], [0, 0])
    assert trace.per_row[0] == INF
    assert trace.loss == INF
    close(trace.grad, [[-0.5, 0.5], [-0.25, 0.25]], 0)
    assert cross_entropy([[-INF, 0], [0, 0]], [0, 0], mask=[False, True]).loss == np.log(2)
    assert cross_entropy([[-INF, 0]], [1], label_smoothing=0.1).loss == INF  # smoothing wants the impossible too
    close(cross_entropy([[-INF, 0]], [1], label_smoothing=0.1).grad, [[-0.05, 0.05]], 1e-15)


def test_a_row_of_impossible_classes():
    for mask, cost in ((None, INF), ([False, True], np.log(2))):
        trace = cross_entropy([[-INF, -INF], [0, 0]], [0, 1], mask=mask)
        assert trace.loss == cost
        assert np.isfinite(trace.grad).all()
        assert trace.probs[0].tolist() == [0, 0]
    assert mean_squared_error([[-INF, -INF]], [0]).loss == 0.5


def test_only_counted_rows_divide():  # d2l-en#2076, minimind#51
    trace = LossTrace(None, np.array([1.0, 2, 3, 4]), None, np.ones(4), None, 1.5)
    mean = denominators(trace, np.array([True, True, False, False]))
    assert (mean.out, mean.wrong, mean.total, mean.counted, mean.rows) == (1.5, 0.75, 3, 2, 4)


def test_denominators_agree_with_the_loss(rng):
    mask = np.array([True, False, True])
    trace = cross_entropy(rng.normal(size=(3, 4)), [0, 1, 2], mask=mask)
    mean = denominators(trace, mask)
    assert mean.out == trace.loss == mean.total / 2
    assert mean.wrong == mean.total / 3
    assert denominators(cross_entropy([[-INF, 0]], [0])).out == INF


def test_ignoring_a_row_leaves_its_class_in_the_softmax():  # pytorch#63004
    trace = cross_entropy([[2, 1, 0], [0, 0, 0]], [0, 1], mask=[False, True])
    close(trace.loss, np.log(3), 1e-15)
    close(trace.probs[1], 1 / 3, 1e-15)


def test_smoothing_skips_masked_rows():  # pytorch#73205
    trace = cross_entropy([[2, 1, 0], [0, 0, 0], [9, 9, 9]], [0, 2, 1], mask=[True, True, False], label_smoothing=0.1)
    close(trace.loss, 0.80311)
    close(trace.per_row[2], np.log(3), 1e-14)  # there to be shown


def test_cross_entropy_falls_as_the_answer_improves():  # tensorflow/playground#175
    points = right_class_curve([0.2, 0.8], 2)
    close(points.cross_entropy, -np.log([0.2, 0.8]), 1e-15)
    close(points.cross_entropy[1], 0.2231, 5e-5)
    close(points.cross_entropy_grad[1], -1.25 * 0.8 * 0.2, 1e-15)  # −1/p times the slope of softmax


def test_a_confident_mistake_learns_from_cross_entropy_only():
    point = right_class([[-10, 0]], [0])
    close(point.mean_squared_error_grad, -9.08e-5, 5e-8)
    close(point.cross_entropy_grad, -0.99995)


def test_each_row_as_if_alone(rng):
    logits, targets = rng.normal(size=(4, 5)), [1, 0, 4, 2]
    points = right_class(logits, targets, label_smoothing=0.1)
    for i, target in enumerate(targets):
        alone = cross_entropy(logits[i : i + 1], [target], label_smoothing=0.1)
        close(points.cross_entropy[i], alone.loss, 1e-15)
        close(points.cross_entropy_grad[i], alone.grad[0, target], 1e-15)
        close(points.mean_squared_error_grad[i], mean_squared_error(logits[i : i + 1], [target]).grad[0, target], 1e-15)
        assert points.probability[i] == alone.probs[0, target]


def test_curve_from_end_to_end():
    curve = right_class_curve([0, 0.5, 1], 5)
    close(curve.probability, [0, 0.5, 1], 1e-15)
    close(curve.cross_entropy, [INF, np.log(2), 0], 1e-15)
    close(curve.cross_entropy_grad, [-1, -0.5, 0], 1e-15)
    close(curve.mean_squared_error, [(1 + 4 / 16) / 5, (0.25 + 4 / 64) / 5, 0], 1e-15)
    close(curve.mean_squared_error_grad[[0, 2]], 0, 1e-15)
    assert right_class_curve([1], 3, label_smoothing=0.1).cross_entropy[0] == INF


def test_one_class_costs_nothing():
    assert cross_entropy([[5.0]], [0]).loss == 0
    assert mean_squared_error([[5.0]], [0]).grad.tolist() == [[0]]


@pytest.mark.parametrize("loss", [cross_entropy, mean_squared_error])
@pytest.mark.parametrize(
    ("logits", "targets", "mask", "message"),
    [
        ([[0, 0]], [2], None, "targets"),
        ([[0, 0]], [-1], None, "targets"),
        ([[0, 0], [0, 0]], [0, -100], [True, False], "targets"),  # also where it does not count
        ([[0, 0]], [0.0], None, "targets"),
        ([[0, 0]], [True], None, "targets"),
        ([[0, 0]], 0, None, "targets"),
        ([[0, 0]], [0, 1], None, "targets"),
        ([[0, 0]], [[0]], None, "targets"),
        ([0, 0], [0], None, "logits"),
        ([[0, np.nan]], [0], [False], "logits"),
        ([[0, INF]], [0], None, "logits"),
        (np.empty((0, 3)), [], None, "logits"),
        (np.empty((2, 0)), [0, 0], None, "logits"),
        (None, [0], None, "logits"),
        ([[0, 0], [0, 0]], [0, 1], [False, False], "mean over no rows"),  # pytorch#70348
        ([[0, 0]], [0], [1], "boolean"),
        ([[0, 0]], [0], [True, True], "mask"),
    ],
)
def test_refusals(loss, logits, targets, mask, message):
    with pytest.raises(ValueError, match=message):
        loss(logits, targets, mask=mask)


@pytest.mark.parametrize("smoothing", [-0.1, 1.1, np.nan, "0.1", True])
def test_refuses_bad_smoothing(smoothing):
    with pytest.raises(ValueError, match="label_smoothing"):
        cross_entropy([[0, 0]], [0], label_smoothing=smoothing)


def test_helpers_refuse():
    with pytest.raises(ValueError, match="probabilities"):
        right_class_curve([1.1], 3)
    with pytest.raises(ValueError, match="n_classes"):
        right_class_curve([0.5], 1)
    with pytest.raises(ValueError, match="logits"):
        right_class_curve([], 3)
    with pytest.raises(ValueError, match="LossTrace"):
        denominators([1, 2])


def test_extreme_logits_never_give_nan():
    with pytest.raises(ValueError, match="the loss must stay inside float64"):
        cross_entropy([[1e308, -1e308]], [1])
    for logits, targets in (([[1e308, -1e308]], (0,)), ([[-1e308, -1e308]], (0, 1)), ([[5e-324, 0]], (0, 1))):
        for target in targets:
            for loss in (cross_entropy, mean_squared_error):
                trace = loss(logits, [target])
                assert not np.isnan(trace.loss)
                assert np.isfinite(trace.grad).all()


def test_arguments_stay_as_they_were():
    logits, targets, mask = np.array([[1.0, 2]]), np.array([0]), np.array([True])
    cross_entropy(logits, targets, mask=mask, label_smoothing=0.2)
    mean_squared_error(logits, targets, mask=mask)
    assert (logits.tolist(), targets.tolist(), mask.tolist()) == ([[1, 2]], [0], [True])


def test_wanted_is_what_the_probabilities_should_have_been():
    assert wanted_probabilities([3, 0], 4).tolist() == np.eye(4)[[3, 0]].tolist()
    smoothed = wanted_probabilities([3, 0], 4, label_smoothing=0.2)
    np.testing.assert_allclose(smoothed, [[0.05, 0.05, 0.05, 0.85], [0.85, 0.05, 0.05, 0.05]], atol=1e-15)
    with pytest.raises(ValueError, match="targets"):
        wanted_probabilities([4], 4)


def test_rows_and_cells_that_count(rng):
    z, targets = rng.normal(size=(4, 5)), [0, 1, 2, 3]
    trace = cross_entropy(z, targets)
    for mask in (np.array([True, True, False, True]), np.array([False, False, True, False])):
        assert costliest_row(trace, mask) == int(np.where(mask, trace.per_row, -1).argmax())
        assert (left_out_cells(mask, 5) == np.broadcast_to(~mask[:, None], (4, 5))).all()
    assert costliest_row(trace) == trace.per_row.argmax()
    with pytest.raises(ValueError, match="mask"):
        costliest_row(trace, [True])
    with pytest.raises(ValueError, match="mask"):
        left_out_cells([1, 0], 5)


def test_probabilities_from_log_odds():
    axis = np.linspace(-8, 8, 110)
    assert (probabilities_from_log_odds(axis) == 1 / (1 + np.exp(-axis))).all()
    assert probabilities_from_log_odds([-1e308, 1e308]).tolist() == [0, 1]
    with pytest.raises(ValueError, match="log_odds"):
        probabilities_from_log_odds(np.nan)


def test_ties_at_the_top_are_all_named():
    assert rows_at_top([0.1, 3.0, 3.0 + 1e-12]) == (1, 2)
    with pytest.raises(ValueError, match="at least one row"):
        rows_at_top([])
    assert rows_at_top([0.1, 3.0, 3.1], [True, False, False]) == (0,)
    with pytest.raises(ValueError, match="at least one row"):
        rows_at_top([1.0], [False])
