from time import perf_counter

import numpy as np
import pytest
from near import within

from engine.depth import ARRANGEMENTS, gradient_bands, gradient_by_depth, top_weight_gradients, trace_stack
from engine.feed_forward import ACTIVATIONS
from engine.normalization import layer_norm

close = within(1e-12, relative=True)


def run(arrangement, seed=0, **settings):
    return gradient_by_depth(arrangement, rng=np.random.default_rng(seed), **settings)


def test_agrees_with_autograd(reference):
    frozen = reference("depth")
    assert {case["arrangement"] for case in frozen["cases"]} == set(ARRANGEMENTS)
    for case in frozen["cases"]:
        trace = trace_stack(case["arrangement"], frozen["x"], frozen["weights"], frozen["d_top"], case["activation"])
        close(trace.activation_norms, case["activation_norms"])
        close(trace.gradient_norms, case["gradient_norms"])


@pytest.mark.parametrize("arrangement", ["residual", "pre_norm"])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_silent_sublayers_pass_the_gradient_on_unchanged(arrangement, activation):  # annotated-transformer#1
    for seed in range(5):
        trace = run(arrangement, seed, gain=0, activation=activation, depth=48)
        assert trace.gradient_norms.tolist() == [1.0] * 49
        assert len(set(trace.activation_norms.tolist())) == 1


@pytest.mark.parametrize(("gain", "expected"), [(0.5, 2.441e-4), (0.9, 0.2824), (1.0, 1), (1.1, 3.138), (1.5, 129.7)])
def test_a_plain_chain_multiplies_the_gain_twelve_times(gain, expected):  # annotated-transformer#13
    trace = run("plain", gain=gain, activation="identity")
    close(trace.gradient_norms[0], expected, 4e-4)
    close(trace.gradient_norms, gain ** np.arange(12, -1, -1.0))
    close(trace.activation_norms / trace.activation_norms[0], gain ** np.arange(13.0))


def test_a_silent_plain_chain_carries_nothing():
    trace = run("plain", gain=0)
    assert trace.gradient_norms.tolist() == [0.0] * 12 + [1.0]


def test_post_norm_loses_the_mean_and_the_row_itself(rng):  # openai/CLIP#91
    x, silent = rng.normal(size=(4, 8)), np.zeros((1, 8, 8))
    x_hat = layer_norm(x).normalized
    for lost, tol in ((np.ones((4, 8)), 1e-15), (x_hat, 1e-4)):  # the second is lost up to ε = 1e-5
        assert trace_stack("post_norm", x, silent, lost, "tanh").gradient_norms[0] < tol
    kept = rng.normal(size=(4, 8))
    assert trace_stack("post_norm", x, silent, kept, "tanh").gradient_norms[0] > 0.1


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_the_norms_are_the_central_differences_of_the_stack(arrangement, rng):
    x, weights, d_top = rng.normal(size=(2, 3)), rng.normal(size=(3, 3, 3)) / 2, rng.normal(size=(2, 3))

    def out(rows):
        for W in weights:
            branch = np.tanh((layer_norm(rows).out if arrangement == "pre_norm" else rows) @ W)
            rows = branch if arrangement == "plain" else rows + branch
            rows = layer_norm(rows).out if arrangement == "post_norm" else rows
        return (rows * d_top).sum() / np.linalg.norm(d_top)

    cells = 1e-5 * np.eye(6).reshape(6, 2, 3)
    numeric = [(out(x + cell) - out(x - cell)) / 2e-5 for cell in cells]
    close(trace_stack(arrangement, x, weights, d_top, "tanh").gradient_norms[0], np.linalg.norm(numeric), 1e-8)


def test_a_band_holds_the_single_runs():
    bands = gradient_bands(n_seeds=3, seed=7, depth=5, gain=0.8, activation="gelu")
    assert tuple(bands) == ARRANGEMENTS
    for name, band in bands.items():
        singles = [run(name, [7, i], depth=5, gain=0.8, activation="gelu") for i in range(3)]
        close(band.gradient_norms, [single.gradient_norms for single in singles])
        close(band.activation_norms, [single.activation_norms for single in singles])
        close(band.lowest, np.min([single.gradient_norms for single in singles], axis=0))
        close(band.middle, np.median([single.gradient_norms for single in singles], axis=0))
        close(band.highest, np.max([single.gradient_norms for single in singles], axis=0))
        close(band.ratio, np.median([single.gradient_norms[0] for single in singles]))
        close(band.per_layer**5, band.ratio)


def test_a_deeper_stack_keeps_its_first_layers_and_seeds_repeat():
    close(run("residual", depth=9).activation_norms[:5], run("residual", depth=4).activation_norms, 0)
    close(run("plain", 3).gradient_norms, run("plain", 3).gradient_norms, 0)
    assert run("plain", 3).gradient_norms[0] != run("plain", 4).gradient_norms[0]


