import numpy as np
import pytest

from engine.feed_forward import ACTIVATIONS, collapse, feed_forward, gated_feed_forward, silent_units


def layers(rng, d_in=4, d_ff=16, d_out=3, n=5):
    return [rng.normal(size=shape) for shape in ((n, d_in), (d_in, d_ff), d_ff, (d_ff, d_out), d_out)]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_feed_forward_agrees_with_pytorch(reference, name):
    frozen = reference("feed_forward")
    trace = feed_forward(*frozen["layers"], activation=name)
    np.testing.assert_allclose(trace.out, frozen["out"][name], rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_gated_layer_agrees_with_pytorch(reference, name):
    frozen = reference("feed_forward")["gated"]
    arguments = [frozen[part] for part in ("x", "W_gate", "W_up", "W_down")]
    trace = gated_feed_forward(*arguments, activation=name)
    np.testing.assert_allclose(trace.out, frozen["out"][name], rtol=0, atol=1e-13)
    assert (trace.product == trace.activated * trace.up).all()


def test_a_gated_layer_refuses_what_does_not_meet(rng):
    x, up, down = rng.normal(size=(2, 3)), rng.normal(size=(3, 4)), rng.normal(size=(4, 3))
    for arguments, match in [
        ((x, up[:2], up, down), "W_gate"),
        ((x, up, up[:, :3], down), "W_up"),
        ((x, up, up, down.T), "W_down"),
        ((x, up * 1e300, up * 1e300, down), "gate · up"),
    ]:
        with pytest.raises(ValueError, match=match):
            gated_feed_forward(*arguments)


def test_shapes_and_hand_values():
    trace = feed_forward([[1, 2]], [[1, 0, -1], [0, 1, 0]], [0, 0, 0], [[1], [1], [1]], [0.5], activation="relu")
    assert trace.hidden.tolist() == [[1, 2, -1]]
    assert trace.activated.tolist() == [[1, 2, 0]]
    assert trace.out.tolist() == [[3.5]]
    assert feed_forward(np.zeros((0, 1)), [[1]], [0], [[1]], [0], activation="tanh").out.shape == (0, 1)


def test_each_position_on_its_own(rng):
    x, *parameters = layers(rng)
    together = feed_forward(x, *parameters, activation="gelu").out
    alone = [feed_forward(row[None], *parameters, activation="gelu").out[0] for row in x]
    np.testing.assert_allclose(together, alone, rtol=0, atol=1e-13)


def test_identity_collapses_into_one_matrix(rng):
    arguments = layers(rng)
    trace = collapse(*arguments)
    np.testing.assert_allclose(trace.W, arguments[1] @ arguments[3], rtol=0, atol=1e-14)
    np.testing.assert_allclose(trace.two_layers, feed_forward(*arguments, activation="identity").out, rtol=0, atol=0)
    assert trace.difference < 1e-13
    assert collapse(*arguments, activation="relu").difference > 0.1
    assert collapse(np.zeros((0, 4)), *arguments[1:]).difference == 0


def test_silent_units():
    trace = silent_units([[0, 1, 0, 0.01], [0, 0, 2, 0]])
    assert trace.silent.tolist() == [[True, False, True, False], [True, True, False, True]]
    assert trace.per_row.tolist() == [0.5, 0.75]
    assert trace.dead.tolist() == [True, False, False, False]
    assert trace.share == 0.625
    assert silent_units([[0.01, 1]], tolerance=0.01).share == 0.5


@pytest.mark.parametrize(
    ("position", "value", "message"),
    [
        (0, [1, 2], "x must be a matrix"),
        (0, [[1, 2, 3]], r"W_1 must have shape \(3, 3\), one row per column of x"),
        (0, None, "x must hold numbers"),
        (1, [[1, np.nan, 1], [1, 1, 1]], "W_1 needs a finite number"),
        (2, [0, 0], r"b_1 must have shape \(3,\)"),
        (2, 0.0, "b_1 must be a vector"),
        (3, [[1, 2]], r"W_2 must have shape \(3, 2\)"),
        (4, [1, 2], r"b_2 must have shape \(1,\)"),
        (0, [[1e308, 1e308]], "hidden must stay inside float64"),
        (3, [[1.7e308]] * 3, "out must stay inside float64"),
    ],
)
def test_refuses_what_does_not_fit(position, value, message):
    arguments = [[[1, 2]], [[1, 1, 1], [1, 1, 1]], [0, 0, 0], [[1], [1], [1]], [0]]
    arguments[position] = value
    for call in (collapse, lambda *a: feed_forward(*a, activation="relu")):
        with pytest.raises(ValueError, match=message):
            call(*arguments)


def test_refuses_unknown_activations_and_empty_silence():
    for activation in ("swish", None, 3, ACTIVATIONS["relu"]):
        with pytest.raises(ValueError, match="activation must be one of relu, gelu"):
            feed_forward([[1]], [[1]], [0], [[1]], [0], activation=activation)
    with pytest.raises(ValueError, match="at least one row"):
        silent_units(np.zeros((0, 3)))
    with pytest.raises(ValueError, match="tolerance"):
        silent_units([[1]], tolerance=-1)
    with pytest.raises(ValueError, match="x needs a finite number"):
        ACTIVATIONS["gelu"].function([np.nan])


def test_differences_of_a_collapse(rng):
    two = collapse(*layers(rng), activation="relu")
    assert (two.differences == two.two_layers - two.one_layer).all()
    assert abs(two.differences).max() == two.difference
