"""Where a token stands, told in three ways: a table that is added, a rotation (RoPE), a penalty on distance (ALiBi).

Read sinusoidal, rotary, alibi, offsets. RoPE stands in rotary.py, because `positions.rope` is the function.
"""

from engine.positions.alibi import alibi_bias, alibi_scores, alibi_slopes, alibi_slopes_geometric
from engine.positions.offsets import (
    OffsetCurve,
    OffsetTrace,
    offset_curve,
    scores_by_offset,
    spread_by_width,
)
from engine.positions.rotary import (
    RopeTrace,
    example_contents,
    ntk_base,
    rope,
    rope_angles,
    rope_columns,
    rope_pairs,
    rope_scores,
    rope_trail,
)
from engine.positions.sinusoidal import (
    LAYOUTS,
    RowGaps,
    column_kinds,
    library_table,
    one_frequency_per_column,
    row_gaps,
    sinusoidal_table,
    wavelengths,
    wavelengths_to_the_base,
)

__all__ = [
    "LAYOUTS",
    "OffsetCurve",
    "OffsetTrace",
    "RopeTrace",
    "RowGaps",
    "alibi_bias",
    "alibi_scores",
    "alibi_slopes",
    "alibi_slopes_geometric",
    "column_kinds",
    "example_contents",
    "library_table",
    "ntk_base",
    "offset_curve",
    "one_frequency_per_column",
    "rope",
    "rope_angles",
    "rope_columns",
    "rope_pairs",
    "rope_scores",
    "rope_trail",
    "row_gaps",
    "scores_by_offset",
    "sinusoidal_table",
    "spread_by_width",
    "wavelengths",
    "wavelengths_to_the_base",
]
