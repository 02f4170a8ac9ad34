import math

import numpy as np
import pytest
from bench_training import lean_loop
from near import within
from test_training_gradient import model

import engine.training.run as room
from engine.optimizers import OPTIMIZERS, SGD, Adam, AdamW, Momentum
from engine.training import backward, flatten, init_weights, loss_floor, train, work_of
from engine.transformer import forward
from engine.weights import load_weights, matrices

close = within(1e-12)
LINES = [[0, 1, 2, 3, 4], [3, 1], [2, 2, 0, 1]]


@pytest.fixture
def weights():
    return load_weights()


@pytest.mark.parametrize(
    ("name", "optimizer"),
    [
        ("sgd", SGD(lr=0.1)),
        ("momentum", Momentum(lr=0.03)),
        ("adam", Adam(lr=0.02)),
        ("adamw", AdamW(lr=0.02, weight_decay=0.1)),
    ],
)
def test_sixty_steps_agree_with_pytorch(reference, name, optimizer):
    frozen = reference("training")
    run = train(model(frozen["models"]["one"]), frozen["sequences"], optimizer, 60)
    np.testing.assert_allclose(run.losses, frozen["runs"][name]["losses"], rtol=1e-6)
    np.testing.assert_allclose(run.snapshots[-1], frozen["runs"][name]["last"], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_run_is_backward_and_step_again_and_again(weights, name):
    optimizer = OPTIMIZERS[name](lr=0.05)
    run = train(weights, [LINES[0]], optimizer, 5, norm_placement="pre", activation="gelu")
    theta = flatten(weights)
    state = optimizer.initial_state(theta)
    for i in range(6):
        close(run.snapshots[i], theta)
        trace = backward(run.at(i), LINES[0][:-1], LINES[0][1:], norm_placement="pre", activation="gelu")
        assert run.losses[i] == trace.loss
        assert np.array_equal(run.gradients[i], flatten(trace.grads))
        state, _, theta = optimizer.step(theta, flatten(trace.grads), state)
    assert run.diverged_at is None
    assert np.array_equal(flatten(run.weights), run.snapshots[-1])


def test_the_lean_loop_of_the_bench_takes_the_same_steps(weights):
    close(lean_loop(weights, LINES[0], 30, 0.03), train(weights, [LINES[0]], Adam(lr=0.03), 30).losses[:30])


def test_the_loss_is_the_mean_over_all_predicted_tokens(weights):
    run = train(weights, LINES, SGD(lr=0.1), 2)
    for i in range(3):
        costs = [backward(run.at(i), line[:-1], line[1:]).per_token for line in LINES]
        close(run.losses[i], np.concatenate(costs).mean())
        close(run.per_sequence[i], [cost.mean() for cost in costs])
    parts = [flatten(backward(weights, line[:-1], line[1:]).grads) * (len(line) - 1) for line in LINES]
    close(run.gradients[0], sum(parts) / 8)
    close(run.snapshots[1], run.snapshots[0] - 0.1 * run.gradients[0])


def test_norms_are_those_of_each_matrix(weights):
    run = train(weights, LINES, SGD(lr=0.1), 1)
    assert run.names == tuple(matrices(weights))
    for i in range(2):
        parts = matrices(run.gradient_at(i)).values()
        close(run.grad_norms[i], [np.linalg.norm(part) for part in parts])


@pytest.mark.parametrize("names", [["W_LM_head"], ("W_E", "layers[0].heads[1].W_Q"), {"layers[0].norm_1.gamma"}])
def test_what_is_frozen_stays(weights, names):
    run = train(weights, LINES, Adam(lr=0.05), 10, trainable=names)
    for name, part in matrices(run.weights).items():
        assert np.array_equal(part, matrices(weights)[name]) == (name not in names)
    assert run.grad_norms[:, run.names.index("W_P")].all()


def test_the_optimizer_remembers_only_what_may_move(weights):
    W = weights.W_LM_head
    run = train(weights, [LINES[0]], Adam(lr=0.05), 2, trainable=["W_LM_head"])
    state, theta = Adam(lr=0.05).initial_state(W), W
    for i in range(2):
        state, _, theta = Adam(lr=0.05).step(theta, run.gradient_at(i).W_LM_head, state)
    close(run.weights.W_LM_head, theta)


def test_the_floor_is_what_follows_each_beginning(weights):
    assert loss_floor([[0, 1, 2, 3, 4]]) == 0
    shared = [[0, 1, 2], [0, 1, 3]]
    assert loss_floor(shared) == pytest.approx(math.log(2) / 4 * 2)
    assert loss_floor([[0, 1], [0, 1], [0, 2]]) == pytest.approx(-(2 * math.log(2 / 3) + math.log(1 / 3)) / 3)
    run = train(weights, shared, Adam(lr=0.03), 300)
    assert run.floor < run.losses.min()
    assert run.losses[-1] == pytest.approx(run.floor, abs=0.01)
    answer_ahead = train(weights, [[0, 1, 2], [0, 3, 2]], Adam(lr=0.03), 300, causal=False)
    assert answer_ahead.losses[-1] < answer_ahead.floor / 4  # without the mask it reads what it should predict


@pytest.mark.parametrize("lr", [1e3, 1e50, 1e160, 1e300])
def test_a_run_ends_at_the_last_good_step(weights, lr):
    run = train(weights, [LINES[0]], SGD(lr=lr), 60)
    assert len(run.losses) == len(run.snapshots) == len(run.gradients) == run.diverged_at
    assert all(np.isfinite(part).all() for part in (run.losses, run.snapshots, run.gradients, run.grad_norms))
    assert np.array_equal(flatten(run.weights), run.snapshots[-1])
    again = train(weights, [LINES[0]], SGD(lr=lr), run.diverged_at - 1)
    assert again.diverged_at is None
    assert np.array_equal(again.losses, run.losses)


def test_a_step_beyond_float64_is_not_taken(weights):
    run = train(weights, [LINES[0]], Momentum(lr=1.7e308, form="sum"), 3, norm_placement="pre")
    assert run.diverged_at == 1
    assert len(run.losses) == 1


def test_no_step_is_a_look_at_the_start(weights):
    run = train(weights, LINES, SGD(lr=0.1), 0)
    assert run.losses.shape == (1,)
    assert np.array_equal(flatten(run.weights), flatten(weights))
    assert not np.shares_memory(run.weights.W_E, weights.W_E)


def test_repeated_and_absent_blocks(weights):
    assert train(weights, LINES, Adam(lr=0.02), 40, n_layers=3).losses[-1] < 1.5
    none = train(weights, LINES, Adam(lr=0.02), 40, n_layers=0)
    assert not none.grad_norms[:, 2:-1].any()
    assert none.losses[-1] < none.losses[0]


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (([], SGD(lr=0.1), 1), {}, "sequences must be a list of at least one list of token ids; got none"),
        (("ab", SGD(lr=0.1), 1), {}, "sequences must be a list of at least one list of token ids; got str"),
        (([0, 1], SGD(lr=0.1), 1), {}, r"sequences\[0\] must be a vector of whole numbers from 0 to 4; got 0"),
        (([[0, 1], [3]], SGD(lr=0.1), 1), {}, r"sequences\[1\] must hold 2 to 6 tokens, one to read .*; got 1"),
        (([[0] * 7], SGD(lr=0.1), 1), {}, r"sequences\[0\] must hold 2 to 6 tokens, .*; got 7"),
        (
            ([[0, 1], [0, 5]], SGD(lr=0.1), 1),
            {},
            r"sequences\[1\] must be whole numbers from 0 to 4; got 5 at position 1",
        ),
        (([[0, 1.5]], SGD(lr=0.1), 1), {}, r"sequences\[0\] must be a vector of whole numbers"),
        (([[0, 1]] * 1001, SGD(lr=0.1), 1), {}, "sequences must be at most 1,000; got 1,001: take fewer"),
        (([[0, 1]], "adam", 1), {}, "optimizer must be one of engine.optimizers, as Adam.*; got str"),
        (([[0, 1]], SGD, 1), {}, "optimizer must be one of engine.optimizers"),
        (([[0, 1]], SGD(lr=0.1), -1), {}, "n_steps must be a whole number from 0 to 10000; got -1"),
        (([[0, 1]], SGD(lr=0.1), 1), {"trainable": []}, "trainable must name at least one matrix; got none: with all"),
        (([[0, 1]], SGD(lr=0.1), 1), {"trainable": "W_E"}, "trainable must be a list of names"),
        (([[0, 1]], SGD(lr=0.1), 1), {"trainable": ["W_Q"]}, "trainable must be one of W_E, W_P"),
        (([[0, 1]], SGD(lr=0.1), 1), {"causal": None}, "causal must be True or False"),
    ],
)
def test_faults_are_named(weights, arguments, options, said):
    with pytest.raises(ValueError, match=said):
        train(weights, *arguments, **options)


