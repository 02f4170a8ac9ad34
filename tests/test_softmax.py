import numpy as np
import pytest
from near import close

from engine.softmax import (
    entropy,
    entropy_limit,
    explain_softmax,
    favourites,
    log_softmax,
    logit_for,
    naive_exp,
    naive_softmax,
    overflowing,
    softmax,
    softmax_backward,
    softmax_jacobian,
    sweep_scale,
)


def test_agrees_with_pytorch(reference):
    for case in reference("softmax")["cases"]:
        logits, t = case["logits"], case["temperature"]
        close(softmax(logits, temperature=t), case["probs"], 1e-14)
        close(log_softmax(logits, temperature=t), case["log_probs"], 1e-11)
        close(softmax_jacobian(logits[0], temperature=t), case["jacobian"], 1e-13)
        close(entropy(softmax(logits, temperature=t)), case["entropy"], 1e-12)


@pytest.mark.parametrize(("t", "expected"), [(0.5, [0.86681, 0.11731, 0.01588]), (100, [0.33667, 0.33332, 0.33001])])
def test_temperature(t, expected):
    close(softmax([2, 1, 0], temperature=t), expected)


def test_each_row_on_its_own():
    close(softmax([[0, 0], [0, 0]]), [[0.5, 0.5], [0.5, 0.5]], 0)


def test_nothing_left_is_zeros():
    assert softmax([1, 2, 3], mask=[False] * 3).tolist() == [0, 0, 0]
    assert softmax([-np.inf] * 3).tolist() == [0, 0, 0]
    assert log_softmax([-np.inf] * 2).tolist() == [-np.inf, -np.inf]


def test_mask_before_exp():
    close(softmax([1, 2, 800], mask=np.array([True, True, False])), [0.26894, 0.73106, 0])
    assert softmax([1, 2, 800], mask=np.array([True, True, False]))[2] == 0


def test_huge_logits():
    close(softmax([-1000, 1000]), [0, 1], 0)
    assert log_softmax([0, 200])[0] == -200
    assert softmax([2, 1], temperature=5e-324).tolist() == [1, 0]
    assert softmax([1e308, -1e308]).tolist() == [1, 0]


def test_shift_changes_nothing(rng):
    z = rng.normal(size=(4, 6))
    close(softmax(z), softmax(z + 123.0), 1e-13)


def test_jacobian_rows_sum_to_zero_and_hold_one_over_t(rng):
    close(softmax_jacobian([2, 1, 0], temperature=0.5)[0], [0.23090, -0.20337, -0.02752])
    close(softmax_jacobian(rng.normal(size=7), temperature=3).sum(axis=1), 0, 1e-15)


def test_entropy_ends():
    assert entropy([1.0, 0.0]) == 0
    close(entropy(np.full(8, 1 / 8)), np.log(8), 1e-15)


@pytest.mark.parametrize("bad", [[1, np.nan], [np.inf, 1], ["a"], [], 3.0])
def test_refuses_bad_logits(bad):
    with pytest.raises(ValueError, match="logits"):
        softmax(bad)


def test_refuses_nan_under_the_mask_and_integer_masks():
    with pytest.raises(ValueError, match="logits"):
        softmax([1, np.nan], mask=np.array([True, False]))
    with pytest.raises(ValueError, match="boolean"):
        softmax([1, 2], mask=[1, 0])
    with pytest.raises(ValueError, match="mask must fit"):
        softmax([1, 2], mask=[True, False, True])


@pytest.mark.parametrize("t", [0, -1, np.nan, np.inf, "1"])
def test_refuses_bad_temperature(t):
    with pytest.raises(ValueError, match="temperature"):
        softmax([1, 2], temperature=t)


def test_explanation_agrees_with_the_parts_and_the_definition_of_a_derivative(rng):
    z, mask = rng.normal(size=6), np.array([True, True, False, True, True, True])
    trace = explain_softmax(z, 1, temperature=0.7, mask=mask)
    close(trace.out, trace.exps / trace.exps.sum(), 1e-15)
    close(trace.loss, -np.log(trace.out[1]), 1e-13)
    for j in range(6):
        step = np.eye(6)[j] * 1e-6
        up, down = (explain_softmax(z + s, 1, temperature=0.7, mask=mask).loss for s in (step, -step))
        close(trace.grad[j], (up - down) / 2e-6, 1e-9)
    masked = explain_softmax(z, 2, mask=mask)
    assert masked.loss == np.inf
    assert not masked.grad.any()


def test_the_typed_logit_is_answered_to_with_its_scale(rng):
    typed = rng.normal(size=4)
    for scale in (0.0, 0.5, 2.0, -3.0):
        trace = explain_softmax(scale * typed, 1, temperature=0.5, scale=scale)
        for j in range(4):
            step = np.eye(4)[j] * 1e-6
            ends = [explain_softmax(scale * (typed + s), 1, temperature=0.5) for s in (step, -step)]
            close(trace.grad[j], (ends[0].loss - ends[1].loss) / 2e-6, 1e-8)
            close(trace.jacobian[:, j], (ends[0].out - ends[1].out) / 2e-6, 1e-8)
    hot, loud = explain_softmax(typed, 0, temperature=0.5), explain_softmax(2 * typed, 0, scale=2)
    close(hot.out, loud.out, 1e-15)
    close(hot.largest_gradient, loud.largest_gradient, 1e-15)
    sweep = sweep_scale(typed, [0.0, 2.0])
    close(sweep.typed_gradient, [0, loud.largest_gradient], 1e-15)


