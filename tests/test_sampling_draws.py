"""What a cut leaves, and draws beside their expectation."""

import numpy as np
from near import close

from engine.sampling import expected_counts, explain_draws, next_token
from engine.softmax import softmax


def test_what_a_cut_leaves():
    trace = next_token(np.log([0.5, 0.3, 0.2]), temperature=2, top_k=2)
    close(trace.kept_mass, 0.8, 1e-15)
    close(trace.entropy, -(trace.out[:2] * np.log(trace.out[:2])).sum(), 1e-15)
    greedy = next_token([1, 1, 0], temperature=0)
    assert greedy.entropy == 0
    close(greedy.kept_mass, softmax([1, 1, 0])[0], 1e-15)


def test_draws_against_their_band():
    trace = explain_draws([0.5, 0.3, 0.2, 0.0], 1000, np.random.default_rng(1))
    mean, deviation = expected_counts([0.5, 0.3, 0.2, 0.0], 1000)
    close(trace.high - trace.mean, 2 * deviation, 1e-12)
    assert trace.outside.tolist() == ((trace.counts < trace.low) | (trace.counts > trace.high)).tolist()
    seldom = [explain_draws([0.3, 0.7], 1000, np.random.default_rng(seed)).outside[0] for seed in range(300)]
    assert 0.02 < np.mean(seldom) < 0.08
    assert not explain_draws([1.0, 0.0], 1000, np.random.default_rng(0)).outside.any()
    third = explain_draws(np.array([1e-9, 1 - 1e-9]), 10, np.random.default_rng(0))
    assert not third.outside.any()
