"""A valid call of every public function of the rooms accounting to normalization, for the property tests."""

import numpy as np

from engine import accounting, mlp, normalization
from engine.weights import load_weights

MODEL = load_weights()
STEP = {"precision": "mixed", "optimizer": "adam", "checkpointing": "none", "scores": "fused", "batch": 2}
ACCOUNTING = {
    "ModelConfig": lambda c: accounting.dials_of(c.config()),
    "dials_of": lambda c: {"config": c.config()},
    "llama_ffn_width": lambda c: {"d_model": c.whole(1, 999), "multiple_of": c.whole(1, 99), "multiplier": 1.5},
    "flops_conventions": lambda c: {"config": c.config(), "context": c.whole(1, 999)},
    "forward_flops_per_token": lambda c: {"config": c.config(), "context": c.whole(1, 999)},
    "sweep_context": lambda c: {"config": c.config(), "contexts": [1, 8, c.whole(1, 999)]},
    "training_flops_per_token": lambda c: {"config": c.config(), "context": c.whole(1, 999)},
    "cards_needed": lambda c: {"n_bytes": c.whole(0, 10**12)},
    "inference_memory": lambda c: {
        "config": c.config(),
        "n_tokens": c.whole(0, 99),
        "batch": 2,
        "bytes_per_weight": 0.5,
        "bytes_per_value": 2,
    },
    "kv_cache_bytes": lambda c: {"config": c.config(), "n_tokens": c.whole(0, 99), "batch": 2, "bytes_per_value": 2},
    "kv_cache_sweep": lambda c: {
        "config": c.config(),
        "contexts": [1, c.whole(1, 99)],
        "batch": 2,
        "bytes_per_value": 2,
    },
    "activation_bytes_per_layer": lambda c: {
        "config": c.config(),
        "batch": 2,
        "sequence": c.whole(1, 99),
        "precision": "mixed",
        "scores": "stored",
    },
    "memory_conventions": lambda c: {"config": c.config()},
    "training_memory": lambda c: dict(config=c.config(), sequence=c.whole(1, 99), **STEP),
    "account": lambda c: dict(config=c.config(), sequence=c.whole(1, 99), contexts=[1, 2], **STEP),
    "active_parameters": lambda c: {"config": c.config()},
    "config_of": lambda c: {"weights": MODEL},
    "count_parameters": lambda c: {"config": c.config()},
    "folded_table": lambda c: {"config": c.config()},
    "multiplying_parameters": lambda c: {"config": c.config()},
    "parameter_conventions": lambda c: {"config": c.config()},
    "parameter_table": lambda c: {"config": c.config()},
    "parameters_by_part": lambda c: {"config": c.config()},
    "sharded_memory": lambda c: {"memory": {"weights": 8, "activations": c.whole(0, 99)}, "n_cards": c.whole(1, 9)},
    "training_budget": lambda c: {
        "config": c.config(),
        "context": 9,
        "tokens_per_parameter": 20,
        "flops_per_second": 4e14,
    },
}
ATTENTION = {
    "attention_by_hand": lambda c: (
        c.qkv()
        | {"scores": c.a(c.n, c.m), "scaled": c.one(None, c.a(c.n, c.m)), "weights": c.one(None, c.probs(c.n, c.m))}
    ),
    "join_heads": lambda c: {"heads": MODEL.layers[0].heads},
    "key_head_of_each": lambda c: {"n_heads": 4, "n_kv_heads": 2, "interleaved": c.one(True, False)},
    "merge_heads": lambda c: {"x": c.a(c.n, c.m, c.d)},
    "multi_head": lambda c: {
        "x": c.a(c.n, c.d),
        "W_Q": c.a(c.d, 4 * c.k),
        "W_K": c.a(c.d, 2 * c.k),
        "W_V": c.a(c.d, 2 * c.k),
        "W_O": c.a(4 * c.k, c.d),
        "n_heads": 4,
        "n_kv_heads": 2,
        "mask": c.mask(c.n, c.n),
        "bias": c.a(c.n, c.n),
        "scale": 0.5,
        "active": c.mask(4),
        "interleaved": c.one(True, False),
    },
    "pool_key_heads": lambda c: {"W": c.a(c.n, 4 * c.k), "n_heads": 4, "n_kv_heads": c.one(1, 2, 4)},
    "reshape_origins": lambda c: {"n_tokens": c.n, "d_model": 4 * c.d, "n_heads": 4},
    "reshape_without_split": lambda c: {"x": c.a(c.n, 2 * c.d), "n_heads": 2},
    "split_heads": lambda c: {"x": c.a(c.n, 2 * c.d), "n_heads": 2},
    "attention_mask": lambda c: {
        "n_q": c.n,
        "n_k": c.n + 1,
        "causal": True,
        "n_padding": 1,
        "window": c.one(None, 2),
    },
    "causal_mask": lambda c: {"n_q": c.n, "n_k": c.one(None, c.m), "align": c.one("end", "start")},
    "padding_mask": lambda c: {"n_tokens": c.n, "n_padding": 1, "side": c.one("left", "right")},
    "sliding_window_mask": lambda c: {"n_q": c.n, "n_k": c.one(None, c.m), "window": 2},
    "attend_alike": lambda c: {
        "q": c.a(c.d),
        "k": c.a(c.d),
        "loudness": c.a(c.n),
        "mask": c.mask(c.n),
        "bias": c.a(c.n, c.n),
    },
    "attend_to_scores": lambda c: {"scaled": c.a(c.n, c.m), "mask": c.mask(c.n, c.m)},
    "attend_with_zeros": lambda c: {"scaled": c.a(c.n, c.m), "mask": c.mask(c.m)},
    "entropy_limits": lambda c: {"masked": c.a(c.n, c.m)},
    "scaled_dot_product": lambda c: (
        c.qkv() | {"mask": c.mask(c.n, c.m), "bias": c.a(c.n, c.m), "scale": c.one(None, 0.5)}
    ),
    "value_shares": lambda c: {"weights": c.probs(c.n, c.m), "v": c.a(c.m, c.k)},
}
STACK = {"gain": 0.9, "activation": "tanh", "depth": 3, "width": 4, "batch": 2}
DEPTH = {
    "gradient_by_depth": lambda c: dict(arrangement=c.one("plain", "residual", "pre_norm"), rng=c.rng, **STACK),
    "gradient_bands": lambda c: dict(n_seeds=2, seed=c.whole(0, 9), **STACK),
    "top_weight_gradients": lambda c: dict(n_seeds=2, seed=c.whole(0, 9), **STACK),
    "trace_stack": lambda c: {
        "arrangement": c.one("plain", "post_norm"),
        "x": c.a(c.n, c.d),
        "weights": c.a(3, c.d, c.d),
        "d_top": c.a(c.n, c.d),
        "activation": "tanh",
    },
}
DROPOUT = {
    "dropout": lambda c: {
        "x": c.a(c.n, c.d),
        "p": c.one(0, 0.5, 1),
        "rng": c.rng,
        "training": True,
        "scaled": c.one(True, False),
    },
    "dropout_rows": lambda c: {
        "x": c.a(c.d),
        "p": 0.5,
        "rng": c.rng,
        "n_rows": 3,
        "training": c.one(True, False),
        "scaled": True,
    },
    "mask_sums": lambda c: {"x": c.a(c.d), "p": c.one(0, 0.5, 1), "n_masks": 9, "rng": c.rng, "scaled": True},
    "sum_histogram": lambda c: {"x": c.a(c.d), "sums": c.a(9), "n_bins": 5},
    "swapped_scale": lambda c: {"p": 0.5},
}
CURVES = ("relu", "gelu", "gelu_tanh", "silu", "tanh", "identity")
FEED_FORWARD = {
    **{name + end: lambda c: {"x": c.a(c.n, c.d)} for name in CURVES for end in ("", "_derivative")},
    "curve_points": lambda c: {"name": c.one("wave", "step", "hat"), "n_points": 9},
    "fit_curve": lambda c: {"x": np.arange(5.0), "y": c.a(5), "width": 3, "activation": c.one(*CURVES), "rng": c.rng},
    "fit_widths": lambda c: {
        "x": np.arange(5.0),
        "y": c.a(5),
        "widths": [1, 3],
        "activation": c.one(*CURVES),
        "seed": 3,
    },
    "along_line": lambda c: c.sublayer() | {"x": c.a(c.d), "scales": c.a(4), "activation": c.one(*CURVES)},
    "collapse": lambda c: c.sublayer() | {"activation": c.one(*CURVES)},
    "feed_forward": lambda c: c.sublayer() | {"activation": c.one(*CURVES)},
    "gated_feed_forward": lambda c: {
        "x": c.a(c.n, c.d),
        "W_gate": c.a(c.d, c.m),
        "W_up": c.a(c.d, c.m),
        "W_down": c.a(c.m, c.k),
        "activation": "silu",
    },
    "silent_units": lambda c: {"activated": c.a(c.n, c.d), "tolerance": 0.1},
}
LOSSES = {
    "cross_entropy": lambda c: {
        "logits": c.a(c.n, c.k),
        "targets": c.ids(c.n, c.k),
        "mask": c.mask(c.n),
        "label_smoothing": 0.1,
        "class_weights": c.probs(c.k),
    },
    "wanted_probabilities": lambda c: {"targets": c.ids(c.n, c.k), "n_classes": c.k, "label_smoothing": 0.1},
    "mean_squared_error": lambda c: {"logits": c.a(c.n, c.k), "targets": c.ids(c.n, c.k), "mask": c.mask(c.n)},
    "costliest_row": lambda c: {"trace": c.loss(), "mask": c.mask(c.n)},
    "rows_at_top": lambda c: {"values": c.a(c.n), "mask": c.mask(c.n), "tolerance": 0.1},
    "left_out_cells": lambda c: {"mask": c.mask(c.n), "n_classes": 3},
    "probabilities_from_log_odds": lambda c: {"log_odds": c.a(c.n)},
    "denominators": lambda c: {"trace": c.loss(), "mask": c.mask(c.n)},
    "right_class": lambda c: {"logits": c.a(c.n, c.k), "targets": c.ids(c.n, c.k), "label_smoothing": 0.1},
    "right_class_curve": lambda c: {"probabilities": c.probs(c.n), "n_classes": 3, "label_smoothing": 0.1},
}
MLP = {
    "gradient_check": lambda c: c.batch() | {"h": 1e-4},
    "gradient_error_by_h": lambda c: c.batch() | {"h": [1e-3, 1e-5]},
    "worst_off_kinks": lambda c: {"check": mlp.gradient_check(**c.batch())},
    "follow_gradient": lambda c: c.batch() | {"lr": 0.1, "n_steps": 2},
    "gradient_step": lambda c: c.batch() | {"lr": 0.1},
    "loss_along_gradient": lambda c: c.batch() | {"learning_rates": [0.0, 0.1]},
    "take_step": lambda c: {"layers": (layers := c.layers()), "grads": layers, "lr": 0.1},
    "flattened": lambda c: {"layers": c.layers()},
    "init_mlp": lambda c: {"sizes": [c.d, c.m, c.k], "rng": c.rng},
    "inputs_with_bias": lambda c: {
        "x": (x := c.a(c.n, c.d)),
        "forward": mlp.mlp_forward(c.layers(), x, activation="tanh"),
    },
    "losses_side_by_side": lambda c: {
        "networks": [mlp.DenseLayer(c.a(3, c.d, c.k), c.a(3, c.k))],
        "x": c.a(c.n, c.d),
        "targets": c.ids(c.n, c.k),
        "activation": "relu",
    },
    "mlp_backward": lambda c: c.batch(),
    "mlp_forward": lambda c: {name: part for name, part in c.batch().items() if name != "targets"},
    "stacked": lambda c: {"layers": c.layers()},
}
NORMALIZATION = {
    "moments": lambda c: {"x": c.a(c.n, c.d)},
    "moments_at": lambda c: {"trace": normalization.batch_norm(c.a(c.n, c.d)), "row": 1, "column": 1},
    "sample_layer_norm": lambda c: {"x": c.a(c.n, c.d), "eps": 1e-5},
    "variance_after": lambda c: {"x": c.a(c.n, c.d), "eps_values": [0.1, 1.0]},
    "with_moments": lambda c: {"x": c.a(c.n, c.d)},
    "batch_norm": lambda c: c.normed(),
    "layer_norm": lambda c: c.normed(),
    "layer_norm_backward": lambda c: {"d_out": c.a(c.n, c.d), "x": c.a(c.n, c.d), "gamma": c.a(c.d), "eps": 1e-5},
    "layer_norm_slopes": lambda c: {"x": c.a(c.d), "output": 1, "gamma": c.a(c.d), "eps": 1e-5},
    "layer_norm_stages": lambda c: c.normed(),
    "restoring_parameters": lambda c: {"x": c.a(c.d), "eps": 1e-5},
    "rms_norm": lambda c: {
        "x": c.a(c.n, c.d),
        "gamma": c.a(c.d),
        "eps": c.one(None, 1e-6),
        "one_plus": c.one(True, False),
    },
    "batch_norm_inference": lambda c: c.normed() | {"running": normalization.running_statistics(c.a(4, c.d))},
    "running_statistics": lambda c: {
        "x": c.a(c.n, c.d),
        "previous": normalization.running_statistics(c.a(4, c.d)),
        "momentum": 0.1,
        "library": "keras",
    },
}
ROOMS = {
    "accounting": ACCOUNTING,
    "attention": ATTENTION,
    "depth": DEPTH,
    "dropout": DROPOUT,
    "feed_forward": FEED_FORWARD,
    "losses": LOSSES,
    "mlp": MLP,
    "normalization": NORMALIZATION,
}
