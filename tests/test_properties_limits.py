"""What one call may cost: sizes whose product is too large are refused before anything of that size is made."""

import inspect
import tracemalloc

import calls_a_to_n
import calls_o_to_z
import calls_training
import numpy as np
import pytest
from calls_drawn import Draw, public_functions

from engine import checks, mlp
from engine.optimizers import SGD

FUNCTIONS = public_functions()
ROOMS = calls_a_to_n.ROOMS | calls_o_to_z.ROOMS | calls_training.ROOMS
WIDE = np.broadcast_to(1.0, (2048, 2049))  # one number more than an array may hold in each direction, no memory
ROW, COLUMN = np.broadcast_to(1.0, 2049), np.broadcast_to(1.0, (2049, 1))
LONG = np.broadcast_to(1.0, 2**22)
NET = mlp.init_mlp([60, 60, 10], np.random.default_rng(0))
TOO_LARGE = {  # by function: the sizes that are fine one by one and too much together
    "accounting.cards_needed": {"n_bytes": 10**51},
    "accounting.kv_cache_sweep": {"contexts": range(10_001)},
    "accounting.sweep_context": {"contexts": range(10_001)},
    "attention.attend_alike": {"loudness": ROW, "mask": None, "bias": None},
    "attention.attend_to_scores": {"scaled": COLUMN.T, "mask": None},
    "attention.causal_mask": {"n_q": 8_193},
    "attention.key_head_of_each": {"n_heads": 10_002},
    "attention.multi_head": {"x": np.broadcast_to(1.0, (4_000, 4)), "W_Q": np.ones((4, 8)), "W_O": np.ones((8, 4))}
    | {"W_K": np.ones((4, 4)), "W_V": np.ones((4, 4)), "mask": None, "bias": None},
    "attention.reshape_origins": {"n_tokens": 2_049, "d_model": 2_048},
    "attention.scaled_dot_product": {"q": COLUMN, "k": COLUMN, "v": COLUMN, "mask": None, "bias": None},
    "attention.value_shares": {"weights": np.broadcast_to(1.0, (200, 200)), "v": np.broadcast_to(1.0, (200, 200))},
    "depth.gradient_bands": {"n_seeds": 64, "depth": 200, "width": 64},
    "depth.gradient_by_depth": {"depth": 200, "width": 256},
    "depth.trace_stack": {"x": np.ones((256, 64)), "d_top": np.ones((256, 64)), "weights": np.ones((9, 64, 64))},
    "dropout.dropout_rows": {"x": ROW, "n_rows": 2_048},
    "dropout.mask_sums": {"x": np.ones(42), "n_masks": 100_000},
    "feed_forward.along_line": {"scales": LONG},
    "feed_forward.feed_forward": {"x": np.broadcast_to(1.0, (900, 900)), "W_1": np.broadcast_to(1.0, (900, 900))}
    | {"b_1": np.ones(900), "W_2": np.broadcast_to(1.0, (900, 900)), "b_2": np.ones(900)},
    "feed_forward.fit_curve": {"x": np.arange(1e4), "y": np.arange(1e4), "width": 100},
    "feed_forward.fit_widths": {"widths": [9_999] * 9_999},
    "losses.left_out_cells": {"mask": np.broadcast_to(True, 2**21), "n_classes": 3},
    "losses.right_class_curve": {"probabilities": np.broadcast_to(0.5, 1025), "n_classes": 1024},
    "losses.wanted_probabilities": {"targets": np.zeros(5, int), "n_classes": 2**20},
    "mlp.follow_gradient": {"n_steps": 1_000, "layers": NET, "x": np.ones((99, 60)), "targets": np.zeros(99, int)},
    "mlp.gradient_check": {"layers": NET, "x": np.ones((4, 60)), "targets": np.zeros(4, int)},
    "mlp.gradient_error_by_h": {"h": np.full(10_000, 1e-5)},
    "mlp.init_mlp": {"sizes": [2_048, 2_049, 2]},
    "mlp.loss_along_gradient": {"learning_rates": LONG},
    "normalization.variance_after": {"x": WIDE[:1000, :1000], "eps_values": [1.0] * 5},
    "optimizers.descend": {"n_steps": 10_001},
    "optimizers.follow": {"optimizers": [SGD(lr=0.1)] * 10_001},
    "optimizers.sweep_learning_rates": {"learning_rates": np.full(1_001, 0.1), "n_steps": 1_000},
    "optimizers.stability_limit": {"hessian": np.eye(501)},
    "perceptron.dataset": {"name": "two clouds", "n_per_cloud": 100_001},
    "perceptron.is_separable": {"x": np.ones((400, 2)), "targets": [0, 1] * 200},
    "perceptron.train_perceptron": {"max_epochs": 10**6},
    "pooling.drift_by_padding": {"rows": WIDE[:, :999], "padding": WIDE[:99, :999]},
    "pooling.padding_rows": {"n_padding": 9_999, "d": 9_999},
    "positions.alibi_bias": {"n_q": 2_048, "n_k": 2_049},
    "positions.alibi_scores": {"n_positions": 2_049},
    "positions.alibi_slopes": {"n_heads": 10_001},
    "positions.column_kinds": {"d_model": 100_001},
    "positions.library_table": {"n_positions": 2_048, "d_model": 2_049},
    "positions.rope_angles": {"positions": ROW, "d": 2_048},
    "positions.rope_scores": {"q_positions": ROW, "k_positions": ROW},
    "positions.rope_trail": {"n_points": 2**22},
    "positions.scores_by_offset": {"scores": np.broadcast_to(1.0, (2_049, 2_049))},
    "positions.sinusoidal_table": {"n_positions": 2_048, "d_model": 2_049},
    "positions.spread_by_width": {"n_positions": 2_048, "widths": [2, 2]},
    "positions.wavelengths": {"d_model": 100_001},
    "sampling.draw": {"n": 1_000_001},
    "sampling.next_token": {"logits": LONG},
    "softmax.softmax": {"logits": WIDE, "mask": None},
    "softmax.softmax_jacobian": {"logits": ROW, "mask": None},
    "softmax.sweep_scale": {"logits": ROW, "scales": ROW, "mask": None},
    "surfaces.surface_grid": {"n": 1_001},
    "tokenizers.characters": {"text": "a" * 100_001},
    "tokenizers.encode_bpe": {"merges": [("a", "b")] * 300_001},
    "tokenizers.look_alikes": {"words": ["a" * 99_999, "bc"]},
    "tokenizers.pair_counts": {"symbols": "a" * 100_001},
    "tokenizers.train_bpe": {"word_counts": {"a" * 100: 1} | {"b" * 100: 1} | {"c" * 100: 1}, "n_merges": 10_000},
    "transformer.generate": {"token_ids": [0], "n_tokens": 4, "n_layers": 96 * 30},
    "vectors.alike_within": {"points": COLUMN},
    "vectors.closest_rows": {"x": COLUMN},
    "vectors.clusters_by_offset": {"X": WIDE[:400, :2], "labels": [0, 1] * 200, "offsets": np.arange(99.0)},
    "vectors.entrywise": {"A": COLUMN, "B": COLUMN.T},
    "vectors.furthest_rows": {"x": COLUMN},
    "vectors.matmul": {"A": WIDE[:, :2048], "B": WIDE},
    "vectors.measures_by_angle": {"angles": np.arange(10_001.0)},
    "vectors.similarity_matrix": {"X": COLUMN},
}
NUMBERS_ONLY = {"perceptron.dataset", "positions.ntk_base", "sampling.tied_top_k", "softmax.entropy_limit"}  # no sizes
SAYS = "at most|from .* to|in rows of|more than|larger"


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_is_too_large_is_refused_before_it_is_made(name):
    room, function = name.split(".")
    arguments = ROOMS[room][function](Draw(1)) | TOO_LARGE[name]
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=SAYS):
            FUNCTIONS[name](**arguments)
        assert tracemalloc.get_traced_memory()[1] < 50e6, "that much was made before it was refused"
    finally:
        tracemalloc.stop()


def test_every_argument_that_sets_a_size_has_a_limit():
    """A trillion in place of any size is refused: nothing is made that large."""
    sizes = {"d", "k", "depth", "width", "batch", "most", "max_epochs", "d_model", "widths", "max_characters"}
    for name, function in FUNCTIONS.items():
        room, short = name.split(".")
        if room == "accounting":  # counts what it does not make
            continue
        for key in inspect.signature(function).parameters:
            value = ROOMS[room][short](Draw(1)).get(key)
            sized = key in sizes or key.startswith("n_")
            if sized and isinstance(value, int) and name not in NUMBERS_ONLY:
                with pytest.raises(ValueError, match="got|at most"):
                    function(**ROOMS[room][short](Draw(1)) | {key: 10**12})


def test_a_product_of_sizes_is_refused_with_its_factors():
    assert checks.within("the table", 100, rows=10, columns=10) == 100
    with pytest.raises(ValueError, match="rows × columns = 10 × 11: choose smaller sizes"):
        checks.within("the table", 100, rows=10, columns=11)
