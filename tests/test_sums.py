import numpy as np

from ui.labs.forward_pass import sums

A, B = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]])


def test_products_with_and_without_bias():
    assert sums.product("C", A, B, A @ B)(0, 1) == r"C[0,1] = 1.000 \cdot 6.000 + 2.000 \cdot 8.000 = 22.000"
    with_bias = sums.product("C", A, B, A @ B + [0, -1], [0, -1])(0, 1)
    assert with_bias == r"C[0,1] = 1.000 \cdot 6.000 + 2.000 \cdot 8.000 + (-1.000) = 21.000"


def test_sums_and_multiples():
    assert sums.added("x", [A, B], A + B)(1, 0) == "x[1,0] = 3.000 + 7.000 = 10.000"
    assert sums.multiplied("Z", A, 0.5, "s", A / 2)(1, 1) == r"Z[1,1] = 4.000 \cdot s = 4.000 \cdot 0.500 = 2.000"


def test_masked_softmaxed_applied_given():
    mask, out = np.array([[True, False]]), np.array([[1.0, -np.inf]])
    assert r"-\infty" in sums.masked("M", out, mask, out)(0, 1)
    assert "may be seen" in sums.masked("M", out, mask, out)(0, 0)
    weights = np.array([[1.0, 0.0]])
    assert sums.softmaxed("A", out, weights)(0, 0) == r"A[0,0] = \frac{e^{1.000}}{e^{1.000} + e^{-\infty}} = 1.000"
    assert sums.applied("A", "relu", -A, np.zeros((2, 2)))(0, 0) == r"A[0,0] = \operatorname{relu}(-1.000) = 0.000"
    assert sums.given("W")(0, 1) == r"W[0,1]\text{ is a parameter of the model}"


def test_normalised_shows_mean_variance_gamma_and_beta():
    from engine.normalization import layer_norm

    trace = layer_norm(A, [2.0, 2.0], [0.0, 1.0])
    text = sums.normalised("N", A, trace, [2.0, 2.0], [0.0, 1.0])(0, 1)
    assert r"\frac{2.000 - 1.500}{\sqrt{0.250 + 10^{-5}}}" in text
    assert text.endswith("= 3.000")