def test_a_masked_target_as_pytorch_has_it(reference):
    case = reference("softmax")["masked_target"]
    options = {"mask": case["mask"], "masked_target": "limit"}
    trace = explain_softmax(case["logits"], case["target"], **options)
    assert trace.loss == case["loss"] == np.inf
    close(trace.grad, case["grad"], 1e-12)
    assert not explain_softmax(case["logits"], case["target"], mask=case["mask"]).grad.any()
    with pytest.raises(ValueError, match="masked_target"):
        explain_softmax([0.0], 0, masked_target="torch")


def test_what_goes_wrong_without_the_shift():
    eight = np.linspace(-1, 1, 8)
    kinds = ("float16", "float32", "float64")
    assert [naive_softmax(eight, kind).fault for kind in kinds] == [None] * 3
    assert [naive_softmax(eight - 800, kind).fault for kind in kinds] == ["all zero"] * 3
    assert [naive_softmax(eight - 20, kind).fault for kind in kinds] == ["all zero", None, None]
    assert naive_softmax(eight * 4 - 20, "float16").fault == "wrong"
    assert naive_softmax(eight * 0 + 10, "float16").fault == "sum overflow"
    assert not naive_softmax(eight * 0 + 10, "float16").out.any()
    assert [naive_softmax(eight + 80, kind).fault for kind in kinds] == ["overflow", None, None]
    masked = naive_softmax([0.0, 900.0], "float64", mask=[True, False])
    assert (masked.fault, masked.out.tolist()) == (None, [1, 0])
    assert naive_softmax([0.0, 1.0], "float64", mask=[False, False]).fault is None
    with pytest.raises(ValueError, match="dtype"):
        naive_softmax([0.0], "int8")


def test_scale_sweep_is_the_jacobian_and_the_entropy_of_each_scale(rng):
    z = rng.normal(size=5)
    sweep = sweep_scale(z, [0.0, 1.0, 3.0], temperature=2.0)
    for i, scale in enumerate([0.0, 1.0, 3.0]):
        close(sweep.largest_gradient[i], np.abs(softmax_jacobian(z * scale, temperature=2.0)).max(), 1e-15)
        close(sweep.entropy[i], entropy(softmax(z * scale, temperature=2.0)), 1e-15)


@pytest.mark.parametrize(("dtype", "last"), [("float16", 11.0899), ("float32", 88.7228), ("float64", 709.7827)])
def test_naive_exp_overflows_where_the_format_ends(dtype, last):
    assert np.isfinite(naive_exp([last - 0.01], dtype)).all()
    assert np.isinf(naive_exp([last + 0.01], dtype)).all()


def test_the_way_back_is_the_jacobian_transposed(rng):
    z, g = rng.normal(size=(3, 5)), rng.normal(size=(3, 5))
    expected = [softmax_jacobian(row).T @ d for row, d in zip(z, g, strict=True)]
    close(softmax_backward(softmax(z), g), expected, 1e-15)
    with pytest.raises(ValueError, match="d_probs"):
        softmax_backward([0.5, 0.5], [1.0])


def test_where_exp_without_the_shift_overflows(rng):
    z = np.array([2.0, -3.0, 50.0, 800.0])
    mask = np.array([True, True, True, False])
    assert overflowing(z) == ("float16", "float32", "float64")
    assert overflowing(z, mask=mask) == ("float16",)
    assert overflowing(z, mask=mask, temperature=10) == ()
    assert (naive_exp(z, "float16", temperature=0.3) == naive_exp(z / 0.3, "float16")).all()
    with pytest.raises(ValueError, match="mask"):
        overflowing(z, mask=[True])
    with pytest.raises(ValueError, match="temperature"):
        naive_exp(z, "float16", temperature=0)


def test_largest_gradient_entropy_and_favourites():
    trace = explain_softmax([1.0, 2.0, 3.0], 0)
    assert trace.largest_gradient == float(abs(trace.jacobian).max())
    assert (entropy_limit(8), entropy_limit(0)) == (np.log(8), 0)
    assert favourites([0.5, 0.5 - 1e-13, 0.0]) == (0, 1)
    assert favourites([0.5, 0.5 - 1e-10, 0.0], tolerance=1e-9) == (0, 1)
    with pytest.raises(ValueError, match="at least one entry"):
        favourites([])
    with pytest.raises(ValueError, match="n_choices"):
        entropy_limit(-1)


def test_a_logit_is_found_for_a_probability(rng):
    logits = rng.normal(scale=30, size=6)
    for p in (1e-12, 0.3, 1 - 1e-9):
        found = logit_for(logits, 2, p)
        close(softmax([*logits[:2], found, *logits[3:]])[2], p, 1e-9)
    for call in (
        lambda: logit_for([1.0], 0, 0.5),
        lambda: logit_for(logits, 6, 0.5),
        lambda: logit_for(logits, 0, 1.0),
    ):
        with pytest.raises(ValueError, match="two or more|target|probability"):
            call()
