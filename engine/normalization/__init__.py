"""Layer, batch and RMS normalisation, what batch norm remembers, and what a norm does to a matrix.

Read norms, running, effects.
"""

from engine.normalization.effects import (
    Moments,
    moments,
    moments_at,
    sample_layer_norm,
    variance_after,
    with_moments,
)
from engine.normalization.norms import (
    NormGradients,
    NormStages,
    NormTrace,
    RestoringParameters,
    batch_norm,
    layer_norm,
    layer_norm_backward,
    layer_norm_slopes,
    layer_norm_stages,
    restoring_parameters,
    rms_norm,
)
from engine.normalization.running import RunningStatistics, batch_norm_inference, running_statistics

__all__ = [
    "Moments",
    "NormGradients",
    "NormStages",
    "NormTrace",
    "RestoringParameters",
    "RunningStatistics",
    "batch_norm",
    "batch_norm_inference",
    "layer_norm",
    "layer_norm_backward",
    "layer_norm_slopes",
    "layer_norm_stages",
    "moments",
    "moments_at",
    "restoring_parameters",
    "rms_norm",
    "running_statistics",
    "sample_layer_norm",
    "variance_after",
    "with_moments",
]
