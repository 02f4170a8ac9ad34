import numpy as np
import pytest
from near import close

from engine.mlp import (
    DenseLayer,
    flattened,
    gradient_check,
    init_mlp,
    inputs_with_bias,
    losses_side_by_side,
    mlp_backward,
    mlp_forward,
    stacked,
)


def cells(layers):
    return np.concatenate([part.ravel() for layer in layers for part in layer])


@pytest.fixture
def lab(rng):
    """3 → 4 → 4 → 3, a batch of 4."""
    layers = tuple(layer._replace(b=rng.normal(size=layer.b.size)) for layer in init_mlp([3, 4, 4, 3], rng))
    return layers, rng.normal(size=(4, 3)), np.array([0, 2, 1, 2])


def test_agrees_with_pytorch(reference):
    for case in reference("mlp")["cases"]:
        layers = [DenseLayer(*layer) for layer in case["layers"]]
        trace = mlp_backward(layers, case["x"], case["targets"], activation=case["activation"])
        close(trace.forward.logits, case["logits"], 1e-12)
        close(trace.loss, case["loss"], 1e-13)
        close(trace.d_logits, case["d_logits"], 1e-14)
        for name in ("d_pre_activations", "d_activations"):
            assert len(getattr(trace, name)) == len(layers) - 1
            for ours, theirs in zip(getattr(trace, name), case[name], strict=True):
                close(ours, theirs, 1e-13)
        for ours, (W, b) in zip(trace.grads, case["grads"], strict=True):
            close(ours.W, W, 1e-12)
            close(ours.b, b, 1e-12)


def test_the_middle_link_of_the_chain(lab):
    layers, x, targets = lab
    for activation in ("relu", "tanh", "gelu"):
        trace = mlp_backward(layers, x, targets, activation=activation)
        fed = (x, *trace.forward.activations)
        for i, slope in enumerate(trace.slopes):
            close(trace.d_activations[i], trace.deltas[i + 1] @ layers[i + 1].W.T, 1e-15)
            close(trace.deltas[i], trace.d_activations[i] * slope, 0)
        for i, (a, delta) in enumerate(zip(fed, trace.deltas, strict=True)):
            close(trace.grads[i].W, a.T @ delta, 1e-15)
            close(trace.grads[i].b, delta.sum(axis=0), 1e-15)
    assert set(np.unique(mlp_backward(layers, x, targets, activation="relu").slopes[0])) <= {0.0, 1.0}


def test_by_hand():
    layers = [DenseLayer([[1, -1]], [0, 0]), DenseLayer([[1, 0], [0, 1]], [0, 0])]
    trace = mlp_backward(layers, [[2]], [1], activation="relu")
    p = 1 / (1 + np.exp(-2))  # logits 2, 0
    assert [z.tolist() for z in trace.forward.pre_activations] == [[[2, -2]]]
    assert [a.tolist() for a in trace.forward.activations] == [[[2, 0]]]
    close(trace.loss, -np.log(1 - p), 1e-14)
    close(trace.d_activations[0], [[p, -p]], 1e-15)
    close(trace.d_pre_activations[0], [[p, 0]], 1e-15)
    close(trace.grads[0].W, [[2 * p, 0]], 1e-15)
    close(trace.grads[1].W, [[2 * p, -2 * p], [0, 0]], 1e-15)


def test_each_pass_starts_from_zero(lab):  # micrograd#53
    layers, x, targets = lab
    first = mlp_backward(layers, x, targets, activation="tanh").grads
    again = mlp_backward(layers, x, targets, activation="tanh").grads
    close(cells(first), cells(again), 0)


def test_init(rng):
    layers = init_mlp([200, 300, 2], rng)
    close(layers[0].W.std(), (2 / 500) ** 0.5, 1e-3)
    assert not layers[0].b.any()
    again = init_mlp((200, 300, 2), np.random.default_rng(0))
    close(again[1].W, layers[1].W, 0)


