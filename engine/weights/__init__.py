"""The toy model's parameters: read from weights.toml, checked, changed, written back.

Read model; file says what is wrong with a weights.toml, layout writes one.
"""

from engine.weights.model import (
    Head,
    Layer,
    Norm,
    Weights,
    as_rows,
    changed_matrices,
    check_weights,
    dump_weights,
    largest_shape,
    load_weights,
    matrices,
    numbers_from,
    replace_matrix,
)

__all__ = [
    "Head",
    "Layer",
    "Norm",
    "Weights",
    "as_rows",
    "changed_matrices",
    "check_weights",
    "dump_weights",
    "largest_shape",
    "load_weights",
    "matrices",
    "numbers_from",
    "replace_matrix",
]