def test_forty_eight_layers_four_arrangements_and_eight_seeds_are_quick():
    start = perf_counter()
    gradient_bands(depth=48, n_seeds=8)
    assert perf_counter() - start < 5  # about 20 ms on a machine with nothing else to do


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_extremes_stay_finite_or_say_so(arrangement):
    for settings in (
        {"width": 1, "batch": 1},
        {"depth": 200},
        {"depth": 1},
        {"gain": 100, "depth": 48},
        {"gain": 1e-300},
    ):
        trace = run(arrangement, **settings)
        assert np.isfinite(trace.gradient_norms).all()
        assert len(trace.gradient_norms) == settings.get("depth", 12) + 1
    tiny = run("plain", gain=1e-5, depth=48, activation="identity").gradient_norms[0]
    assert 0.99e-240 < tiny < 1.01e-240  # its squares are beyond float64


def test_overflow_is_said_in_words():
    for arrangement in ("plain", "residual"):
        with pytest.raises(ValueError, match="float64"):
            run(arrangement, gain=100, depth=200, activation="identity")


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": 0},
        {"depth": 12.0},
        {"depth": 201},
        {"width": 0},
        {"batch": True},
        {"gain": -1},
        {"gain": np.nan},
        {"gain": "1"},
        {"gain": 1e9},
        {"activation": "swish"},
        {"activation": None},
    ],
)
def test_refuses_bad_settings(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        run("plain", **settings)
    with pytest.raises(ValueError, match=next(iter(settings))):
        gradient_bands(**settings)


def test_refuses_unknown_arrangements_generators_and_seeds():
    with pytest.raises(ValueError, match="arrangement"):
        run("sandwich")
    for rng in (0, None, np.random):
        with pytest.raises(ValueError, match="rng"):
            gradient_by_depth("plain", rng=rng)
    for bad in ({"n_seeds": 0}, {"n_seeds": 2.0}, {"seed": -1}, {"seed": None}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            gradient_bands(**bad)


def test_refuses_stacks_that_do_not_fit():
    x, weights, d_top = np.ones((2, 3)), np.ones((1, 3, 3)), np.ones((2, 3))
    for arguments, match in [
        ((x[0], weights, d_top), "x must"),
        ((x, weights[0], d_top), "weights"),
        ((x, np.ones((1, 3, 2)), d_top), "weights"),
        ((x, weights, d_top[:1]), "d_top"),
        ((x, weights, 0 * d_top), "d_top"),
        ((np.zeros((0, 3)), weights, np.zeros((0, 3))), "x must"),
        (([[np.nan] * 3] * 2, weights, d_top), "x needs"),
    ]:
        with pytest.raises(ValueError, match=match):
            trace_stack("plain", *arguments, "tanh")


def test_the_top_weights_gradient_is_the_slope_of_the_output():
    settings = {"n_seeds": 1, "depth": 3, "width": 4, "batch": 2}
    found = top_weight_gradients(**settings)
    rng = np.random.default_rng([0, 0])
    x, d_out = rng.normal(size=(2, 2, 4))
    q, r = np.linalg.qr(rng.normal(size=(3, 4, 4)))
    weights = q * np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1.0, 1.0)[:, None, :]

    def output(name, top):
        h = x
        for W in (*weights[:2], top):
            branch = np.tanh((layer_norm(h).out if name == "pre_norm" else h) @ W)
            h = branch if name == "plain" else h + branch
            h = layer_norm(h).out if name == "post_norm" else h
        return ((layer_norm(h).out if name == "pre_norm" else h) * d_out).sum()

    for name in ARRANGEMENTS:
        slope = np.zeros((4, 4))
        for at in np.ndindex(4, 4):
            move = np.zeros((4, 4))
            move[at] = 1e-6
            slope[at] = (output(name, weights[2] + move) - output(name, weights[2] - move)) / 2e-6
        assert found[name] == pytest.approx(np.linalg.norm(slope) / np.linalg.norm(d_out), rel=1e-7)


def test_behind_the_last_norm_the_top_weights_gradient_falls_with_depth():  # Xiong et al. 2020
    shallow, deep = (top_weight_gradients(depth=depth, activation="relu") for depth in (4, 48))
    assert deep["pre_norm"] < 0.6 * shallow["pre_norm"]
    assert deep["post_norm"] == pytest.approx(shallow["post_norm"], rel=0.2)


@pytest.mark.parametrize("activation", ["identity", "relu"])
def test_how_far_a_gradient_strays(activation):
    bands = gradient_bands(activation=activation)
    assert (bands["plain"].strayed < 1e-12) == (activation == "identity")
    assert gradient_bands(gain=0.0)["residual"].strayed == 0