def test_one_layer_has_nothing_hidden():
    trace = mlp_backward([DenseLayer([[1.0, 2]], [0, 0])], [[1], [2]], [0, 1], activation="relu")
    assert trace.forward.pre_activations == trace.d_activations == ()
    assert mlp_forward([DenseLayer([[1.0, 2]], [0, 0])], np.empty((0, 1)), activation="relu").logits.shape == (0, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": []}, "layers"),
        ({"layers": None}, "layers"),
        ({"layers": "W"}, "layers"),
        ({"layers": DenseLayer(np.ones((2, 2)), np.ones(2))}, r"layers\[0\] must be a DenseLayer"),
        ({"layers": [DenseLayer(np.ones(2), np.ones(2))]}, r"layers\[0\].W must be a matrix"),
        ({"layers": [DenseLayer(np.ones((2, 2)), np.ones(3))]}, r"layers\[0\].b"),
        ({"layers": [DenseLayer(np.ones((2, 0)), np.ones(0))]}, "at least 1 column"),
        ({"layers": [DenseLayer(np.ones((2, 3)), np.ones(3)), DenseLayer(np.ones((2, 2)), np.ones(2))]}, "3 rows"),
        ({"layers": [DenseLayer(np.full((2, 2), np.nan), np.ones(2))]}, "finite"),
        ({"layers": [DenseLayer(np.full((2, 2), 1e308), np.zeros(2))], "x": [[1e10, 1]]}, "float64"),
        ({"layers": [DenseLayer([[1.7e308, -1.7e308], [0, 0]], np.zeros(2))], "targets": [1]}, "the loss"),
        ({"x": [[1, 2, 3]]}, "x must have shape"),
        ({"x": [1, 2]}, "x must be a matrix"),
        ({"x": np.empty((0, 2)), "targets": []}, "logits"),
        ({"x": [[1, np.inf]]}, "x needs"),
        ({"targets": [2]}, "targets"),
        ({"targets": [0, 1]}, "targets"),
        ({"activation": "step"}, "activation"),
        ({"activation": ["relu"]}, "activation"),
    ],
)
def test_refusals(change, message):
    good = {"layers": [DenseLayer(np.eye(2), np.zeros(2))], "x": [[1, 2]], "targets": [0], "activation": "relu"}
    mlp_backward(**good)
    for function in (mlp_backward, gradient_check):
        with pytest.raises(ValueError, match=message):
            function(**(good | change))


@pytest.mark.parametrize(
    ("sizes", "message"), [([3], "sizes"), ("34", "sizes"), (3, "sizes"), ([3, 0], "size"), ([3, 2.0], "size")]
)
def test_init_refuses(rng, sizes, message):
    with pytest.raises(ValueError, match=message):
        init_mlp(sizes, rng)
    with pytest.raises(ValueError, match="rng"):
        init_mlp([3, 4], 0)


def test_losses_side_by_side_are_those_one_by_one(lab):
    layers, x, targets = lab
    factors = np.array([0.5, 1.0, 2.0])
    many = [DenseLayer(factors[:, None, None] * W, factors[:, None] * b) for W, b in layers]
    losses = losses_side_by_side(many, x, targets, activation="gelu")
    for factor, loss in zip(factors, losses, strict=True):
        one = tuple(DenseLayer(factor * W, factor * b) for W, b in layers)
        assert loss == pytest.approx(mlp_backward(one, x, targets, activation="gelu").loss, rel=1e-14)
    with pytest.raises(ValueError, match="float64"):
        losses_side_by_side(
            [DenseLayer(np.full((1, 1, 2), 1e200), np.zeros((1, 2)))], [[1e200]], [0], activation="relu"
        )


def test_layers_as_matrices_and_as_one_row(lab):
    layers, x, targets = lab
    back = mlp_backward(layers, x, targets, activation="tanh")
    assert all((ours == np.vstack(layer)).all() for ours, layer in zip(stacked(layers), layers, strict=True))
    assert (flattened(layers) == np.concatenate([m.ravel() for m in stacked(layers)])).all()
    for ours, fed in zip(inputs_with_bias(x, back.forward), (x, *back.forward.activations), strict=True):
        assert (ours == np.column_stack([fed, np.ones(len(x))])).all()
    with pytest.raises(ValueError, match="x must"):
        inputs_with_bias([1.0], back.forward)
