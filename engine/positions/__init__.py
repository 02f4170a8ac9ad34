"""Where a token stands, told in three ways: a table that is added, a rotation (RoPE), a penalty on distance (ALiBi).

Read sinusoidal, rotary, alibi, offsets. RoPE stands in rotary.py, because `positions.rope` is the function.
"""

from engine.positions.alibi import alibi_bias, alibi_scores, alibi_slopes, alibi_slopes_geometric
from engine.positions.offsets import OffsetTrace, scores_by_offset
from engine.positions.rotary import RopeTrace, rope, rope_angles, rope_pairs, rope_scores
from engine.positions.sinusoidal import (
    LAYOUTS,
    one_frequency_per_column,
    sinusoidal_table,
    wavelengths,
    wavelengths_to_the_base,
)

__all__ = [
    "LAYOUTS",
    "OffsetTrace",
    "RopeTrace",
    "alibi_bias",
    "alibi_scores",
    "alibi_slopes",
    "alibi_slopes_geometric",
    "one_frequency_per_column",
    "rope",
    "rope_angles",
    "rope_pairs",
    "rope_scores",
    "scores_by_offset",
    "sinusoidal_table",
    "wavelengths",
    "wavelengths_to_the_base",
]
