import numpy as np
import pytest

from engine.softmax import entropy, log_softmax, softmax, softmax_jacobian


def close(actual, expected, tol=5e-6):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tol)


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