def test_a_start_beyond_float64_is_refused(weights):
    huge = weights._replace(W_E=weights.W_E * 1e200, W_LM_head=weights.W_LM_head * 1e200)
    with pytest.raises(ValueError, match="the first pass must stay inside float64"):
        train(huge, LINES, SGD(lr=0.1), 1, norm_placement="none")


def test_sixty_four_words_and_twelve_layers_are_refused_by_count(rng, monkeypatch):
    words = [f"w{i}" for i in range(64)]
    big = init_weights(words, d_model=16, n_heads=2, d_k=8, d_ff=32, n_layers=12, n_positions=8, rng=rng)
    lines = rng.integers(0, 64, (12, 9)).tolist()
    with pytest.raises(
        ValueError, match=r"a run \(steps × tokens × parameters\) must stay below 180,000,000 operations, .* got"
    ):
        train(big, lines, SGD(lr=0.1), 100)
    assert work_of(big, lines, 5) < room.MAX_OPERATIONS < work_of(big, lines, 100)
    assert len(train(big, lines, SGD(lr=0.1), 5).losses) == 6
    monkeypatch.setattr(room, "_record", None)
    with pytest.raises(ValueError, match="take fewer steps"):  # refused before any pass
        train(big, lines, SGD(lr=0.1), 100)


