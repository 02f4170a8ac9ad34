"""The toy model's parameters: read from weights.toml, checked, changed, written back.

Read model; file says what is wrong with a weights.toml, layout writes one.
"""

from engine.weights.model import (
    Head,
    Layer,
    Norm,
    Weights,
    check_weights,
    dump_weights,
    load_weights,
    matrices,
    replace_matrix,
)

__all__ = [
    "Head",
    "Layer",
    "Norm",
    "Weights",
    "check_weights",
    "dump_weights",
    "load_weights",
    "matrices",
    "replace_matrix",
]