def test_work_grows_with_everything_that_costs(weights):
    own = work_of(weights, LINES, 100)
    for dearer in (
        work_of(weights, [*LINES, [0, 1]], 100),
        work_of(weights, LINES, 101),
        work_of(weights, LINES, 100, n_layers=2),
        work_of(weights, LINES, 100, activation="silu"),
        work_of(weights, [[0, 1, 2, 3, 4, 0], *LINES[1:]], 100),
    ):
        assert dearer > own
    assert 2 * work_of(weights, LINES, 400) < room.MAX_OPERATIONS


def test_a_step_that_is_none_is_named(weights):
    run = train(weights, LINES, SGD(lr=0.1), 2)
    with pytest.raises(ValueError, match="step must be a whole number from 0 to 2; got 3"):
        run.at(3)
    with pytest.raises(ValueError, match="step must be"):
        run.gradient_at(-1)


def test_nothing_is_shared_or_changed(weights):
    before, lines = flatten(weights), [np.array([0, 1, 2]), np.array([1, 1])]
    run = train(weights, lines, Adam(lr=0.1), 3)
    assert np.array_equal(flatten(weights), before)
    assert [line.tolist() for line in lines] == [[0, 1, 2], [1, 1]]
    assert forward(run.weights, [0]).probs.shape == (1, 5)


@pytest.mark.parametrize("junk", [5, None, [5], "a", [[0]], [], [[[0, 1]], [1]], np.array(3)])
def test_a_floor_needs_something_to_predict(junk):
    with pytest.raises(ValueError, match="sequences must"):
        loss_floor(junk)
